/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/compare/rank_test.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define MAX_EXACT 25 /* counts of orders, (50 over 25) at most, are exact in a double */

struct ranked {
    double value;
    bool first; /* of the first group */
};

static int by_value(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;
    return (x > y) - (x < y);
}

void cb_rank_table_free(struct cb_rank_table *table)
{
    free(table->at_most);
    *table = (struct cb_rank_table){0};
}

/* Numbers of orders of n and m values by their U: the coefficients of the Gaussian binomial
 * (n + m over n), the product over i <= n of (1 - q^(m + i)) / (1 - q^i). */
static void count_orders(double *counts, size_t n, size_t m)
{
    size_t top = n * m;
    for (size_t u = 0; u <= top; u++)
        counts[u] = u == 0;
    for (size_t i = 1; i <= n; i++) {
        for (size_t u = top + 1; u-- > m + i;)
            counts[u] -= counts[u - m - i];
        for (size_t u = i; u <= top; u++)
            counts[u] += counts[u - i];
    }
}

static bool fill_table(struct cb_rank_table *table, size_t n, size_t m)
{
    if (table->at_most && table->n == n && table->m == m)
        return true;
    cb_rank_table_free(table);
    double *p = table->at_most = malloc((n * m + 1) * sizeof *p);
    if (!p)
        return false;
    table->n = n;
    table->m = m;
    count_orders(p, n, m);
    for (size_t u = 1; u <= n * m; u++)
        p[u] += p[u - 1];
    for (size_t u = 0; u <= n * m; u++)
        p[u] /= p[n * m];
    return true;
}

/* Sum of the ranks of the first group (equal values share their mean rank); *ties: the sum of
 * t^3 - t over groups of t equal values. */
static double rank_sum(struct ranked *all, size_t n, double *ties)
{
    double sum = 0;
    *ties = 0;
    qsort(all, n, sizeof *all, by_value);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && all[end].value == all[i].value;)
            end++;
        double t = (double)(end - i), rank = (double)(i + 1 + end) / 2;
        *ties += t * t * t - t;
        for (size_t k = i; k < end; k++)
            sum += all[k].first ? rank : 0;
    }
    return sum;
}

static double normal_p(double u, double n, double m, double ties)
{
    double all = n + m, variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)));
    double distance = fabs(u - n * m / 2) - 0.5;
    if (!(variance > 0) || distance <= 0)
        return 1;
    return erfc(distance / sqrt(2 * variance));
}

double cb_rank_test(const double *a, size_t n, const double *b, size_t m,
                    struct cb_rank_table *table)
{
    struct ranked *all = n && m ? malloc((n + m) * sizeof *all) : NULL;
    if (!all)
        return NAN;
    for (size_t i = 0; i < n + m; i++)
        all[i] = (struct ranked){i < n ? a[i] : b[i - n], i < n};
    double ties, u = rank_sum(all, n + m, &ties) - (double)n * (double)(n + 1) / 2;
    free(all);
    if (ties > 0 || n > MAX_EXACT || m > MAX_EXACT)
        return normal_p(u, (double)n, (double)m, ties);
    if (!fill_table(table, n, m))
        return NAN;
    size_t least = (size_t)fmin(u, (double)(n * m) - u);
    return fmin(1, 2 * table->at_most[least]);
}

double cb_rank_test_least(size_t n, size_t m)
{
    return 2 * exp(lgamma((double)n + 1) + lgamma((double)m + 1) - lgamma((double)(n + m) + 1));
}

/* ---- Many tests ------------------------------------------------------------------------------ */

static int by_p(const void *a, const void *b)
{
    double x = **(double *const *)a, y = **(double *const *)b;
    return (x > y) - (x < y);
}

int cb_adjust_p(double *p, size_t n)
{
    double **order = malloc((n + 1) * sizeof *order), least = 1;
    if (!order)
        return -1;
    for (size_t i = 0; i < n; i++)
        order[i] = &p[i];
    qsort(order, n, sizeof *order, by_p);
    for (size_t i = n; i-- > 0;) {
        least = fmin(least, *order[i] * (double)n / (double)(i + 1));
        *order[i] = least;
    }
    free(order);
    return 0;
}
