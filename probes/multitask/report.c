/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "apps/host/power_meter.h"
#include "apps/host/setup.h"
#include "measure/text/json.h"
#include "measure/text/units.h"
#include "probes/multitask/names.h"
#include "probes/multitask/over_pairs.h"
#include "probes/multitask/together/together.h"
#include "runtime/host/error.h"

#define TASKS                                                                                      \
    {.head = "task's workgroups", .fill = cb_groups_cell, .left = true},                           \
    {                                                                                              \
        .head = "barrier", .fill = barrier_cell, .left = true                                      \
    }

/* "atomic"; "atomic, some" with other semantics than the paper's. */
static void barrier_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    const char *semantics = cb_row_text(row, "semantics");
    (void)rows;
    snprintf(cell, CB_CELL_BYTES, "%s%s%s", cb_row_text(row, "barrier"), *semantics ? ", " : "",
             semantics);
}

static const struct cb_column task_columns[] = {
    TASKS,
    {"gather p50", "gather_time", "median", CB_FORM_TIME},
    {"p95", "gather_time", "p95", CB_FORM_TIME},
    {"p99", "gather_time", "p99", CB_FORM_TIME},
    {"task p50", "exec_time", "median", CB_FORM_TIME},
    {"answer p95", "answer_time", "p95", CB_FORM_TIME},
    {"period", "period", "median", CB_FORM_TIME},
    {"in time", "deadlines_met", "mean", CB_FORM_SHARE},
    {"overhead", "overhead", "median", CB_FORM_RATIO},
};

static const struct cb_column power_columns[] = {TASKS, CB_POWER_COLUMNS};

static void kernel_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    snprintf(cell, CB_CELL_BYTES, "%s %s", cb_row_text(row, "app"), cb_row_text(row, "input"));
}

static const struct cb_column overhead_columns[] = {
    {.head = "cooperative kernel", .fill = kernel_cell, .left = true},
    {.head = "barrier", .fill = barrier_cell, .left = true},
    {"workgroups", "workers", "median", CB_FORM_COUNT},
    {"cooperative", "app_time_alone", "median", CB_FORM_TIME},
    {"specialised", "specialised_time", "median", CB_FORM_TIME},
    {"portable", "portable_time", "median", CB_FORM_TIME},
    {"coop. : spec.", "overhead_specialised", "median", CB_FORM_RATIO},
    {"coop. : port.", "overhead_portable", "median", CB_FORM_RATIO},
    {"with trace", "overhead_trace", "median", CB_FORM_RATIO},
};

/* " of 3 ms", of a user's " (3 ms as a launch of its own, 100 % in time)", if that is known. */
#define FORMAT_TASK 96
static void format_task(const cJSON *row, char text[FORMAT_TASK])
{
    double met = cb_json_metric(row, "deadlines_met_alone", "mean");
    double duration_ns = cb_row_number(row, "duration_ns"); /* NaN: a user's */
    double launch_ns = cb_json_metric(row, "launch_time", "median");
    char time[32];
    cb_format_time(time, sizeof time, duration_ns > 0 ? duration_ns : launch_ns);
    *text = '\0';
    if (duration_ns > 0)
        snprintf(text, FORMAT_TASK, " of %s", time);
    else if (launch_ns > 0 && met >= 0)
        snprintf(text, FORMAT_TASK, " (%s as a launch of its own, %d %% in time)", time,
                 cb_whole_percent(met));
    else if (launch_ns > 0)
        snprintf(text, FORMAT_TASK, " (%s as a launch of its own)", time);
}

/* The tables of an app and a workload. */
static void print_workload(FILE *out, struct cb_rows rows, const cJSON *first)
{
    char task[FORMAT_TASK], name[CB_MULTITASK_NAME], every[CB_MULTITASK_EVERY];
    cb_rows_like(&rows, first, "app");
    cb_rows_like(&rows, first, "input");
    cb_rows_like(&rows, first, "workload");
    cb_rows_like(&rows, first, "task");
    cb_rows_like(&rows, first, "beside");
    format_task(first, task);
    cb_multitask_every(first, every);
    const char *other = cb_row_text(first, "beside");
    fprintf(out, "\n%s %s%s%s beside the %s %s: a task%s %s\n\n", cb_row_text(first, "app"),
            cb_row_text(first, "input"), *other ? " and " : "", other,
            cb_row_number(first, "duration_ns") > 0 ? "workload" : "task",
            cb_multitask_name(first, name), task, every);
    cb_rows_print(out, &rows, task_columns, (int)CB_COUNTOF(task_columns));
    cb_power_print(out, &rows, power_columns, (int)CB_COUNTOF(power_columns));
}

static void print_variant(FILE *out, const struct cb_rows *all)
{
    static const char *const workload[] = {"app", "input", "beside", "workload", "task", NULL};
    struct cb_rows tasks = *all, overhead = *all;
    const cJSON **firsts;
    cb_rows_have(&tasks, "workload");
    cb_rows_lack(&overhead, "workload");
    cb_rows_lack(&overhead, "policy");
    int n = cb_rows_distinct(&tasks, workload, &firsts);
    for (int i = 0; i < n; i++)
        print_workload(out, tasks, firsts[i]);
    free(firsts);
    cb_over_pairs_report(out, all);
    cb_together_report(out, all);
    if (!cb_rows_next(&overhead, NULL))
        return;
    fputs("\nWithout tasks (Tab. 2): time of a run; ratios of pairs of runs, so not always of "
          "these times\n\n",
          out);
    cb_rows_print(out, &overhead, overhead_columns, (int)CB_COUNTOF(overhead_columns));
}

static void print_device(FILE *out, const struct cb_rows *all)
{
    static const char *const variant[] = {"variant", NULL};
    const cJSON **firsts;
    int n = cb_rows_distinct(all, variant, &firsts);
    for (int i = 0; i < n; i++) {
        struct cb_rows rows = *all;
        cb_rows_like(&rows, firsts[i], "variant");
        if (n > 1)
            fprintf(out, "\n%s\n",
                    *cb_row_text(firsts[i], "variant") ? "The apps as the authors' programs are"
                                                       : "Our apps");
        print_variant(out, &rows);
    }
    free(firsts);
}

void cb_multitask_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        const struct cb_rows all = {
            .run = run, .bench = "multitask", .device = cb_json_text(device, "id", "")};
        if (!cb_rows_next(&all, NULL))
            continue;
        fprintf(out, "\n%s\n", cb_json_text(device, "name", ""));
        print_device(out, &all);
    }
}
