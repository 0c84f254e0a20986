/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/preempt/table3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "apps/host/workload.h"
#include "measure/stats.h"
#include "measure/text/json.h"
#include "runtime/host/error.h"

/* ---- Choosing -------------------------------------------------------------------------------- */

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

/* Cases that are in time come first. */
static bool goes_before(enum cb_tab3_side side, const cJSON *a, const cJSON *b)
{
    bool a_meets = cb_tab3_meets(in_time(a)), b_meets = cb_tab3_meets(in_time(b));
    if (a_meets != b_meets)
        return a_meets;
    if (!a_meets && in_time(a) != in_time(b))
        return in_time(a) > in_time(b);
    return is_better(side, a, b);
}

static struct cb_rows rows_of(const cJSON *run, const char *bench, const char *device_id)
{
    struct cb_rows rows = {.run = run, .bench = bench, .device = device_id};
    if (strcmp(bench, "preempt") == 0)
        cb_rows_is(&rows, "place", "process");
    return rows;
}

/* The best row for a side, with the tasks of another, and beside its app. */
static const cJSON *choose(struct cb_rows rows, const cJSON *like, enum cb_tab3_side side)
{
    const cJSON *best = NULL;
    rows.ok = true;
    cb_rows_like(&rows, like, "workload");
    cb_rows_like(&rows, like, "task");
    cb_rows_like(&rows, like, "app");
    cb_rows_like(&rows, like, "input");
    cb_rows_like(&rows, like, "variant");
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row))
        if (!best || goes_before(side, row, best))
            best = row;
    return best;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static struct cb_tab3_row row_of(const cJSON *run, const char *device_id, const cJSON *like)
{
    struct cb_tab3_row row = {.workload = cb_row_text(like, "workload"),
                              .app = cb_row_text(like, "app"),
                              .input = cb_row_text(like, "input"),
                              .variant = cb_row_text(like, "variant"),
                              .period_ns = cb_row_number(like, "period_ns"),
                              .duration_ns = cb_row_number(like, "duration_ns"),
                              .apps = 1};
    for (int s = 0; s < CB_TAB3_SIDES; s++) {
        const char *bench = s == CB_TAB3_PREEMPTION ? "preempt" : "multitask";
        const cJSON *item = choose(rows_of(run, bench, device_id), like, (enum cb_tab3_side)s);
        row.side[s].item = item;
        row.side[s].groups = item ? cb_row_text(item, "groups") : NULL;
        row.side[s].in_time = in_time(item);
        row.side[s].overhead = cb_json_metric(item, "overhead", "median");
        row.side[s].answer_ns = cb_json_metric(item, "answer_time", "median");
    }
    return row;
}

static double median_of(const struct cb_tab3_row *rows, int n, int side, bool overhead)
{
    double *values = calloc((size_t)n, sizeof *values), median = NAN;
    size_t known = 0;
    for (int i = 0; values && i < n; i++) {
        double v = overhead ? rows[i].side[side].overhead : rows[i].side[side].answer_ns;
        if (!isnan(v))
            values[known++] = v;
    }
    if (known > 0)
        median = cb_stats_of(values, known).median;
    free(values);
    return median;
}

/* Over the apps of a variant beside one workload. */
static struct cb_tab3_row median_row(const struct cb_tab3_row *rows, int n)
{
    struct cb_tab3_row row = {.workload = rows->workload,
                              .app = "",
                              .input = "",
                              .variant = rows->variant,
                              .period_ns = rows->period_ns,
                              .duration_ns = rows->duration_ns,
                              .apps = n};
    for (int s = 0; s < CB_TAB3_SIDES; s++) {
        row.side[s].in_time = NAN;
        row.side[s].overhead = median_of(rows, n, s, true);
        row.side[s].answer_ns = median_of(rows, n, s, false);
    }
    return row;
}

/* Workload by workload, variant by variant. */
int cb_tab3_of(const cJSON *run, const char *device_id, struct cb_tab3_row **out)
{
    static const char *const params[] = {"workload", "app", "input", "variant", NULL};
    static const char *const workload[] = {"workload", "variant", NULL};
    const struct cb_rows all = rows_of(run, "preempt", device_id);
    const cJSON **firsts;
    int n = cb_rows_distinct(&all, params, &firsts), count = 0;
    int *workloads = calloc((size_t)n + 1, sizeof *workloads);
    int n_workloads = workloads ? cb_rows_number(firsts, n, workload, workloads) : 0;
    *out = calloc((size_t)(n + n_workloads) + 1, sizeof **out);
    for (int w = 0; *out && w < n_workloads; w++) {
        int first = count;
        for (int i = 0; i < n; i++)
            if (workloads[i] == w)
                (*out)[count++] = row_of(run, device_id, firsts[i]);
        if (count - first > 1) {
            (*out)[count] = median_row(&(*out)[first], count - first);
            count++;
        }
    }
    free(firsts);
    free(workloads);
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
        snprintf(cb_table_cell(t, line, 1), CB_CELL_BYTES, "%.30s %.40s%s%.20s", row->app,
                 row->input, *row->variant ? ", " : "", row->variant);
    else
        snprintf(cb_table_cell(t, line, 1), CB_CELL_BYTES, "median of %d%s%.20s", row->apps,
                 *row->variant ? ", " : "", row->variant);
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
