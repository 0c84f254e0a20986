/* SPDX-License-Identifier: Apache-2.0
 *
 * The test of runs in rounds (analysis/documents/joined_run.h): a round is one value, its median.
 * Samples of one process agree with each other more than with those of the next, so that a test
 * which takes them for independent finds changes where there are none (docs/trust.md).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analysis/compare/change.h"
#include "analysis/compare/core_speed.h"

/* Rounds of either side; below, the variance of what is left is a guess. */
#define CB_LEAST_ROUNDS 5

struct cb_rounds_verdict {
    struct cb_change change;
    double p;       /* two-sided */
    bool adjusted;  /* for the speed of the cores */
    double *levels; /* [n_base], the caller's: of each baseline, what was compared (trimmed mean) */
};

/* Compares a run with n_base others, taken together, by Yuen's t-test of trimmed means (Biometrika
 * 61, 1974): a fifth is cut off at either end, since a busy machine spoils single rounds; variances
 * may differ (Welch), but the pooled one is the least that counts. On a logarithmic scale if all
 * are positive; then the values are first adjusted for the speed of the cores, if all know it
 * (analysis of covariance): a round's value is the median of what its samples would be at the
 * speed 1. False: too few rounds in one of them, or no memory. */
bool cb_rounds_test(const struct cb_rounds *base, int n_base, const struct cb_rounds *now,
                    enum cb_better better, struct cb_rounds_verdict *verdict);
