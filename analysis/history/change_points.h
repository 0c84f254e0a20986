/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the level of a series changes: E-Divisive means with a test that needs no random numbers,
 * in two passes, as in Hunter (Fleming et al., ICPE'23). The first keeps weak points, so that one
 * which hides another is no reason to stop; the second takes away the weakest, one after the other,
 * until all are significant between the levels that are left.
 */
#pragma once

#include <stddef.h>

struct cb_change_rules {
    size_t least;    /* values of a level, at least 1: fewer that stray are no change */
    size_t window;   /* values looked at together, by which a level is judged: at most 100 */
    double weak;     /* p of the first pass */
    double alpha;    /* p of the second, after correction for all places where a split was tried */
    double smallest; /* change that counts, relative, between the levels' medians */
};

/* Levels of 3 values or more, windows of 50; p of 0.01, and of 0.001; any change. */
extern const struct cb_change_rules cb_change_rules;

struct cb_change_point {
    size_t at; /* the first value of the new level */
    double p;  /* corrected for the places, not for several series */
};

/* The change points of n values in order, of which there is room for n. Returns how many there are,
 * or -1 if there is no memory. If all values are positive, their logarithms are looked at. */
long cb_change_points(const double *values, size_t n, const struct cb_change_rules *rules,
                      struct cb_change_point *points);
