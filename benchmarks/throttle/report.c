/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/throttle/report.h"

#include <math.h>
#include <string.h>

#include "measure/run/column.h"
#include "measure/text/json.h"
#include "runtime/host/error.h"

static const struct cb_column step_columns[] = {
    {"resize", "resize_time", "median", CB_FORM_TIME},
    {"progress", "progress", "median", CB_FORM_RUNS},
    {"of that with most", NULL, NULL, CB_FORM_SHARE}, /* of two rows */
    {"power", "power", "median", CB_FORM_WATTS},
    {"energy a run", "energy_per_run", "median", CB_FORM_JOULES},
    {"progress per watt", "progress_per_watt", "median", CB_FORM_RUNS_PER_JOULE},
};

static const struct cb_column cap_columns[] = {
    {"held after", "settle_time", "median", CB_FORM_TIME},
    {"power", "power", "mean", CB_FORM_WATTS},
    {"highest", "power", "max", CB_FORM_WATTS},
    {"time above", "over_cap", "median", CB_FORM_SHARE},
    {"workgroups", "active", "median", CB_FORM_COUNT},
    {"progress", "progress", "median", CB_FORM_RUNS},
    {"energy a run", "energy_per_run", "median", CB_FORM_JOULES},
    {"progress per watt", "progress_per_watt", "median", CB_FORM_RUNS_PER_JOULE},
};

/* ---- Rows ------------------------------------------------------------------------------------ */

/* What the lines of a table have in common; app NULL: all. */
struct topic {
    const cJSON *run;
    const char *device, *app;
    bool caps;
};

static bool is_about(const struct topic *t, const cJSON *item)
{
    return strcmp(cb_json_text(item, "bench", ""), "throttle") == 0 &&
           strcmp(cb_json_text(item, "device", ""), t->device) == 0 &&
           (!t->app || strcmp(cb_json_text(cb_json_params(item), "app", ""), t->app) == 0) &&
           isnan(cb_json_number(cb_json_params(item), "power-cap")) == !t->caps;
}

static int count(const struct topic *t)
{
    const cJSON *item;
    int n = 0;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(t->run, "cases"))
        n += is_about(t, item);
    return n;
}

double cb_throttle_full_progress(const cJSON *run, const char *device, const char *app)
{
    const struct topic t = {run, device, app, false};
    const cJSON *item;
    double most = 0, full = NAN;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases")) {
        double active = cb_json_metric(item, "active", "median");
        if (is_about(&t, item) && active > most) {
            most = active;
            full = cb_json_metric(item, "progress", "median");
        }
    }
    return full;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* Of its progress with the most workgroups. */
static void format_share(char cell[CB_CELL_BYTES], const struct topic *t, const cJSON *item)
{
    static const struct cb_column progress = {NULL, "progress", "median", CB_FORM_RUNS};
    double full =
        cb_throttle_full_progress(t->run, t->device, cb_json_text(cb_json_params(item), "app", ""));
    double value = cb_json_metric(item, "progress", "median");
    if (isnan(value))
        cb_column_cell(cell, item, &progress);
    else
        cb_form_cell(cell, value / full, CB_FORM_SHARE);
}

static void format(char cell[CB_CELL_BYTES], const struct topic *t, const cJSON *item,
                   const struct cb_column *c)
{
    if (!c->metric)
        format_share(cell, t, item);
    else if (c->form == CB_FORM_TIME && cb_json_metric(item, c->metric, c->statistic) == 0)
        strcpy(cell, "at once");
    else
        cb_column_cell(cell, item, c);
}

/* "N/2 = 65", or "color, 300 W". */
static void format_name(char cell[CB_CELL_BYTES], const cJSON *item, bool cap)
{
    const cJSON *params = cb_json_params(item);
    const char *groups = cb_json_text(params, "groups", "");
    double n = cb_json_metric(item, "active", "median");
    if (cap)
        snprintf(cell, CB_CELL_BYTES, "%.40s, %g W", cb_json_text(params, "app", ""),
                 cb_json_number(params, "power-cap"));
    else if (strchr(groups, 'N') && n > 0)
        snprintf(cell, CB_CELL_BYTES, "%.40s = %.0f", groups, n);
    else
        snprintf(cell, CB_CELL_BYTES, "%.40s", groups);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void fill_row(const struct cb_table *table, int row, const struct topic *t,
                     const cJSON *item, const struct cb_column *columns, int n)
{
    format_name(cb_table_cell(table, row, 0), item, t->caps);
    for (int c = 0; c < n; c++)
        format(cb_table_cell(table, row, 1 + c), t, item, &columns[c]);
}

static void print_table(FILE *out, const struct topic *t, const struct cb_column *columns, int n)
{
    struct cb_table table;
    const cJSON *item;
    int row = 0;
    if (cb_table_open(1 + count(t), 1 + n, ~1u, &table)) {
        strcpy(cb_table_cell(&table, 0, 0), t->caps ? "app, cap" : "workgroups");
        for (int c = 0; c < n; c++)
            strcpy(cb_table_cell(&table, 0, 1 + c), columns[c].head);
        cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(t->run, "cases"))
            if (is_about(t, item))
                fill_row(&table, ++row, t, item, columns, n);
        cb_table_print(out, &table);
    }
    cb_table_free(&table);
}

/* Each once; of caps, with the name of its row. */
static void print_notes(FILE *out, const struct topic *t)
{
    const cJSON *item, *note;
    cJSON *notes = NULL;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(t->run, "cases"))
        if (is_about(t, item))
            cJSON_ArrayForEach (note, cJSON_GetObjectItemCaseSensitive(item, "notes")) {
                char name[CB_CELL_BYTES], text[1200];
                format_name(name, item, true);
                snprintf(text, sizeof text, "%s%s%.1000s", t->caps ? name : "", t->caps ? ": " : "",
                         cJSON_GetStringValue(note));
                cb_json_add_once(&notes, text);
            }
    fputs(notes ? "\n" : "", out);
    cJSON_ArrayForEach (note, notes)
        fprintf(out, "- %s\n", cJSON_GetStringValue(note));
    cJSON_Delete(notes);
}

/* "color grid:60x60, 3 s a step, N = 7, idle 71.3 W, its own limit 700 W" */
static void print_schedule(FILE *out, const struct topic *t, const cJSON *first)
{
    const cJSON *params = cb_json_params(first);
    double idle = cb_json_metric(first, "idle_power", "median");
    double limit = cb_json_metric(first, "power_limit", "median");
    fprintf(out, "\n%s %s, %g s a step", t->app, cb_json_text(params, "input", ""),
            cb_json_number(params, "hold"));
    if (cb_json_metric(first, "workers", "median") > 0)
        fprintf(out, ", N = %.0f", cb_json_metric(first, "workers", "median"));
    if (!isnan(idle))
        fprintf(out, ", idle %.1f W", idle);
    if (!isnan(limit))
        fprintf(out, ", its own limit %.0f W", limit);
    fputs("\n\n", out);
    print_table(out, t, step_columns, (int)CB_COUNTOF(step_columns));
    print_notes(out, t);
}

/* The schedule of each app, at its first row. */
static void print_schedules(FILE *out, const cJSON *run, const char *device)
{
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(run, "cases"), *item, *before;
    cJSON_ArrayForEach (item, cases) {
        const struct topic t = {run, device, cb_json_text(cb_json_params(item), "app", ""), false};
        bool known = !is_about(&t, item);
        for (before = cases->child; before != item && !known; before = before->next)
            known = is_about(&t, before);
        if (!known)
            print_schedule(out, &t, item);
    }
}

void cb_throttle_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        const char *id = cb_json_text(device, "id", "");
        const struct topic steps = {run, id, NULL, false}, caps = {run, id, NULL, true};
        if (count(&steps) + count(&caps) == 0)
            continue;
        fprintf(out, "\n%s\n", cb_json_text(device, "name", ""));
        print_schedules(out, run, id);
        if (count(&caps) == 0)
            continue;
        fputs("\nPower caps\n\n", out);
        print_table(out, &caps, cap_columns, (int)CB_COUNTOF(cap_columns));
        print_notes(out, &caps);
    }
}
