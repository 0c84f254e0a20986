/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/throttle/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "measure/text/json.h"
#include "runtime/host/error.h"

/* The rows of the schedule of a row's app, on its device. */
static struct cb_rows schedule_of(const cJSON *run, const cJSON *row)
{
    struct cb_rows rows = {
        .run = run, .bench = "throttle", .device = cb_json_text(row, "device", "")};
    cb_rows_like(&rows, row, "app");
    cb_rows_lack(&rows, "power-cap");
    return rows;
}

double cb_throttle_full_progress(const cJSON *run, const cJSON *row)
{
    const struct cb_rows rows = schedule_of(run, row);
    double most = 0, full = NAN;
    for (row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        double active = cb_json_metric(row, "active", "median");
        if (active > most) {
            most = active;
            full = cb_json_metric(row, "progress", "median");
        }
    }
    return full;
}

/* ---- Columns --------------------------------------------------------------------------------- */

/* "N/2 = 65" */
static void groups_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    const char *groups = cb_row_text(row, "groups");
    double n = cb_json_metric(row, "active", "median");
    (void)rows;
    if (strchr(groups, 'N') && n > 0)
        snprintf(cell, CB_CELL_BYTES, "%.40s = %.0f", groups, n);
    else
        snprintf(cell, CB_CELL_BYTES, "%.40s", groups);
}

/* "color, 300 W" */
static void cap_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    snprintf(cell, CB_CELL_BYTES, "%.40s, %g W", cb_row_text(row, "app"),
             cb_row_number(row, "power-cap"));
}

static void time_cell(char cell[CB_CELL_BYTES], const cJSON *row, const char *metric)
{
    const struct cb_column column = {NULL, metric, "median", CB_FORM_TIME};
    cb_column_cell(cell, row, &column);
    if (cb_json_metric(row, metric, "median") == 0)
        strcpy(cell, "at once");
}

static void resize_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    time_cell(cell, row, "resize_time");
}

static void settle_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    time_cell(cell, row, "settle_time");
}

/* The share of the app's progress with the most workgroups. */
static void share_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    static const struct cb_column progress = {NULL, "progress", "median", CB_FORM_RUNS};
    double value = cb_json_metric(row, "progress", "median");
    if (isnan(value))
        cb_column_cell(cell, row, &progress);
    else
        cb_form_cell(cell, value / cb_throttle_full_progress(rows->run, row), CB_FORM_SHARE);
}

static const struct cb_column step_columns[] = {
    {.head = "workgroups", .fill = groups_cell, .left = true},
    {.head = "resize", .fill = resize_cell},
    {"progress", "progress", "median", CB_FORM_RUNS},
    {.head = "of that with most", .fill = share_cell},
    {"power", "power", "median", CB_FORM_WATTS},
    {"energy a run", "energy_per_run", "median", CB_FORM_JOULES},
    {"progress per watt", "progress_per_watt", "median", CB_FORM_RUNS_PER_JOULE},
};

static const struct cb_column cap_columns[] = {
    {.head = "app, cap", .fill = cap_cell, .left = true},
    {.head = "held after", .fill = settle_cell},
    {"power", "power", "mean", CB_FORM_WATTS},
    {"highest", "power", "max", CB_FORM_WATTS},
    {"time above", "over_cap", "median", CB_FORM_SHARE},
    {"workgroups", "active", "median", CB_FORM_COUNT},
    {"progress", "progress", "median", CB_FORM_RUNS},
    {"energy a run", "energy_per_run", "median", CB_FORM_JOULES},
    {"progress per watt", "progress_per_watt", "median", CB_FORM_RUNS_PER_JOULE},
};

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Prints an app's schedule, under "color grid:60x60, 3 s a step, N = 7, idle 71.3 W, its own limit
 * 700 W". */
static void print_schedule(FILE *out, const cJSON *run, const cJSON *first)
{
    const struct cb_rows rows = schedule_of(run, first);
    double workers = cb_json_metric(first, "workers", "median");
    double idle = cb_json_metric(first, "idle_power", "median");
    double limit = cb_json_metric(first, "power_limit", "median");
    fprintf(out, "\n%s %s, %g s a step", cb_row_text(first, "app"), cb_row_text(first, "input"),
            cb_row_number(first, "hold"));
    if (workers > 0)
        fprintf(out, ", N = %.0f", workers);
    if (!isnan(idle))
        fprintf(out, ", idle %.1f W", idle);
    if (!isnan(limit))
        fprintf(out, ", its own limit %.0f W", limit);
    fputs("\n\n", out);
    cb_rows_print(out, &rows, step_columns, (int)CB_COUNTOF(step_columns));
    cb_rows_print_notes(out, &rows, NULL);
}

static void print_device(FILE *out, const struct cb_rows *all)
{
    static const char *const app[] = {"app", NULL};
    struct cb_rows steps = *all, caps = *all;
    const cJSON **firsts;
    cb_rows_lack(&steps, "power-cap");
    cb_rows_have(&caps, "power-cap");
    int n = cb_rows_distinct(&steps, app, &firsts);
    for (int i = 0; i < n; i++)
        print_schedule(out, all->run, firsts[i]);
    free(firsts);
    if (!cb_rows_next(&caps, NULL))
        return;
    fputs("\nPower caps\n\n", out);
    cb_rows_print(out, &caps, cap_columns, (int)CB_COUNTOF(cap_columns));
    cb_rows_print_notes(out, &caps, cap_cell);
}

void cb_throttle_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        const struct cb_rows all = {
            .run = run, .bench = "throttle", .device = cb_json_text(device, "id", "")};
        if (!cb_rows_next(&all, NULL))
            continue;
        fprintf(out, "\n%s\n", cb_json_text(device, "name", ""));
        print_device(out, &all);
    }
}
