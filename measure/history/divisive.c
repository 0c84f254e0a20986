/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/history/divisive.h"

#include <math.h>
#include <stdlib.h>

/* Sums of distances: sums[i * (n + 1) + j] is that of all |values[a] - values[b]|, a < i, b < j. */
struct distances {
    double *sums;
    size_t n;
};

static bool sum_distances(struct distances *d, const double *values, size_t n)
{
    *d = (struct distances){calloc((n + 1) * (n + 1), sizeof *d->sums), n};
    if (!d->sums)
        return false;
    for (size_t i = 0; i < n; i++) {
        double row = 0;
        for (size_t j = 0; j < n; j++) {
            row += fabs(values[i] - values[j]);
            d->sums[(i + 1) * (n + 1) + j + 1] = d->sums[i * (n + 1) + j + 1] + row;
        }
    }
    return true;
}

/* Of all pairs of one in [a, b) and one in [c, d). */
static double between(const struct distances *of, size_t a, size_t b, size_t c, size_t d)
{
    const double *low = &of->sums[a * (of->n + 1)], *high = &of->sums[b * (of->n + 1)];
    return high[d] - high[c] - low[d] + low[c];
}

/* The mean distance of two in [a, b). */
static double among(const struct distances *of, size_t a, size_t b)
{
    const double n = (double)(b - a);
    return n < 2 ? 0 : between(of, a, b, a, b) / (n * (n - 1));
}

static double energy(const struct distances *d, size_t at, size_t end)
{
    const double before = (double)at, after = (double)(end - at);
    return before * after / (before + after) *
           (2 * between(d, 0, at, at, end) / (before * after) - among(d, 0, at) -
            among(d, at, end));
}

bool cb_divisive_split(const double *values, size_t n, size_t least, struct cb_split *best)
{
    struct distances d;
    if (least < 1 || n < 2 * least || !sum_distances(&d, values, n))
        return false;
    *best = (struct cb_split){.at = least, .end = n, .energy = 0};
    for (size_t at = least; at + least <= n; at++)
        for (size_t end = at + least; end <= n; end++) {
            const double q = energy(&d, at, end);
            if (q > best->energy)
                *best = (struct cb_split){at, end, q};
        }
    free(d.sums);
    return true;
}
