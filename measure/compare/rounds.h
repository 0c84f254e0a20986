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

/* Compares the medians of n and m rounds by Yuen's t-test of trimmed means (Biometrika 61, 1974): a
 * fifth is cut off at either end, since a busy machine spoils single rounds; variances may differ
 * (Welch). On a logarithmic scale if all are positive. *p is two-sided. False: too few rounds, or
 * no memory. */
bool cb_rounds_test(const double *base, size_t n, const double *now, size_t m,
                    struct cb_change *change, double *p);
