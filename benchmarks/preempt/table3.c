/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/preempt/table3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apphost/workload.h"
#include "measure/run/column.h"
#include "measure/stats.h"
#include "measure/text/json.h"
#include "runtime/host/error.h"

static const char *text_of(const cJSON *item, const char *key)
{
    return cb_json_text(cb_json_params(item), key, "");
}

static double number_of(const cJSON *item, const char *key)
{
    return cb_json_number(cb_json_params(item), key);
}

/* ---- Choosing -------------------------------------------------------------------------------- */

/* A case with tasks of the bench on the device, beside the row's app and workload. */
static bool belongs(const cJSON *item, const char *bench, const char *device_id,
                    const struct cb_tab3_row *row)
{
    return strcmp(cb_json_text(item, "bench", ""), bench) == 0 &&
           strcmp(cb_json_text(item, "device", ""), device_id) == 0 &&
           strcmp(cb_json_text(item, "status", ""), "ok") == 0 &&
           strcmp(text_of(item, "workload"), row->workload) == 0 &&
           strcmp(text_of(item, "app"), row->app) == 0 &&
           strcmp(text_of(item, "input"), row->input) == 0;
}

static bool is_from_process(const cJSON *item)
{
    return strcmp(text_of(item, "place"), "process") == 0;
}

/* Whether a is a better choice for this side than b. */
static bool is_better(enum cb_tab3_side side, const cJSON *a, const cJSON *b)
{
    const char *first = side == CB_TAB3_COOPERATIVE ? "task_groups"
                        : side == CB_TAB3_FASTEST   ? "answer_time"
                                                    : "overhead";
    double x = cb_json_metric(a, first, "median"), y = cb_json_metric(b, first, "median");
    if (x != y)
        return x < y;
    return cb_json_metric(a, "overhead", "median") < cb_json_metric(b, "overhead", "median");
}

bool cb_tab3_meets(double in_time)
{
    return in_time >= CB_DEADLINE_MET;
}

static double in_time(const cJSON *item)
{
    return cb_json_metric(item, "deadlines_met", "mean");
}

/* Who is in time comes first. */
static bool goes_before(enum cb_tab3_side side, const cJSON *a, const cJSON *b)
{
    bool a_meets = cb_tab3_meets(in_time(a)), b_meets = cb_tab3_meets(in_time(b));
    if (a_meets != b_meets)
        return a_meets;
    if (!a_meets && in_time(a) != in_time(b))
        return in_time(a) > in_time(b);
    return is_better(side, a, b);
}

static const cJSON *choose(const cJSON *run, const char *device_id, const struct cb_tab3_row *row,
                           enum cb_tab3_side side)
{
    const char *bench = side == CB_TAB3_PREEMPTION ? "preempt" : "multitask";
    const cJSON *item, *best = NULL;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        if (belongs(item, bench, device_id, row) &&
            (side != CB_TAB3_PREEMPTION || is_from_process(item)) &&
            (!best || goes_before(side, item, best)))
            best = item;
    return best;
}

static void fill(struct cb_tab3_row *row, const cJSON *run, const char *device_id)
{
    for (int s = 0; s < CB_TAB3_SIDES; s++) {
        const cJSON *item = choose(run, device_id, row, (enum cb_tab3_side)s);
        row->side[s].item = item;
        row->side[s].groups = item ? text_of(item, "groups") : NULL;
        row->side[s].in_time = in_time(item);
        row->side[s].overhead = cb_json_metric(item, "overhead", "median");
        row->side[s].answer_ns = cb_json_metric(item, "answer_time", "median");
    }
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static bool is_known(const struct cb_tab3_row *rows, int n, const struct cb_tab3_row *row)
{
    for (int i = 0; i < n; i++)
        if (strcmp(rows[i].workload, row->workload) == 0 && strcmp(rows[i].app, row->app) == 0 &&
            strcmp(rows[i].input, row->input) == 0)
            return true;
    return false;
}

static int add_apps(const cJSON *run, const char *device_id, struct cb_tab3_row *rows)
{
    const cJSON *item;
    int n = 0;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases")) {
        struct cb_tab3_row row = {.workload = text_of(item, "workload"),
                                  .app = text_of(item, "app"),
                                  .input = text_of(item, "input"),
                                  .period_ns = number_of(item, "period_ns"),
                                  .duration_ns = number_of(item, "duration_ns"),
                                  .apps = 1};
        if (strcmp(cb_json_text(item, "bench", ""), "preempt") != 0 || !is_from_process(item) ||
            strcmp(cb_json_text(item, "device", ""), device_id) != 0 || is_known(rows, n, &row))
            continue;
        fill(&row, run, device_id);
        rows[n++] = row;
    }
    return n;
}

static double median_of(const struct cb_tab3_row *rows, int n, const char *workload, int side,
                        bool overhead)
{
    double *values = calloc((size_t)n, sizeof *values), median = NAN;
    size_t known = 0;
    for (int i = 0; values && i < n; i++) {
        double v = overhead ? rows[i].side[side].overhead : rows[i].side[side].answer_ns;
        if (strcmp(rows[i].workload, workload) == 0 && !isnan(v))
            values[known++] = v;
    }
    if (known > 0)
        median = cb_stats_of(values, known).median;
    free(values);
    return median;
}

/* Over the apps beside the workload of `like`. */
static struct cb_tab3_row median_row(const struct cb_tab3_row *rows, int n,
                                     const struct cb_tab3_row *like)
{
    struct cb_tab3_row row = *like;
    row.app = row.input = "";
    row.apps = 0;
    for (int i = 0; i < n; i++)
        row.apps += strcmp(rows[i].workload, like->workload) == 0;
    for (int s = 0; s < CB_TAB3_SIDES; s++) {
        row.side[s].item = NULL;
        row.side[s].groups = NULL;
        row.side[s].in_time = NAN;
        row.side[s].overhead = median_of(rows, n, like->workload, s, true);
        row.side[s].answer_ns = median_of(rows, n, like->workload, s, false);
    }
    return row;
}

/* Workload by workload. */
int cb_tab3_of(const cJSON *run, const char *device_id, struct cb_tab3_row **out)
{
    size_t room = (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(run, "cases")) + 1;
    struct cb_tab3_row *rows = calloc(room, sizeof *rows);
    int n = rows ? add_apps(run, device_id, rows) : 0, count = 0;
    *out = calloc(2 * room, sizeof **out);
    for (int i = 0; *out && i < n; i++) {
        bool begins = true;
        for (int k = 0; k < i; k++)
            begins = begins && strcmp(rows[k].workload, rows[i].workload) != 0;
        if (!begins)
            continue;
        int first = count;
        for (int k = i; k < n; k++)
            if (strcmp(rows[k].workload, rows[i].workload) == 0)
                (*out)[count++] = rows[k];
        if (count - first > 1)
            (*out)[count++] = median_row(rows, n, &rows[i]);
    }
    free(rows);
    return count;
}

double cb_tab3_model(const struct cb_tab3_row *row)
{
    return row->duration_ns < row->period_ns ? row->period_ns / (row->period_ns - row->duration_ns)
                                             : NAN;
}

/* ---- The table ------------------------------------------------------------------------------- */

/* "N/2", or "N, 38 % in time". */
static void groups_cell(char cell[CB_CELL_BYTES], const struct cb_tab3_row *row, int side)
{
    const char *groups = row->side[side].groups;
    if (!groups)
        snprintf(cell, CB_CELL_BYTES, "%s", *row->app ? "-" : "");
    else if (cb_tab3_meets(row->side[side].in_time))
        snprintf(cell, CB_CELL_BYTES, "%.40s", groups);
    else
        snprintf(cell, CB_CELL_BYTES, "%.40s, %.0f %% in time", groups, /* never 95 */
                 floor(100 * row->side[side].in_time));
}

static void fill_line(const struct cb_table *t, int line, const struct cb_tab3_row *row)
{
    snprintf(cb_table_cell(t, line, 0), CB_CELL_BYTES, "%.40s", row->workload);
    if (*row->app)
        snprintf(cb_table_cell(t, line, 1), CB_CELL_BYTES, "%.30s %.50s", row->app, row->input);
    else
        snprintf(cb_table_cell(t, line, 1), CB_CELL_BYTES, "median of %d", row->apps);
    cb_form_cell(cb_table_cell(t, line, 2), cb_tab3_model(row), CB_FORM_RATIO);
    for (int s = 0; s < CB_TAB3_SIDES; s++) {
        cb_form_cell(cb_table_cell(t, line, 3 + 3 * s), row->side[s].overhead, CB_FORM_RATIO);
        groups_cell(cb_table_cell(t, line, 4 + 3 * s), row, s);
        cb_form_cell(cb_table_cell(t, line, 5 + 3 * s), row->side[s].answer_ns, CB_FORM_TIME);
    }
}

static bool has_cooperative(const struct cb_tab3_row *rows, int n)
{
    for (int i = 0; i < n; i++)
        if (rows[i].side[CB_TAB3_COOPERATIVE].item)
            return true;
    return false;
}

void cb_tab3_report(FILE *out, const cJSON *run, const char *device_id)
{
    static const char *const heads[] = {"workload",   "app",        "P/(P-D)",     "preempted",
                                        "task's",     "answer p50", "cooperative", "task's",
                                        "answer p50", "fastest",    "task's",      "answer p50"};
    struct cb_tab3_row *rows;
    struct cb_table t;
    int n = cb_tab3_of(run, device_id, &rows);
    if (n > 0 && cb_table_open(1 + n, CB_COUNTOF(heads), 0xb6cu, &t)) {
        for (size_t c = 0; c < CB_COUNTOF(heads); c++)
            strcpy(cb_table_cell(&t, 0, (int)c), heads[c]);
        for (int i = 0; i < n; i++)
            fill_line(&t, 1 + i, &rows[i]);
        fputs(
            "\nOverhead of urgent tasks, and their answer time (Tab. 3): whole kernels preempted, "
            "by the model and as\nmeasured here (the task of another process with the least "
            "overhead); cooperative kernels, with the fewest\nworkgroups that are in time, and "
            "with as many as answer soonest. In time: 95 % of the tasks are answered\nbefore the "
            "next one is due; else it says how many.\n\n",
            out);
        cb_table_print(out, &t);
        cb_table_free(&t);
        if (!has_cooperative(rows, n))
            fputs("\nCooperative kernels: 'coopbench run table3' measures both in one "
                  "run.\n",
                  out);
    }
    free(rows);
}
