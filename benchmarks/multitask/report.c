/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/multitask/report.h"

#include <math.h>
#include <string.h>

#include "apphost/power_meter.h"
#include "benchmarks/multitask/over_pairs.h"
#include "measure/run/column.h"
#include "measure/text/json.h"
#include "measure/text/units.h"
#include "runtime/host/error.h"

static const struct cb_column task_columns[] = {
    {"gather p50", "gather_time", "median", CB_FORM_TIME},
    {"p95", "gather_time", "p95", CB_FORM_TIME},
    {"p99", "gather_time", "p99", CB_FORM_TIME},
    {"task p50", "exec_time", "median", CB_FORM_TIME},
    {"answer p95", "answer_time", "p95", CB_FORM_TIME},
    {"period", "period", "median", CB_FORM_TIME},
    {"in time", "deadlines_met", "mean", CB_FORM_SHARE},
    {"overhead", "overhead", "median", CB_FORM_RATIO},
};

static const struct cb_column overhead_columns[] = {
    {"workgroups", "workers", "median", CB_FORM_COUNT},
    {"cooperative", "app_time_alone", "median", CB_FORM_TIME},
    {"specialised", "specialised_time", "median", CB_FORM_TIME},
    {"portable", "portable_time", "median", CB_FORM_TIME},
    {"coop. : spec.", "overhead_specialised", "median", CB_FORM_RATIO},
    {"coop. : port.", "overhead_portable", "median", CB_FORM_RATIO},
    {"with trace", "overhead_trace", "median", CB_FORM_RATIO},
};

/* What the lines of a table have in common; NULL workload: overhead cases. */
struct topic {
    const cJSON *run;
    const char *device, *app, *input, *workload;
};

static bool is_about(const struct topic *t, const cJSON *item)
{
    const cJSON *params = cb_json_params(item);
    const char *workload = cb_json_text(params, "workload", NULL);
    return strcmp(cb_json_text(item, "bench", ""), "multitask") == 0 &&
           strcmp(cb_json_text(item, "device", ""), t->device) == 0 &&
           (!t->app || strcmp(cb_json_text(params, "app", ""), t->app) == 0) &&
           (!t->input || strcmp(cb_json_text(params, "input", ""), t->input) == 0) &&
           (t->workload ? workload && strcmp(workload, t->workload) == 0 : !workload);
}

static int count(const struct topic *t)
{
    const cJSON *item;
    int n = 0;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(t->run, "cases"))
        n += is_about(t, item);
    return n;
}

static void print_table(FILE *out, const struct topic *t, const char *const heads[2],
                        const struct cb_column *columns, int n_columns)
{
    struct cb_table table;
    const cJSON *item;
    int row = 0;
    if (cb_table_open(1 + count(t), 2 + n_columns, ~3u, &table)) {
        for (int c = 0; c < 2 + n_columns; c++)
            strcpy(cb_table_cell(&table, 0, c), c < 2 ? heads[c] : columns[c - 2].head);
        cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(t->run, "cases")) {
            if (!is_about(t, item))
                continue;
            const cJSON *params = cb_json_params(item);
            row++;
            if (t->workload)
                cb_groups_cell(cb_table_cell(&table, row, 0), NULL, item);
            else
                snprintf(cb_table_cell(&table, row, 0), CB_CELL_BYTES, "%s %s",
                         cb_json_text(params, "app", ""), cb_json_text(params, "input", ""));
            snprintf(cb_table_cell(&table, row, 1), CB_CELL_BYTES, "%s",
                     cb_json_text(params, "barrier", ""));
            for (int c = 0; c < n_columns; c++)
                cb_column_cell(cb_table_cell(&table, row, 2 + c), item, &columns[c]);
        }
        cb_table_print(out, &table);
    }
    cb_table_free(&table);
}

static bool has_power(const struct topic *t)
{
    const cJSON *item;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(t->run, "cases"))
        if (is_about(t, item) && !isnan(cb_json_metric(item, "power", "median")))
            return true;
    return false;
}

/* The tables of the first case of each topic that has not been printed yet. */
static void print_tasks(FILE *out, const cJSON *run, const char *device)
{
    static const char *const heads[] = {"task's workgroups", "barrier"};
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(run, "cases"), *item, *before;
    cJSON_ArrayForEach (item, cases) {
        const cJSON *params = cb_json_params(item);
        struct topic t = {run, device, cb_json_text(params, "app", ""),
                          cb_json_text(params, "input", ""),
                          cb_json_text(params, "workload", NULL)};
        bool known = !t.workload || !is_about(&t, item);
        for (before = cases ? cases->child : NULL; before != item && !known; before = before->next)
            known = is_about(&t, before);
        if (known)
            continue;
        char duration[32], period[32];
        cb_format_time(duration, sizeof duration, cb_json_number(params, "duration_ns"));
        cb_format_time(period, sizeof period, cb_json_number(params, "period_ns"));
        fprintf(out, "\n%s %s beside the workload %s: a task of %s every %s\n\n", t.app, t.input,
                t.workload, duration, period);
        print_table(out, &t, heads, task_columns, (int)CB_COUNTOF(task_columns));
        if (!has_power(&t))
            continue;
        fputs("\nPower of the device\n\n", out);
        print_table(out, &t, heads, cb_power_columns, CB_POWER_COLUMNS);
    }
}

static bool has_cases(const cJSON *run, const char *device)
{
    const cJSON *item;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        if (strcmp(cb_json_text(item, "bench", ""), "multitask") == 0 &&
            strcmp(cb_json_text(item, "device", ""), device) == 0)
            return true;
    return false;
}

void cb_multitask_report(FILE *out, const cJSON *run)
{
    static const char *const heads[] = {"cooperative kernel", "barrier"};
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        const char *id = cb_json_text(device, "id", "");
        struct topic overhead = {run, id, NULL, NULL, NULL};
        if (!has_cases(run, id))
            continue;
        fprintf(out, "\n%s\n", cb_json_text(device, "name", ""));
        print_tasks(out, run, id);
        cb_over_pairs_report(out, run, id);
        if (count(&overhead) == 0)
            continue;
        fputs("\nWithout tasks (Tab. 2): time of a run, ratios\n\n", out);
        print_table(out, &overhead, heads, overhead_columns, (int)CB_COUNTOF(overhead_columns));
    }
}
