/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/fleet/outliers.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/compare/student.h"
#include "measure/stats.h"

struct work {
    const double *values, *errors;
    size_t n, left; /* values that are not set aside */
    double least;
    bool *aside;
};

static double square(double x)
{
    return x * x;
}

static double error_of(const struct work *w, size_t i)
{
    return isfinite(w->errors[i]) ? w->errors[i] : 0;
}

/* How far value i is from the mean of the others that are left, in standard deviations of such a
 * distance. That of the values themselves holds what one of them may be off; where the spread is
 * small by chance, the errors tell more. */
static double distance(const struct work *w, size_t i)
{
    const double others = (double)w->left - 1;
    double mean = 0, squares = 0, errors = 0;
    for (size_t k = 0; k < w->n; k++)
        if (k != i && !w->aside[k])
            mean += w->values[k] / others;
    for (size_t k = 0; k < w->n; k++) {
        if (k == i || w->aside[k])
            continue;
        squares += square(w->values[k] - mean);
        errors += square(error_of(w, k)) / others;
    }
    const double spread = fmax(squares / (others - 1), square(w->least)) * (1 + 1 / others);
    const double noise = square(error_of(w, i)) + errors / others;
    const double far = fabs(w->values[i] - mean), by = sqrt(fmax(spread, noise));
    return far == 0 ? 0 : far / by;
}

/* Sets the farthest aside. Returns which it is; its p without correction. */
static size_t set_aside(struct work *w, double *p)
{
    size_t farthest = 0;
    double most = -1;
    for (size_t i = 0; i < w->n; i++) {
        const double far = w->aside[i] ? -1 : distance(w, i);
        if (far > most) {
            most = far;
            farthest = i;
        }
    }
    *p = most > 0 ? cb_student_p((int)w->left - 2, most) : 1;
    w->aside[farthest] = true;
    w->left--;
    return farthest;
}

/* Those that were set aside before the last one that strays do so, too. So there are several tests
 * of which one is enough: for all of them, twice the p of one is enough (tests/unit/test_fleet.c).
 */
static void judge(struct work *w, size_t *order, struct cb_outlier *found)
{
    const size_t most = (w->n - 3) / 2;
    double least = 1;
    for (size_t i = 0; i < most; i++) {
        double p;
        order[i] = set_aside(w, &p);
        found[order[i]].p = fmin(1, most > 1 ? 2 * p : p);
    }
    for (size_t i = most; i-- > 0;) {
        least = fmin(least, found[order[i]].p);
        found[order[i]].p = least;
    }
}

bool cb_outliers_find(const double *values, const double *errors, size_t n, double least,
                      struct cb_outlier *found)
{
    struct work w = {values, errors, n, n, least, calloc(n + 1, sizeof *w.aside)};
    size_t *order = calloc(n + 1, sizeof *order);
    const bool done = w.aside && order;
    if (done && n > 0) {
        const struct cb_stats of = cb_stats_of(values, n);
        const double by = fmax(CB_MAD_TO_SD * of.mad, least);
        for (size_t i = 0; i < n; i++)
            found[i] = (struct cb_outlier){by > 0 ? (values[i] - of.median) / by : 0,
                                           n < CB_OUTLIERS_LEAST ? NAN : 1};
    }
    if (done && n >= CB_OUTLIERS_LEAST)
        judge(&w, order, found);
    free(order);
    free(w.aside);
    return done;
}
