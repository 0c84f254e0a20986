/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/many_tests.h"

#include <math.h>
#include <stdlib.h>

static int by_p(const void *a, const void *b)
{
    double x = **(double *const *)a, y = **(double *const *)b;
    return (x > y) - (x < y);
}

/* Where each p is, the smallest first; to be freed. NULL: no memory. */
static double **order_of(double *p, size_t n)
{
    double **order = malloc((n + 1) * sizeof *order);
    for (size_t i = 0; order && i < n; i++)
        order[i] = &p[i];
    if (order)
        qsort(order, n, sizeof *order, by_p);
    return order;
}

int cb_adjust_p(double *p, size_t n)
{
    double **order = order_of(p, n), least = 1;
    if (!order)
        return -1;
    for (size_t i = n; i-- > 0;) {
        least = fmin(least, *order[i] * (double)n / (double)(i + 1));
        *order[i] = least;
    }
    free(order);
    return 0;
}

int cb_adjust_p_holm(double *p, size_t n)
{
    double **order = order_of(p, n), most = 0;
    if (!order)
        return -1;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fmin(1, *order[i] * (double)(n - i)));
        *order[i] = most;
    }
    free(order);
    return 0;
}
