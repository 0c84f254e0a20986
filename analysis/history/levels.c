/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/history/levels.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "analysis/compare/student.h"
#include "analysis/history/ranks.h"

#define MOST_PERSISTENT 0.9

/* A part with its extremes pulled in: a tenth at either end is as the next one. */
struct part {
    double kept; /* how many are as they were */
    double mean; /* mean of the kept values */
    double squares,
        products; /* sums over distances from the mean of all: squared, by their neighbours */
};

static double between(double low, double value, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* The value with k others below it (sign 1), or above it (-1): no more than these are put in order.
 */
static double beyond(const double *values, size_t n, size_t k, double sign)
{
    double least[CB_LEVEL_MOST / 10 + 1];
    for (size_t i = 0; i <= k; i++)
        least[i] = INFINITY;
    for (size_t i = 0; i < n; i++) {
        const double value = sign * values[i];
        size_t place = k;
        if (value >= least[k])
            continue;
        for (; place > 0 && least[place - 1] > value; place--)
            least[place] = least[place - 1];
        least[place] = value;
    }
    return sign * least[k];
}

static struct part pull_in(const double *values, size_t n)
{
    const size_t cut = n / 10;
    const double low = beyond(values, n, cut, 1), high = beyond(values, n, cut, -1);
    struct part p = {.kept = (double)(n - 2 * cut)};
    double sum = 0, before = 0;
    for (size_t i = 0; i < n; i++)
        sum += between(low, values[i], high);
    p.mean = (sum - (double)cut * (low + high)) / p.kept;
    for (size_t i = 0; i < n; i++) {
        const double far = between(low, values[i], high) - sum / (double)n;
        p.squares += far * far;
        p.products += far * before;
        before = far;
    }
    return p;
}

/* Values that follow the ones before, by r, tell as much of a mean as fewer independent ones, and
 * of their variance as some more than those (Bayley and Hammersley, J. R. Stat. Soc. Suppl. 8,
 * 1946).
 */
static double means_p(const struct cb_levels *l, double r)
{
    if (l->kept < 3 || l->difference == 0)
        return 1;
    const int freedom = (int)fmax(1, floor(l->kept * (1 - r * r) / (1 + r * r)) - 2);
    const double variance = l->variance * (1 + r) / (1 - r);
    return variance > 0 ? cb_student_p(freedom, l->difference / sqrt(variance)) : 0;
}

/* The variance of a part's mean, whose values vary as those of both, or more. */
static double variance_of(const struct part *p, double both)
{
    return fmax(both, p->kept > 1 ? p->squares / (p->kept - 1) : 0) / p->kept;
}

struct cb_levels cb_levels_of(const double *a, size_t n_a, const double *b, size_t n_b)
{
    const struct part first = pull_in(a, n_a), second = pull_in(b, n_b);
    const double kept = first.kept + second.kept;
    const double both = kept > 2 ? (first.squares + second.squares) / (kept - 2) : 0;
    return (struct cb_levels){.a = a,
                              .b = b,
                              .n_a = n_a,
                              .n_b = n_b,
                              .kept = kept,
                              .difference = fabs(first.mean - second.mean),
                              .variance = variance_of(&first, both) + variance_of(&second, both),
                              .ranks = NAN};
}

/* The least that the rank test can give. */
static double least_ranks_p(size_t n_a, size_t n_b)
{
    return 2 *
           exp(lgamma((double)n_a + 1) + lgamma((double)n_b + 1) - lgamma((double)(n_a + n_b + 1)));
}

double cb_levels_p(struct cb_levels *l, double persistence, size_t places)
{
    const double means = means_p(l, persistence) * (double)places;
    if (means >= 1)
        return 1;
    if (isnan(l->ranks))
        l->ranks = cb_ranks_p(l->a, l->n_a, l->b, l->n_b);
    if (isnan(l->ranks))
        return NAN;
    /* Where no value of one is among the other's, ranks have no more to tell. Of few values even
     * that is no small p, and if it counted, there were sizes at which nothing is ever found. */
    const bool apart = l->ranks < 1.5 * least_ranks_p(l->n_a, l->n_b);
    return apart ? means : fmin(1, fmax(means, l->ranks * (double)places));
}

double cb_levels_weak_p(const double *a, size_t n_a, const double *b, size_t n_b)
{
    const struct cb_levels levels = cb_levels_of(a, n_a, b, n_b);
    return means_p(&levels, 0);
}

struct cb_persistence cb_persistence_within(const double *values, size_t n)
{
    struct cb_persistence all = {0};
    for (size_t begin = 0; begin < n; begin += CB_LEVEL_MOST) {
        const size_t count = begin + CB_LEVEL_MOST < n ? CB_LEVEL_MOST : n - begin;
        const struct part part = pull_in(&values[begin], count);
        cb_persistence_add(&all, &(struct cb_persistence){part.squares, part.products, count, 1});
    }
    return all;
}

void cb_persistence_add(struct cb_persistence *p, const struct cb_persistence *more)
{
    p->squares += more->squares;
    p->products += more->products;
    p->n += more->n;
    p->parts += more->parts;
}

double cb_persistence_of(const struct cb_persistence *p)
{
    if (p->squares == 0)
        return 0;
    const double r = p->products / p->squares, n = (double)p->n;
    const double error = sqrt(fmax(0, 1 - r * r) / n);
    /* the mean of a part is of the same values, which makes it too small (Marriott and Pope, 1954)
     */
    const double likely = r + (1 + 3 * r) * (double)p->parts / n;
    return r < 1.5 * error ? 0 : fmin(MOST_PERSISTENT, likely);
}
