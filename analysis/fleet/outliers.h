/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of devices of one kind, of which some may stray from the others.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* With fewer devices a spread is no yardstick: no test. */
#define CB_OUTLIERS_LEAST 5

#define CB_MAD_TO_SD 1.4826 /* median absolute deviation of a normal distribution */

struct cb_outlier {
    double z; /* robust: distance from the median by 1.4826 times the median absolute deviation */
    double p; /* that a value of the others' distribution strays as far, two-sided */
};

/* Judges n values by generalized extreme Studentized deviates (Rosner, Technometrics 25, 1983): the
 * one that is farthest from the mean of the others, by their standard deviation, is set aside, and
 * then the next, so that two which stray do not hide each other. A distance has Student's t with as
 * many degrees of freedom as there are others, less one. At most (n - 3) / 2 are set aside; p of
 * those that never were is 1. p is to be corrected for n values.
 *
 * errors: standard errors of the values, NaN where not known. A distance within them is none.
 * least: the standard deviation that the values have at least. z of fewer than CB_OUTLIERS_LEAST
 * values is there, p is NaN. False: no memory. */
bool cb_outliers_find(const double *values, const double *errors, size_t n, double least,
                      struct cb_outlier *found);
