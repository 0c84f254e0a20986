/* SPDX-License-Identifier: Apache-2.0
 *
 * The test of runs in rounds (measure/joined_run.h): a round is one value, its median. Samples of
 * one process agree with each other more than with those of the next, so that a test which takes
 * them for independent finds changes where there are none (docs/trust.md).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "measure/compare/change.h"

#define CB_LEAST_ROUNDS 5 /* of either side; below, the variance of what is left is a guess */

/* One side: a value of each round. */
struct cb_rounds {
    const double *values;
    const double *speeds; /* of the cores, in the same rounds; NULL: not known */
    size_t n;
};

/* Compares them by Yuen's t-test of trimmed means (Biometrika 61, 1974): a fifth is cut off at
 * either end, since a busy machine spoils single rounds; variances may differ (Welch). On a
 * logarithmic scale if all are positive; then the values are first adjusted for the speed of the
 * cores, if both sides know it (analysis of covariance). *p is two-sided. False: too few rounds, or
 * no memory. */
bool cb_rounds_test(const struct cb_rounds *base, const struct cb_rounds *now,
                    struct cb_change *change, double *p);

/* How the values of both sides follow the speeds, both as logarithms: the median of the slopes
 * between any two rounds of a side, weighted by how much their speeds differ (Sen, J. Am. Stat.
 * Assoc. 63, 1968; Jaeckel, Ann. Math. Stat. 43, 1972). 0: the speeds do not differ. NaN: no
 * memory. */
double cb_rounds_slope(const struct cb_rounds *base, const struct cb_rounds *now);

/* Whether values are positive on both sides, and their speeds known: then they are adjusted. */
bool cb_rounds_adjusted(const struct cb_rounds *base, const struct cb_rounds *now);
