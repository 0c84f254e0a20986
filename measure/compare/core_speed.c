/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/compare/core_speed.h"

#include <math.h>
#include <stdlib.h>

#include "measure/stats.h"

bool cb_all_positive(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(values[i] > 0))
            return false;
    return true;
}

/* Between two rounds. */
struct slope {
    double slope, weight;
};

static int compare_slopes(const void *a, const void *b)
{
    double x = ((const struct slope *)a)->slope, y = ((const struct slope *)b)->slope;
    return (x > y) - (x < y);
}

/* Those between any two rounds of a run whose speeds differ; returns their number. */
static size_t add_slopes(const struct cb_rounds *run, struct slope *slopes)
{
    size_t n = 0;
    for (size_t i = 0; i < run->n; i++)
        for (size_t k = 0; k < i; k++) {
            double across = log(run->speeds[i] / run->speeds[k]);
            double up = log(run->values[i] / run->values[k]);
            if (across != 0)
                slopes[n++] = (struct slope){up / across, fabs(across)};
        }
    return n;
}

/* slopes are sorted */
static double weighted_median(const struct slope *slopes, size_t n)
{
    double half = 0, median = 0;
    for (size_t i = 0; i < n; i++)
        half += slopes[i].weight / 2;
    for (size_t i = 0; i < n && half > 0; i++) {
        half -= slopes[i].weight;
        median = slopes[i].slope;
    }
    return median;
}

double cb_rounds_slope(const struct cb_rounds *runs, int n)
{
    size_t room = 1, count = 0;
    for (int i = 0; i < n; i++)
        room += runs[i].n * (runs[i].n - 1) / 2;
    struct slope *slopes = malloc(room * sizeof *slopes);
    if (!slopes)
        return NAN;
    for (int i = 0; i < n; i++)
        count += add_slopes(&runs[i], slopes + count);
    qsort(slopes, count, sizeof *slopes, compare_slopes);
    double slope = weighted_median(slopes, count);
    free(slopes);
    return slope;
}

bool cb_rounds_adjustable(const struct cb_rounds *run)
{
    return run->speeds && cb_all_positive(run->speeds, run->n) &&
           cb_all_positive(run->values, run->n);
}

static size_t count_samples(const struct cb_rounds *run)
{
    double sum = 0;
    for (size_t i = 0; i < run->n; i++)
        sum += run->sizes[i];
    return (size_t)sum;
}

/* The logarithm of a sample at the speed 1. */
static double adjusted(double value, double speed, double slope)
{
    return log(value) - slope * log(speed);
}

/* As the medians of their samples. */
static bool adjust_samples(const struct cb_rounds *run, double slope, double *values)
{
    size_t at = 0, total = count_samples(run);
    double *all = malloc((total + 1) * sizeof *all);
    for (size_t i = 0; all && i < total; i++)
        all[i] = adjusted(run->samples[i], run->sample_speeds[i], slope);
    for (size_t i = 0; all && i < run->n; i++) {
        values[i] = cb_stats_of(all + at, (size_t)run->sizes[i]).median;
        at += (size_t)run->sizes[i];
    }
    free(all);
    return all != NULL;
}

static bool has_samples(const struct cb_rounds *run)
{
    if (!run->samples || !run->sample_speeds || !run->sizes || !cb_all_positive(run->sizes, run->n))
        return false;
    size_t total = count_samples(run);
    return cb_all_positive(run->samples, total) && cb_all_positive(run->sample_speeds, total);
}

bool cb_rounds_adjust(const struct cb_rounds *run, double slope, double *values)
{
    if (has_samples(run))
        return adjust_samples(run, slope, values);
    for (size_t i = 0; i < run->n; i++)
        values[i] = adjusted(run->values[i], run->speeds[i], slope);
    return true;
}
