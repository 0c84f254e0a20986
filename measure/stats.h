/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptive statistics of one series of samples. A value that the number of samples does not
 * support is NaN (and left out of results): a percentile that would only be the maximum misleads.
 */
#pragma once

#include <stddef.h>

struct cb_stats {
    size_t n;
    double mean;
    double stddev; /* standard deviation of the sample (n - 1); NaN for n < 2 */
    double min, q1, median, q3, max;
    double mad;      /* median absolute deviation from the median */
    double p95, p99; /* NaN below n = 20 and n = 100 */
    double ci95_low; /* 95 % confidence interval of the median; NaN below n = 6 */
    double ci95_high;
};

/* n > 0. Does not change values. NaN everywhere if there is no memory. */
struct cb_stats cb_stats_of(const double *values, size_t n);

/* Quantile q in [0, 1] of sorted values, n > 0: linear interpolation between closest ranks
 * (Hyndman and Fan 1996, type 7, as in R and NumPy). */
double cb_quantile(const double *sorted, size_t n, double q);

/* For qsort(): two doubles, the smaller one first. */
int cb_compare_doubles(const void *a, const void *b);

/* Half-width of the confidence interval relative to the median, in percent; NaN if unknown. */
double cb_stats_rci_percent(const struct cb_stats *stats);
