/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/preempt/report.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "apps/host/power_meter.h"
#include "measure/text/json.h"
#include "measure/text/units.h"
#include "probes/preempt/beside.h"
#include "probes/preempt/hybrid/hybrid.h"
#include "probes/preempt/table3.h"
#include "runtime/host/error.h"

static void place_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    bool queue = strcmp(cb_row_text(row, "place"), "queue") == 0;
    strcpy(cell, queue ? "second queue" : "other process");
}

#define TASKS                                                                                      \
    {.head = "tasks from", .fill = place_cell, .left = true},                                      \
    {                                                                                              \
        .head = "task's workgroups", .fill = cb_groups_cell, .left = true                          \
    }

static const struct cb_column columns[] = {
    TASKS,
    {"overhead", "overhead", "median", CB_FORM_RATIO},
    {"answer p50", "answer_time", "median", CB_FORM_TIME},
    {"p95", "answer_time", "p95", CB_FORM_TIME},
    {"start delay", "start_delay", "median", CB_FORM_TIME},
    {"task p50", "exec_time", "median", CB_FORM_TIME},
    {"slices", "slices", "median", CB_FORM_COUNT},
    {"away", "away_time", "median", CB_FORM_TIME},
    {"period", "period", "median", CB_FORM_TIME},
    {"in time", "deadlines_met", "mean", CB_FORM_SHARE},
    {"app's kernel", "launch_time", "median", CB_FORM_TIME},
};

static const struct cb_column power_columns[] = {TASKS, CB_POWER_COLUMNS};

/* The tables of an app and a workload. */
static void print_workload(FILE *out, struct cb_rows rows, const cJSON *first)
{
    char duration[32], period[32];
    const double duration_ns = cb_row_number(first, "duration_ns"); /* NaN: a user's */
    cb_rows_like(&rows, first, "app");
    cb_rows_like(&rows, first, "input");
    cb_rows_like(&rows, first, "variant");
    cb_rows_like(&rows, first, "workload");
    cb_rows_lack(&rows, "hybrid");
    cb_format_time(duration, sizeof duration, duration_ns);
    cb_format_time(period, sizeof period, cb_row_number(first, "period_ns"));
    const char *variant = cb_row_text(first, "variant");
    fprintf(out, "\n%s %s%s%s, without cooperation, beside the %s %s: a task%s%s every %s\n\n",
            cb_row_text(first, "app"), cb_row_text(first, "input"), *variant ? ", variant " : "",
            variant, duration_ns > 0 ? "workload" : "task", cb_row_text(first, "workload"),
            duration_ns > 0 ? " of " : "", duration_ns > 0 ? duration : "", period);
    cb_rows_print(out, &rows, columns, (int)CB_COUNTOF(columns));
    cb_power_print(out, &rows, power_columns, (int)CB_COUNTOF(power_columns));
    cb_rows_print_notes(out, &rows, NULL);
}

static void print_device(FILE *out, const cJSON *run, const cJSON *device)
{
    static const char *const workload[] = {"app", "input", "variant", "workload", NULL};
    const struct cb_rows all = {
        .run = run, .bench = "preempt", .device = cb_json_text(device, "id", "")};
    const cJSON **firsts;
    struct cb_rows tasks = all;
    cb_rows_have(&tasks, "workload");
    cb_rows_lack(&tasks, "hybrid");
    int n = cb_rows_distinct(&tasks, workload, &firsts);
    if (cb_rows_next(&all, NULL))
        fprintf(out, "\n%s\n", cb_json_text(device, "name", ""));
    for (int i = 0; i < n; i++)
        print_workload(out, all, firsts[i]);
    free(firsts);
    cb_beside_report(out, &all);
    cb_hybrid_report(out, &all);
    cb_tab3_report(out, run, all.device);
}

void cb_preempt_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices"))
        print_device(out, run, device);
}
