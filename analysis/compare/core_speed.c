/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/core_speed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/stats.h"

#define ERRORS     3 /* standard errors that make a slope sure */
#define MOST_SHOWN 2 /* the most that levels may show beyond proportion */

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

/* Those between any two rounds of a level whose speeds differ; returns their number. */
static size_t add_slopes(const struct cb_rounds *level, struct slope *slopes)
{
    size_t n = 0;
    for (size_t i = 0; i < level->n; i++)
        for (size_t k = 0; k < i; k++) {
            double across = log(level->speeds[i] / level->speeds[k]);
            double up = log(level->values[i] / level->values[k]);
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

/* The median of the slopes within levels. NaN: no memory. */
static double slope_within(const struct cb_rounds *levels, int n)
{
    size_t room = 1, count = 0;
    for (int i = 0; i < n; i++)
        room += levels[i].n * (levels[i].n - (levels[i].n > 0)) / 2;
    struct slope *slopes = malloc(room * sizeof *slopes);
    if (!slopes)
        return NAN;
    for (int i = 0; i < n; i++)
        count += add_slopes(&levels[i], slopes + count);
    qsort(slopes, count, sizeof *slopes, compare_slopes);
    const double slope = weighted_median(slopes, count);
    free(slopes);
    return slope;
}

/* The standard error of the slope within levels. INFINITY: they do not tell. */
static double standard_error(const struct cb_rounds *levels, int n, double slope)
{
    double freedom = -1, across = 0, left = 0;
    for (int i = 0; i < n; i++) {
        const struct cb_rounds *level = &levels[i];
        double speed = 0, value = 0;
        for (size_t k = 0; k < level->n; k++) {
            speed += log(level->speeds[k]) / (double)level->n;
            value += log(level->values[k]) / (double)level->n;
        }
        for (size_t k = 0; k < level->n; k++) {
            const double x = log(level->speeds[k]) - speed;
            const double y = log(level->values[k]) - value - slope * x;
            across += x * x;
            left += y * y;
        }
        freedom += level->n > 0 ? (double)level->n - 1 : 0;
    }
    return freedom > 0 && across > 0 ? sqrt(left / freedom / across) : INFINITY;
}

/* The median of the slopes between all rounds, whatever their level. NaN: no memory. */
static double slope_of_all(const struct cb_rounds *levels, int n)
{
    size_t total = 0, at = 0;
    for (int i = 0; i < n; i++)
        total += levels[i].n;
    double *values = malloc((2 * total + 1) * sizeof *values);
    if (!values)
        return NAN;
    for (int i = 0; i < n; at += levels[i++].n) {
        memcpy(values + at, levels[i].values, levels[i].n * sizeof *values);
        memcpy(values + total + at, levels[i].speeds, levels[i].n * sizeof *values);
    }
    const struct cb_rounds all = {.values = values, .n = total, .speeds = values + total};
    const double slope = slope_within(&all, 1);
    free(values);
    return slope;
}

double cb_rounds_slope(const struct cb_rounds *levels, int n, enum cb_better better)
{
    const double sense = better == CB_LOWER ? -1 : 1; /* a time falls as the speed grows */
    const double within = sense * slope_within(levels, n), all = sense * slope_of_all(levels, n);
    if (isnan(within) || isnan(all))
        return NAN;
    const double least = within - ERRORS * standard_error(levels, n, sense * within);
    if (least > 1)
        return sense * fmin(within, MOST_SHOWN);
    return sense * fmax(fmin(all, 1), fmax(least, 0)); /* least may be -INFINITY */
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
