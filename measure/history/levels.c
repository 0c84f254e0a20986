/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/history/levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/compare/student.h"
#include "measure/history/ranks.h"
#include "measure/stats.h"

#define MOST_PERSISTENT 0.9
#define CAUTION         0.001 /* a rank test that cannot get below asks for complete separation */

/* A part with its extremes pulled in: a tenth at either end is as the next one. */
struct part {
    double values[CB_LEVEL_MOST]; /* in their order */
    size_t n;
    double kept; /* how many are as they were */
    double mean; /* of these */
    double squares,
        products; /* of the distances from the mean of all: squared, by their neighbours */
};

static void pull_in(struct part *p, const double *values, size_t n)
{
    double sorted[CB_LEVEL_MOST], sum = 0, mean = 0;
    const size_t cut = n / 10;
    *p = (struct part){.n = n, .kept = (double)(n - 2 * cut)};
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, cb_compare_doubles);
    for (size_t i = cut; i < n - cut; i++)
        sum += sorted[i];
    p->mean = sum / p->kept;
    for (size_t i = 0; i < n; i++) {
        p->values[i] = fmin(fmax(values[i], sorted[cut]), sorted[n - 1 - cut]);
        mean += p->values[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        const double far = p->values[i] - mean;
        p->squares += far * far;
        p->products += i > 0 ? far * (p->values[i - 1] - mean) : 0;
    }
}

/* Values that follow the ones before, by r, are worth as many fewer independent ones. */
static double means_p(const struct part *a, const struct part *b, double r)
{
    const double kept = a->kept + b->kept, difference = fabs(a->mean - b->mean);
    if (kept < 3 || difference == 0)
        return 1;
    const int freedom = (int)fmax(1, floor(kept * (1 - r) / (1 + r)) - 2);
    const double variance =
        (a->squares + b->squares) / (kept - 2) * (1 / a->kept + 1 / b->kept) * (1 + r) / (1 - r);
    return variance > 0 ? cb_student_p(freedom, difference / sqrt(variance)) : 0;
}

/* The least that the rank test can give. */
static double least_ranks_p(size_t n_a, size_t n_b)
{
    return 2 *
           exp(lgamma((double)n_a + 1) + lgamma((double)n_b + 1) - lgamma((double)(n_a + n_b + 1)));
}

double cb_levels_p(const double *a, size_t n_a, const double *b, size_t n_b, double persistence)
{
    struct part first, second;
    pull_in(&first, a, n_a);
    pull_in(&second, b, n_b);
    const double means = means_p(&first, &second, persistence);
    const double ranks = cb_ranks_p(a, n_a, b, n_b), least = least_ranks_p(n_a, n_b);
    if (isnan(ranks))
        return NAN;
    if (least > CAUTION) /* too few values to tell: none may overlap */
        return ranks > 1.5 * least ? 1 : means;
    return fmax(means, ranks);
}

double cb_levels_weak_p(const double *a, size_t n_a, const double *b, size_t n_b)
{
    struct part first, second;
    pull_in(&first, a, n_a);
    pull_in(&second, b, n_b);
    return means_p(&first, &second, 0);
}

void cb_persistence_add(struct cb_persistence *p, const double *values, size_t n)
{
    struct part part;
    for (size_t begin = 0, end; begin < n; begin = end) {
        end = begin + CB_LEVEL_MOST < n ? begin + CB_LEVEL_MOST : n;
        pull_in(&part, &values[begin], end - begin);
        p->squares += part.squares;
        p->products += part.products;
        p->n += part.n;
        p->parts++;
    }
}

double cb_persistence_of(const struct cb_persistence *p)
{
    if (p->squares == 0)
        return 0;
    /* The mean of a part is of the same values, which makes it too small (Marriott and Pope, 1954);
     * and parts that were chosen for their levels have lost some: so a standard error more. */
    const double r = p->products / p->squares, n = (double)p->n;
    const double error = sqrt(fmax(0, 1 - r * r) / n);
    const double likely = r + (1 + 3 * r) * (double)p->parts / n;
    return r < 1.5 * error ? 0 : fmin(MOST_PERSISTENT, likely + error);
}
