/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/litmus/outcomes.h"

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

const cJSON *cb_litmus_row_with_order(const cJSON *run, const cJSON *row, int order)
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
    const cJSON *mutant = cb_litmus_row_with_order(run, row, CB_LITMUS_RELAXED);
    struct cb_litmus_tally relaxed = cb_litmus_tally_of(mutant);
    return cb_litmus_missed(relaxed.weak / relaxed.instances, cb_litmus_tally_of(row).instances);
}

struct cb_litmus_score cb_litmus_score_of(const cJSON *run, const char *device)
{
    struct cb_litmus_score score = {0, 0};
    struct cb_rows rows = {.run = run, .bench = "litmus", .device = device, .ok = true};
    cb_rows_is(&rows, "ordering", cb_litmus_order_name(CB_LITMUS_RELAXED));
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        const struct cb_litmus_test *test;
        int order;
        if (!cb_litmus_row_is_known(row, &test, &order) || !cb_litmus_is_mutant(test))
            continue;
        score.mutants++;
        score.seen += cb_litmus_tally_of(row).weak > 0;
    }
    return score;
}
