/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/compare/many_tests.h"

#include <math.h>
#include <stdlib.h>

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
