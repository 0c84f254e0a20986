/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/history/ranks.h"

#include <math.h>
#include <stdlib.h>

/* Of how many pairs the first is the larger one: twice, as ties count half. */
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

double cb_ranks_p(const double *a, size_t n_a, const double *b, size_t n_b)
{
    const size_t twice = twice_larger(a, n_a, b, n_b), pairs = n_a * n_b;
    const size_t lower = twice < 2 * pairs - twice ? twice : 2 * pairs - twice;
    const size_t most = (lower + 1) / 2;
    double *counts = malloc((most + 1) * sizeof *counts), sum = 0;
    if (!counts)
        return NAN;
    if (n_a <= n_b)
        count_orders(counts, most, n_a, n_b);
    else
        count_orders(counts, most, n_b, n_a);
    for (size_t u = 0; u <= most; u++)
        sum += counts[u];
    free(counts);
    return fmin(1, 2 * exp(log(sum) - log_orders(n_a, n_b)));
}
