/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/history/divisive.h"

#include <math.h>
#include <stdlib.h>

/* Sums of distances: sums[i * (n + 1) + j] is that of all |values[a] - values[b]|, a < i, b < j,
 * for j from i on. */
struct distances {
    double *sums;
    double *within; /* among the first i, which is sums[i * (n + 1) + i] */
    double *pairs;  /* 1 over the ordered pairs of i; 0 of one */
    size_t n;
};

static bool make_room(struct distances *d, size_t n)
{
    const size_t width = n + 1;
    *d = (struct distances){.sums = malloc((width + 2) * width * sizeof *d->sums), .n = n};
    if (!d->sums)
        return false;
    d->within = d->sums + width * width;
    d->pairs = d->within + width;
    for (size_t i = 0; i <= n; i++)
        d->pairs[i] = i < 2 ? 0 : 1 / ((double)i * (double)(i - 1));
    return true;
}

static void sum_distances(struct distances *d, const double *values)
{
    const size_t width = d->n + 1;
    for (size_t j = 0; j <= d->n; j++)
        d->sums[j] = 0;
    for (size_t i = 0; i < d->n; i++) {
        const double *above = &d->sums[i * width];
        double *sums = &d->sums[(i + 1) * width];
        /* Sum of the distances from those before to this one. */
        double row = above[i + 1] - above[i];
        d->within[i] = above[i];
        for (size_t j = i; j < d->n; j++) {
            row += fabs(values[i] - values[j]);
            sums[j + 1] = above[j + 1] + row;
        }
    }
    d->within[d->n] = d->sums[d->n * width + d->n];
}

/* The best end for a split at this place. */
static void try_ends(const struct distances *d, size_t at, size_t least, struct cb_split *best)
{
    const double *sums = &d->sums[at * (d->n + 1)], n = (double)at;
    const double mean_before = sums[at] * d->pairs[at];
    for (size_t end = at + least; end <= d->n; end++) {
        const double across = sums[end] - sums[at], m = (double)(end - at);
        const double mean_after = (d->within[end] - 2 * across - sums[at]) * d->pairs[end - at];
        const double q = (2 * across - n * m * (mean_before + mean_after)) / (n + m);
        if (q > best->energy)
            *best = (struct cb_split){at, end, q};
    }
}

bool cb_divisive_split(const double *values, size_t n, size_t least, struct cb_split *best)
{
    struct distances d;
    if (least < 1 || n < 2 * least || !make_room(&d, n))
        return false;
    sum_distances(&d, values);
    *best = (struct cb_split){.at = least, .end = n, .energy = 0};
    for (size_t at = least; at + least <= n; at++)
        try_ends(&d, at, least, best);
    free(d.sums);
    return true;
}
