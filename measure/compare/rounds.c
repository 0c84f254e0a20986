/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/compare/rounds.h"

#include <math.h>
#include <stdlib.h>

#include "measure/compare/student.h"

#define TRIMMED 5 /* one in so many, at either end */

/* A trimmed mean, and what its variance is estimated from. */
struct trimmed {
    double mean;
    double variance; /* of the mean */
    int freedom;
};

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* values are sorted. The variance is that of the values with those that are cut off pulled in to
 * the nearest that stay (winsorised). */
static struct trimmed trim(const double *values, size_t n)
{
    size_t cut = n / TRIMMED, left = n - 2 * cut;
    double first = values[cut], last = values[n - cut - 1], sum = 0, squares = 0;
    for (size_t i = cut; i < n - cut; i++)
        sum += values[i];
    double mean = sum / (double)left, middle = (sum + (double)cut * (first + last)) / (double)n;
    for (size_t i = 0; i < n; i++) {
        double d = fmin(fmax(values[i], first), last) - middle;
        squares += d * d;
    }
    return (struct trimmed){mean, squares / ((double)left * (double)(left - 1)), (int)left - 1};
}

static bool all_positive(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(values[i] > 0))
            return false;
    return true;
}

/* ---- The speed of the cores ------------------------------------------------------------------ */

/* Between two rounds. */
struct slope {
    double slope, weight;
};

static int compare_slopes(const void *a, const void *b)
{
    return compare_doubles(&((const struct slope *)a)->slope, &((const struct slope *)b)->slope);
}

static size_t pairs_of(size_t n)
{
    return n * (n - 1) / 2;
}

/* Those between any two rounds of a side whose speeds differ; returns their number. */
static size_t add_slopes(const struct cb_rounds *side, struct slope *slopes)
{
    size_t n = 0;
    for (size_t i = 0; i < side->n; i++)
        for (size_t k = 0; k < i; k++) {
            double run = log(side->speeds[i] / side->speeds[k]);
            double rise = log(side->values[i] / side->values[k]);
            if (run != 0)
                slopes[n++] = (struct slope){rise / run, fabs(run)};
        }
    return n;
}

double cb_rounds_slope(const struct cb_rounds *base, const struct cb_rounds *now)
{
    struct slope *slopes = malloc((pairs_of(base->n) + pairs_of(now->n) + 1) * sizeof *slopes);
    double half = 0, slope = 0;
    if (!slopes)
        return NAN;
    size_t n = add_slopes(base, slopes);
    n += add_slopes(now, slopes + n);
    qsort(slopes, n, sizeof *slopes, compare_slopes);
    for (size_t i = 0; i < n; i++)
        half += slopes[i].weight / 2;
    for (size_t i = 0; i < n && half > 0; i++) {
        half -= slopes[i].weight;
        slope = slopes[i].slope;
    }
    free(slopes);
    return slope;
}

bool cb_rounds_adjusted(const struct cb_rounds *base, const struct cb_rounds *now)
{
    return base->speeds && now->speeds && all_positive(base->speeds, base->n) &&
           all_positive(now->speeds, now->n) && all_positive(base->values, base->n) &&
           all_positive(now->values, now->n);
}

/* ---- The test -------------------------------------------------------------------------------- */

/* The rounds of one side, sorted, as logarithms if that is the scale; as they would be at the speed
 * 1, if a slope is given. */
static double *prepare(const struct cb_rounds *side, bool ratio, double slope)
{
    double *own = malloc(side->n * sizeof *own);
    for (size_t i = 0; own && i < side->n; i++) {
        own[i] = ratio ? log(side->values[i]) : side->values[i];
        if (slope != 0)
            own[i] -= slope * log(side->speeds[i]);
    }
    if (own)
        qsort(own, side->n, sizeof *own, compare_doubles);
    return own;
}

/* A difference as a relative change. */
static double change_of(double difference, bool ratio, double from)
{
    if (ratio)
        return expm1(difference);
    return difference == 0 ? 0 : difference / fabs(from);
}

/* Welch's degrees of freedom, rounded down. */
static int freedom_of(const struct trimmed *a, const struct trimmed *b)
{
    double sum = a->variance + b->variance;
    double parts = a->variance * a->variance / a->freedom + b->variance * b->variance / b->freedom;
    return parts > 0 ? (int)fmax(1, floor(sum * sum / parts)) : 1;
}

static void test(const double *base, size_t n, const double *now, size_t m, bool ratio,
                 struct cb_change *change, double *p)
{
    struct trimmed a = trim(base, n), b = trim(now, m);
    double error = sqrt(a.variance + b.variance), difference = b.mean - a.mean;
    int freedom = freedom_of(&a, &b);
    double tiny = ratio ? 1e-12 : 1e-12 * fabs(a.mean); /* rounding errors of values that agree */
    difference = fabs(difference) > tiny ? difference : 0;
    error = error > tiny ? error : 0;
    double half = error > 0 ? error * cb_student_t(freedom, 0.05) : 0;
    *change = (struct cb_change){change_of(difference, ratio, a.mean),
                                 change_of(difference - half, ratio, a.mean),
                                 change_of(difference + half, ratio, a.mean)};
    if (difference == 0)
        *p = 1;
    else
        *p = error > 0 ? cb_student_p(freedom, fabs(difference) / error) : 0;
}

bool cb_rounds_test(const struct cb_rounds *base, const struct cb_rounds *now,
                    struct cb_change *change, double *p)
{
    if (base->n < CB_LEAST_ROUNDS || now->n < CB_LEAST_ROUNDS)
        return false;
    bool ratio = all_positive(base->values, base->n) && all_positive(now->values, now->n);
    double slope = cb_rounds_adjusted(base, now) ? cb_rounds_slope(base, now) : 0;
    double *a = prepare(base, ratio, slope), *b = prepare(now, ratio, slope);
    bool ok = a && b && !isnan(slope);
    if (ok)
        test(a, base->n, b, now->n, ratio, change, p);
    free(a);
    free(b);
    return ok;
}
