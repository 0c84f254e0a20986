/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MIN_N_P95  20
#define MIN_N_P99  100
#define MIN_N_CI95 6 /* with five samples even [min, max] covers the median in only 93.75 % */

int cb_compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double cb_quantile(const double *sorted, size_t n, double q)
{
    double place = q * (double)(n - 1);
    size_t low = (size_t)floor(place);
    if (low + 1 >= n)
        return sorted[n - 1];
    return sorted[low] + (place - (double)low) * (sorted[low + 1] - sorted[low]);
}

/* The largest k with P(Binomial(n, 1/2) < k) <= 2.5 %: the k-th smallest and the k-th largest
 * sample then enclose the median with at least 95 % (order-statistics interval, no assumption about
 * the distribution; David and Nagaraja, Order Statistics, 7.1). Needs n >= MIN_N_CI95. */
static size_t median_interval_rank(size_t n)
{
    double log_half_n = -(double)n * log(2.0), cumulated = 0;
    for (size_t k = 0; k < n; k++) {
        double log_choose =
            lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);
        cumulated += exp(log_choose + log_half_n);
        if (cumulated > 0.025)
            return k;
    }
    return 0;
}

static double mean_of(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

static double stddev_of(const double *values, size_t n, double mean)
{
    if (n < 2)
        return NAN;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sqrt(sum / (double)(n - 1));
}

struct cb_stats cb_stats_of(const double *values, size_t n)
{
    struct cb_stats s = {n, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    double *sorted = n ? malloc(n * sizeof *sorted) : NULL;
    if (!sorted)
        return s;
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, cb_compare_doubles);
    s.mean = mean_of(values, n);
    s.stddev = stddev_of(values, n, s.mean);
    s.min = sorted[0];
    s.q1 = cb_quantile(sorted, n, 0.25);
    s.median = cb_quantile(sorted, n, 0.5);
    s.q3 = cb_quantile(sorted, n, 0.75);
    s.max = sorted[n - 1];
    if (n >= MIN_N_P95)
        s.p95 = cb_quantile(sorted, n, 0.95);
    if (n >= MIN_N_P99)
        s.p99 = cb_quantile(sorted, n, 0.99);
    if (n >= MIN_N_CI95) {
        size_t k = median_interval_rank(n);
        s.ci95_low = sorted[k - 1];
        s.ci95_high = sorted[n - k];
    }
    for (size_t i = 0; i < n; i++) /* sorted is ours: reuse it for the deviations */
        sorted[i] = fabs(sorted[i] - s.median);
    qsort(sorted, n, sizeof *sorted, cb_compare_doubles);
    s.mad = cb_quantile(sorted, n, 0.5);
    free(sorted);
    return s;
}

double cb_stats_rci_percent(const struct cb_stats *stats)
{
    if (isnan(stats->ci95_low) || stats->median == 0)
        return NAN;
    return 100 * (stats->ci95_high - stats->ci95_low) / 2 / fabs(stats->median);
}
