/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/history/speed.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/compare/core_speed.h"
#include "measure/stats.h"

/* Adds where levels begin. False: no memory. */
static bool add_begins(const double *series, size_t n, const struct cb_change_rules *rules,
                       bool *begins)
{
    struct cb_change_point *points = malloc((n + 1) * sizeof *points);
    const long found = points ? cb_change_points(series, n, rules, points) : -1;
    for (long i = 0; i < found; i++)
        begins[points[i].at] = true;
    free(points);
    return found >= 0;
}

/* Levels has room for n. Returns how many there are. */
static int cut(const struct cb_rounds *all, const bool *begins, struct cb_rounds *levels)
{
    int count = 0;
    for (size_t i = 0; i < all->n; i++) {
        if (i == 0 || begins[i])
            levels[count++] =
                (struct cb_rounds){.values = &all->values[i], .speeds = &all->speeds[i]};
        levels[count - 1].n++;
    }
    return count;
}

/* NaN: no memory. */
static double slope_of(const struct cb_rounds *all, enum cb_better better,
                       const struct cb_change_rules *rules)
{
    bool *begins = calloc(all->n + 1, sizeof *begins);
    struct cb_rounds *levels = malloc((all->n + 1) * sizeof *levels);
    double slope = NAN;
    if (begins && levels && add_begins(all->values, all->n, rules, begins) &&
        add_begins(all->speeds, all->n, rules, begins))
        slope = cb_rounds_slope(levels, cut(all, begins, levels), better);
    free(levels);
    free(begins);
    return slope;
}

bool cb_series_without_speed(double *values, const double *speeds, size_t n, enum cb_better better,
                             const struct cb_change_rules *rules)
{
    const struct cb_rounds all = {.values = values, .n = n, .speeds = speeds};
    if (!cb_rounds_adjustable(&all))
        return true;
    const double slope = slope_of(&all, better, rules), usual = cb_stats_of(speeds, n).median;
    for (size_t i = 0; i < n && slope != 0 && isfinite(slope); i++)
        values[i] *= pow(speeds[i] / usual, -slope);
    return !isnan(slope);
}
