/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of a series from one level to the next, with their sizes, and which of them are
 * accepted. After an accepted step the series begins anew, so that what comes later is judged
 * against the level that was accepted only.
 */
#pragma once

#include "analysis/compare/change.h"
#include "analysis/history/accepted.h"
#include "analysis/history/change_points.h"

struct cb_step {
    size_t at;               /* the first value of the new level */
    size_t before, after;    /* values of the levels on either side */
    double p;                /* corrected for the positions, not for several series */
    double from, to;         /* medians of the levels */
    struct cb_change change; /* change from one level to the other */
    bool worse;
    struct cb_acceptance *accepted; /* NULL: it is not */
};

/* That a step for the worse at this value is accepted. */
struct cb_claim {
    struct cb_acceptance *acceptance;
    size_t at;
};

struct cb_claims {
    struct cb_claim *items;
    size_t n;
};

/* The steps of n values in order, of which there is room for n. Returns how many there are, or -1
 * if there is no memory.
 *
 * Where a step is found moves as more values arrive, most while the new level has few. So a claim
 * is of the step nearest to it that is fewer than 2 * rules->least values away; or that is within
 * the 95 % confidence interval of a step's place, 11 (spread / height)^2 values to either side
 * (Bai, Review of Economics and Statistics 79, 1997), but no more than the shorter level has. A
 * step that has become half as large again as its acceptance says, at the least, is not accepted,
 * and its acceptance is told so. */
long cb_steps_find(const double *values, size_t n, bool more_is_worse,
                   const struct cb_change_rules *rules, struct cb_claims *claims,
                   struct cb_step *steps);
