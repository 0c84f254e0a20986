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

/* The rounds of one side, sorted, as logarithms if that is the scale. */
static double *prepare(const double *values, size_t n, bool ratio)
{
    double *own = malloc(n * sizeof *own);
    for (size_t i = 0; own && i < n; i++)
        own[i] = ratio ? log(values[i]) : values[i];
    if (own)
        qsort(own, n, sizeof *own, compare_doubles);
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

bool cb_rounds_test(const double *base, size_t n, const double *now, size_t m,
                    struct cb_change *change, double *p)
{
    if (n < CB_LEAST_ROUNDS || m < CB_LEAST_ROUNDS)
        return false;
    bool ratio = all_positive(base, n) && all_positive(now, m);
    double *a = prepare(base, n, ratio), *b = prepare(now, m, ratio);
    bool ok = a && b;
    if (ok)
        test(a, n, b, m, ratio, change, p);
    free(a);
    free(b);
    return ok;
}
