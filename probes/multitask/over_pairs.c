/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/over_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "analysis/documents/row_json.h"
#include "apps/host/workload.h"
#include "measure/text/json.h"
#include "probes/multitask/names.h"
#include "runtime/host/error.h"

/* ---- Rows ------------------------------------------------------------------------------------ */

static bool has_barriers(const cJSON *row)
{
    return strcmp(cb_row_text(row, "barrier"), "none") != 0;
}

static void add_metric(cJSON *metrics, const char *name, const struct cb_stats *stats)
{
    cJSON *metric = cJSON_CreateObject();
    cJSON_AddStringToObject(metric, "name", name);
    cb_stats_to_json(metric, stats);
    cJSON_AddItemToArray(metrics, metric);
}

/* The row that stands for these, which have the tasks of the first one. */
static cJSON *row_of(const char *device_id, const cJSON *first, const cJSON *const *rows, int n)
{
    static const struct {
        const char *name, *metric, *statistic;
    } metrics[] = {
        {"overhead", "overhead", "median"},         {"period", "period", "median"},
        {"deadlines_met", "deadlines_met", "mean"}, {"gather_p50", "gather_time", "median"},
        {"gather_p99", "gather_time", "p99"},       {"task_groups", "task_groups", "median"},
    };
    static const char *const tasks[] = {"workload", "task",      "groups",
                                        "barrier",  "period_ns", "duration_ns"};
    const double pairs = n;
    const struct cb_stats count = cb_stats_of(&pairs, 1);
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "bench", CB_OVER_PAIRS);
    cJSON_AddStringToObject(row, "device", device_id);
    cJSON_AddStringToObject(row, "status", "ok");
    cJSON *params = cJSON_AddObjectToObject(row, "params");
    cJSON *list = cJSON_AddArrayToObject(row, "metrics");
    for (size_t i = 0; i < CB_COUNTOF(tasks); i++)
        cJSON_AddItemToObject(
            params, tasks[i],
            cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(cb_json_params(first), tasks[i]),
                            true));
    add_metric(list, "pairs", &count);
    for (size_t i = 0; i < CB_COUNTOF(metrics); i++) {
        const struct cb_stats stats =
            cb_rows_stats(rows, n, metrics[i].metric, metrics[i].statistic);
        add_metric(list, metrics[i].name, &stats);
    }
    return row;
}

/* The pairs that a row stands for: with its tasks, and its barrier or none. */
static int list_pairs(struct cb_rows rows, const cJSON *first, const cJSON ***list)
{
    const char *barrier = cb_row_text(first, "barrier");
    cb_rows_like(&rows, first, "workload");
    cb_rows_like(&rows, first, "task");
    cb_rows_like(&rows, first, "groups");
    int n = cb_rows_list(&rows, list), kept = 0;
    for (int i = 0; i < n; i++)
        if (!has_barriers((*list)[i]) || strcmp(cb_row_text((*list)[i], "barrier"), barrier) == 0)
            (*list)[kept++] = (*list)[i];
    return kept;
}

/* Without a barrier in any of them, there is a row for "none". */
static void add_rows(cJSON *cases, const struct cb_rows *rows)
{
    static const char *const tasks[] = {"workload", "task", "groups", "barrier", NULL};
    const cJSON **firsts, **pairs;
    int n = cb_rows_distinct(rows, tasks, &firsts);
    bool barriers = false;
    for (int i = 0; i < n; i++)
        barriers = barriers || has_barriers(firsts[i]);
    for (int i = 0; i < n; i++) {
        if (barriers && !has_barriers(firsts[i]))
            continue;
        int n_pairs = list_pairs(*rows, firsts[i], &pairs);
        cJSON_AddItemToArray(cases, row_of(rows->device, firsts[i], pairs, n_pairs));
        free(pairs);
    }
    free(firsts);
}

void cb_multitask_one_system(struct cb_rows *rows)
{
    static const char *const differ[] = {"variant", "semantics"};
    for (size_t i = 0; i < sizeof differ / sizeof *differ; i++) {
        struct cb_rows usual = *rows;
        cb_rows_lack(&usual, differ[i]);
        if (cb_rows_next(&usual, NULL))
            *rows = usual;
    }
}

cJSON *cb_over_pairs_of(const struct cb_rows *all)
{
    static const char *const pair[] = {"app", "input_name", NULL};
    struct cb_rows rows = *all;
    cJSON *document = cJSON_CreateObject(), *cases = cJSON_AddArrayToObject(document, "cases");
    const cJSON **firsts;
    rows.ok = true;
    cb_multitask_one_system(&rows);
    cb_rows_have(&rows, "workload");
    cb_rows_have(&rows, "input_name");
    if (cb_rows_distinct(&rows, pair, &firsts) > 1)
        add_rows(cases, &rows);
    free(firsts);
    return document;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void tasks_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    cb_multitask_name(row, cell);
}

static const struct cb_column columns[] = {
    {.head = "workload", .fill = tasks_cell, .left = true},
    {.head = "task's workgroups", .param = "groups"},
    {.head = "barrier", .param = "barrier"},
    {"pairs", "pairs", "median", CB_FORM_COUNT},
    {"overhead", "overhead", "median", CB_FORM_RATIO},
    {"worst", "overhead", "max", CB_FORM_RATIO},
    {"in time", "deadlines_met", "median", CB_FORM_SHARE},
    {"worst", "deadlines_met", "min", CB_FORM_SHARE},
    {"period", "period", "median", CB_FORM_TIME},
    {"gather p50", "gather_p50", "median", CB_FORM_TIME},
    {"p99", "gather_p99", "median", CB_FORM_TIME},
    {"worst p99", "gather_p99", "max", CB_FORM_TIME},
};

/* The row of the same workload and barrier with the fewest workgroups that meets the deadline with
 * half of the pairs. NULL: none does. */
static const cJSON *fewest(struct cb_rows rows, const cJSON *like)
{
    const cJSON *best = NULL;
    cb_rows_like(&rows, like, "workload");
    cb_rows_like(&rows, like, "task");
    cb_rows_like(&rows, like, "barrier");
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row))
        if (cb_json_metric(row, "deadlines_met", "median") >= CB_DEADLINE_MET &&
            (!best || cb_json_metric(row, "task_groups", "median") <
                          cb_json_metric(best, "task_groups", "median")))
            best = row;
    return best;
}

static void model_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    double period_ns = cb_row_number(row, "period_ns");
    (void)rows;
    cb_form_cell(cell, period_ns / (period_ns - cb_row_number(row, "duration_ns")), CB_FORM_RATIO);
}

static void cost_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    cb_form_cell(cell, cb_json_metric(fewest(*rows, row), "overhead", "median"), CB_FORM_RATIO);
}

static void fewest_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    const cJSON *best = fewest(*rows, row);
    snprintf(cell, CB_CELL_BYTES, "%s", best ? cb_row_text(best, "groups") : "-");
}

static const struct cb_column tab3_columns[] = {
    {.head = "workload", .fill = tasks_cell, .left = true},
    {.head = "barrier", .param = "barrier"},
    {.head = "kernel-level P/(P-D)", .fill = model_cell},
    {.head = "cooperative", .fill = cost_cell},
    {.head = "task's workgroups", .fill = fewest_cell, .left = true},
};

static void print_tab3(FILE *out, const struct cb_rows *rows)
{
    static const char *const params[] = {"workload", "task", "barrier", NULL};
    const cJSON **firsts;
    int n = cb_rows_distinct(rows, params, &firsts);
    fputs("\nOverhead of preempting whole kernels (a model) and of cooperative ones (median over "
          "the pairs), with the\nfewest workgroups that meet the deadline (Tab. 3)\n\n",
          out);
    cb_rows_print_list(out, rows, firsts, n, tab3_columns, (int)CB_COUNTOF(tab3_columns));
    free(firsts);
}

void cb_over_pairs_report(FILE *out, const struct cb_rows *all)
{
    cJSON *document = cb_over_pairs_of(all);
    const struct cb_rows rows = {.run = document, .bench = CB_OVER_PAIRS};
    if (cb_rows_next(&rows, NULL)) {
        fputs("\nMedians over all pairs of an app and an input, and the worst of them (Fig. 6); "
              "pairs without resizing\nbarriers belong to each barrier\n\n",
              out);
        cb_rows_print(out, &rows, columns, (int)CB_COUNTOF(columns));
        print_tab3(out, &rows);
    }
    cJSON_Delete(document);
}
