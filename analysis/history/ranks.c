/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/history/ranks.h"

#include <math.h>
#include <stdlib.h>

/* In how many pairs the first is the larger one: twice, as ties count half. */
static size_t twice_larger(const double *a, size_t n_a, const double *b, size_t n_b)
{
    size_t twice = 0;
    for (size_t i = 0; i < n_a; i++)
        for (size_t j = 0; j < n_b; j++)
            twice += a[i] > b[j] ? 2 : a[i] == b[j];
    return twice;
}

/* Into how many orders the values of both can come in which u pairs have the first as the larger
 * one, for u from 0 to `most`: the coefficients of the Gaussian binomial, made factor by factor.
 * Each of its parts is positive and grows up to the middle, so that little is lost. */
static void count_orders(double *counts, size_t most, size_t n_a, size_t n_b)
{
    for (size_t u = 0; u <= most; u++)
        counts[u] = u == 0;
    for (size_t i = 1; i <= n_a; i++) {
        for (size_t u = most; u + 1 > n_b + i; u--)
            counts[u] -= counts[u - n_b - i];
        for (size_t u = i; u <= most; u++)
            counts[u] += counts[u - i];
    }
}

static double log_orders(size_t n_a, size_t n_b)
{
    return lgamma((double)(n_a + n_b + 1)) - lgamma((double)n_a + 1) - lgamma((double)n_b + 1);
}

/* How many of the orders have at most u such pairs, for u up to the middle: made once for each size
 * of the two. NULL: no memory. */
static const double *orders_up_to(size_t n_a, size_t n_b)
{
    static double *made[CB_RANKS_MOST + 1][CB_RANKS_MOST + 1];
    double **sums = &made[n_a][n_b];
    const size_t most = (n_a * n_b + 1) / 2;
    if (*sums || !(*sums = malloc((most + 1) * sizeof **sums)))
        return *sums;
    count_orders(*sums, most, n_a, n_b);
    for (size_t u = 1; u <= most; u++)
        (*sums)[u] += (*sums)[u - 1];
    return *sums;
}

double cb_ranks_p(const double *a, size_t n_a, const double *b, size_t n_b)
{
    const size_t twice = twice_larger(a, n_a, b, n_b), pairs = n_a * n_b;
    const size_t lower = twice < 2 * pairs - twice ? twice : 2 * pairs - twice;
    const double *sums = n_a <= n_b ? orders_up_to(n_a, n_b) : orders_up_to(n_b, n_a);
    return sums ? fmin(1, 2 * exp(log(sums[(lower + 1) / 2]) - log_orders(n_a, n_b))) : NAN;
}
