/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/core_speed.h"
#include "analysis/compare/student.h"
#include "measure/stats.h"

#define TRIMMED 5 /* one in so many, at either end */

/* A trimmed mean, and what its variance is estimated from. */
struct trimmed {
    double mean;
    double variance; /* variance of the mean */
    int freedom;
};

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

/* The rounds of n runs, sorted, as logarithms if that is the scale, adjusted if a slope is given
 * (not NaN). NULL: no memory. */
static double *prepare(const struct cb_rounds *runs, int n, size_t total, bool ratio, double slope)
{
    double *all = malloc(total * sizeof *all);
    size_t at = 0;
    bool ok = all;
    for (int i = 0; ok && i < n; at += runs[i++].n) {
        if (!isnan(slope))
            ok = cb_rounds_adjust(&runs[i], slope, all + at);
        else
            for (size_t k = 0; k < runs[i].n; k++)
                all[at + k] = ratio ? log(runs[i].values[k]) : runs[i].values[k];
    }
    if (ok) {
        qsort(all, total, sizeof *all, cb_compare_doubles);
        return all;
    }
    free(all);
    return NULL;
}

/* A difference as a relative change. */
static double change_of(double difference, bool ratio, double from)
{
    if (ratio)
        return expm1(difference);
    return difference == 0 ? 0 : difference / fabs(from);
}

/* Welch's degrees of freedom, rounded down: at most those of both, even if squares overflow. */
static int freedom_of(const struct trimmed *a, const struct trimmed *b)
{
    const int most = a->freedom + b->freedom;
    double sum = a->variance + b->variance;
    double parts = a->variance * a->variance / a->freedom + b->variance * b->variance / b->freedom;
    return parts > 0 ? (int)fmin(most, fmax(1, floor(sum * sum / parts))) : 1;
}

/* The squared error of the difference is Welch's, but no less than what the pooled variance gives.
 * What is left of a few rounds may agree by chance, which more rounds of the other side correct;
 * with as many rounds on either side both are the same. */
static double variance_of(const struct trimmed *a, const struct trimmed *b)
{
    const double fa = a->freedom, fb = b->freedom;
    const double squares = a->variance * fa * (fa + 1) + b->variance * fb * (fb + 1);
    const double pooled = squares / (fa + fb) * (1 / (fa + 1) + 1 / (fb + 1));
    return fmax(a->variance + b->variance, pooled);
}

static void test(const double *base, size_t n, const double *now, size_t m, bool ratio,
                 struct cb_change *change, double *p)
{
    struct trimmed a = trim(base, n), b = trim(now, m);
    double error = sqrt(variance_of(&a, &b)), difference = b.mean - a.mean;
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

/* What both sides have in common, and how many rounds the first has. */
struct plan {
    bool ratio;
    bool adjustable;
    size_t total;
};

static bool survey(const struct cb_rounds *base, int n, const struct cb_rounds *now,
                   struct plan *plan)
{
    *plan = (struct plan){.ratio = true, .adjustable = true};
    for (int i = 0; i <= n; i++) {
        const struct cb_rounds *run = i < n ? &base[i] : now;
        if (run->n < CB_LEAST_ROUNDS)
            return false;
        plan->ratio = plan->ratio && cb_all_positive(run->values, run->n);
        plan->adjustable = plan->adjustable && cb_rounds_adjustable(run);
        plan->total += i < n ? run->n : 0;
    }
    return true;
}

/* The slope of all runs together. NaN: they are not to be adjusted. */
static double slope_of(const struct cb_rounds *base, int n, const struct cb_rounds *now,
                       enum cb_better better)
{
    struct cb_rounds *all = malloc((size_t)(n + 1) * sizeof *all);
    if (!all)
        return NAN;
    memcpy(all, base, (size_t)n * sizeof *all);
    all[n] = *now;
    double slope = cb_rounds_slope(all, n + 1, better);
    free(all);
    return slope;
}

/* What one run comes to, on the scale of its values. NaN: no memory. */
static double level_of(const struct cb_rounds *run, bool ratio, double slope)
{
    double *values = prepare(run, 1, run->n, ratio, slope);
    double level = values ? trim(values, run->n).mean : NAN;
    free(values);
    return ratio ? exp(level) : level;
}

bool cb_rounds_test(const struct cb_rounds *base, int n_base, const struct cb_rounds *now,
                    enum cb_better better, struct cb_rounds_verdict *verdict)
{
    struct plan plan;
    if (!survey(base, n_base, now, &plan))
        return false;
    double slope = plan.adjustable ? slope_of(base, n_base, now, better) : NAN;
    double *a = prepare(base, n_base, plan.total, plan.ratio, slope);
    double *b = prepare(now, 1, now->n, plan.ratio, slope);
    bool ok = a && b;
    verdict->adjusted = !isnan(slope);
    if (ok)
        test(a, plan.total, b, now->n, plan.ratio, &verdict->change, &verdict->p);
    for (int i = 0; i < n_base; i++)
        verdict->levels[i] = level_of(&base[i], plan.ratio, slope);
    free(a);
    free(b);
    return ok;
}
