/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/litmus/outcomes.h"

#include <math.h>

#include "measure/text/json.h"

struct cb_litmus_tally cb_litmus_tally_of(const cJSON *row)
{
    struct cb_litmus_tally tally = {
        cb_json_metric(row, "instances", "mean") * cb_json_metric(row, "instances", "n"),
        cb_json_metric(row, "weak", "mean") * cb_json_metric(row, "weak", "n")};
    tally.weak = round(tally.weak); /* a mean has lost some digits */
    tally.instances = round(tally.instances);
    return tally;
}

bool cb_litmus_has_launches(const cJSON *row)
{
    return !isnan(cb_json_metric(row, "weak_launches", "mean"));
}

/* The least number of n samples that are not 0, by their statistics: all, if the least is not; else
 * the largest, and as many others as a sum of squares needs for their sum (Cauchy and Schwarz). */
static double weak_samples(const cJSON *row, double n)
{
    const double mean = cb_json_metric(row, "weak", "mean"),
                 max = cb_json_metric(row, "weak", "max"),
                 stddev = n > 1 ? cb_json_metric(row, "weak", "stddev") : 0;
    if (cb_json_metric(row, "weak", "min") > 0)
        return n;
    const double others = round(mean * n - max),
                 squares = round(stddev * stddev * (n - 1) + mean * mean * n - max * max);
    return others == 0 ? max > 0 : 1 + ceil(others * others / squares);
}

struct cb_litmus_units cb_litmus_units_of(const cJSON *row, bool launches)
{
    const double n = cb_json_metric(row, "weak", "n");
    if (!launches)
        return (struct cb_litmus_units){n, weak_samples(row, n)};
    return (struct cb_litmus_units){round(cb_json_metric(row, "launches", "mean") * n),
                                    round(cb_json_metric(row, "weak_launches", "mean") * n)};
}

/* The ok row of the same test and scope with this order; NULL: there is none. */
static const cJSON *row_with_order(const cJSON *run, const cJSON *row, int order)
{
    struct cb_rows rows = {
        .run = run, .bench = "litmus", .device = cb_json_text(row, "device", ""), .ok = true};
    cb_rows_like(&rows, row, "test");
    cb_rows_like(&rows, row, "scope");
    cb_rows_is(&rows, "ordering", cb_litmus_order_name(order));
    return cb_rows_next(&rows, NULL);
}

bool cb_litmus_row_is_known(const cJSON *row, const struct cb_litmus_test **test, int *order)
{
    *test = cb_litmus_test_named(cb_row_text(row, "test"));
    *order = cb_litmus_order_named(cb_row_text(row, "ordering"));
    return *test && *order >= 0;
}

double cb_litmus_missed_by(const cJSON *run, const cJSON *row)
{
    const struct cb_litmus_test *test;
    int order;
    if (!cb_litmus_row_is_known(row, &test, &order) || cb_litmus_allows(test, order) ||
        !cb_litmus_is_mutant(test))
        return NAN;
    const cJSON *mutant = row_with_order(run, row, CB_LITMUS_RELAXED);
    const bool launches = cb_litmus_has_launches(row) && cb_litmus_has_launches(mutant);
    return cb_litmus_missed(cb_litmus_units_of(mutant, launches),
                            cb_litmus_units_of(row, launches).all);
}

struct cb_litmus_score cb_litmus_score_of(const cJSON *run, const char *device)
{
    struct cb_litmus_score score = {0, 0, NULL, 0};
    struct cb_rows rows = {.run = run, .bench = "litmus", .device = device, .ok = true};
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        const struct cb_litmus_test *test;
        int order;
        const double missed = cb_litmus_missed_by(run, row);
        if (missed > score.missed || (!score.worst && !isnan(missed))) {
            score.worst = row;
            score.missed = missed;
        }
        if (!cb_litmus_row_is_known(row, &test, &order) || order != CB_LITMUS_RELAXED ||
            !cb_litmus_is_mutant(test))
            continue;
        score.mutants++;
        score.seen += cb_litmus_tally_of(row).weak > 0;
    }
    return score;
}
