/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/multitask/over_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apphost/workload.h"
#include "measure/run/column.h"
#include "measure/run/figure.h"
#include "measure/text/json.h"
#include "runtime/host/error.h"

static const char *text_of(const cJSON *item, const char *key)
{
    return cb_json_text(cb_json_params(item), key, "");
}

/* ---- Collecting ------------------------------------------------------------------------------ */

/* A case with tasks that is ok, in a matrix. */
static bool is_point(const cJSON *item, const char *device_id)
{
    return strcmp(cb_json_text(item, "bench", ""), "multitask") == 0 &&
           strcmp(cb_json_text(item, "device", ""), device_id) == 0 && *text_of(item, "workload") &&
           *text_of(item, "input_name") && strcmp(cb_json_text(item, "status", ""), "ok") == 0;
}

static bool has_same(const cJSON *a, const cJSON *b, const char *key)
{
    return strcmp(text_of(a, key), text_of(b, key)) == 0;
}

/* Whether a point is one of those that `like` stands for. */
static bool belongs(const cJSON *point, const cJSON *like, const char *barrier)
{
    const char *own = text_of(point, "barrier");
    return has_same(point, like, "workload") && has_same(point, like, "groups") &&
           (strcmp(own, barrier) == 0 || strcmp(own, "none") == 0);
}

static struct cb_stats stats_of(const cJSON *const *points, int n, const char *metric,
                                const char *statistic)
{
    struct cb_stats stats = {.n = 0, .median = NAN, .q1 = NAN, .q3 = NAN, .min = NAN, .max = NAN};
    double *values = calloc((size_t)n + 1, sizeof *values);
    size_t known = 0;
    for (int i = 0; values && i < n; i++) {
        double value = cb_json_metric(points[i], metric, statistic);
        if (!isnan(value))
            values[known++] = value;
    }
    if (known > 0)
        stats = cb_stats_of(values, known);
    free(values);
    return stats;
}

static struct cb_over_pairs row_of(const cJSON *const *points, int n, const cJSON *like,
                                   const char *barrier)
{
    return (struct cb_over_pairs){
        .workload = text_of(like, "workload"),
        .groups = text_of(like, "groups"),
        .barrier = barrier,
        .period_ns = cb_json_number(cb_json_params(like), "period_ns"),
        .duration_ns = cb_json_number(cb_json_params(like), "duration_ns"),
        .pairs = n,
        .overhead = stats_of(points, n, "overhead", "median"),
        .period = stats_of(points, n, "period", "median"),
        .in_time = stats_of(points, n, "deadlines_met", "mean"),
        .gather_p50 = stats_of(points, n, "gather_time", "median"),
        .gather_p99 = stats_of(points, n, "gather_time", "p99"),
        .task_groups = stats_of(points, n, "task_groups", "median"),
    };
}

/* The points of the document; returns how many. */
static int collect(const cJSON *run, const char *device_id, const cJSON **points)
{
    const cJSON *item;
    int n = 0;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        if (is_point(item, device_id))
            points[n++] = item;
    return n;
}

static bool has_pairs(const cJSON *const *points, int n)
{
    for (int i = 1; i < n; i++)
        if (!has_same(points[0], points[i], "app") || !has_same(points[0], points[i], "input_name"))
            return true;
    return false;
}

/* Whether none before it has its tasks and its barrier. */
static bool is_first(const cJSON *const *points, int i)
{
    for (int k = 0; k < i; k++)
        if (has_same(points[k], points[i], "workload") &&
            has_same(points[k], points[i], "groups") && has_same(points[k], points[i], "barrier"))
            return false;
    return true;
}

int cb_over_pairs_of(const cJSON *run, const char *device_id, struct cb_over_pairs **list)
{
    size_t room = (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(run, "cases")) + 1;
    const cJSON **points = calloc(room, sizeof(*points)), **group = calloc(room, sizeof(*group));
    int rows = 0, n = points && group ? collect(run, device_id, points) : 0;
    bool barriers = false; /* else all pairs have none that resizes */
    *list = calloc(room, sizeof **list);
    for (int i = 0; i < n; i++)
        barriers = barriers || strcmp(text_of(points[i], "barrier"), "none") != 0;
    for (int i = 0; *list && has_pairs(points, n) && i < n; i++) {
        const char *barrier = text_of(points[i], "barrier");
        int members = 0;
        if (!is_first(points, i) || (barriers && strcmp(barrier, "none") == 0))
            continue;
        for (int k = 0; k < n; k++)
            if (belongs(points[k], points[i], barrier))
                group[members++] = points[k];
        (*list)[rows++] = row_of(group, members, points[i], barrier);
    }
    free(points);
    free(group);
    return rows;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void fill_row(const struct cb_table *t, int row, const struct cb_over_pairs *p)
{
    snprintf(cb_table_cell(t, row, 0), CB_CELL_BYTES, "%.40s", p->workload);
    snprintf(cb_table_cell(t, row, 1), CB_CELL_BYTES, "%.40s", p->groups);
    snprintf(cb_table_cell(t, row, 2), CB_CELL_BYTES, "%.40s", p->barrier);
    snprintf(cb_table_cell(t, row, 3), CB_CELL_BYTES, "%d", p->pairs);
    cb_form_cell(cb_table_cell(t, row, 4), p->overhead.median, CB_FORM_RATIO);
    cb_form_cell(cb_table_cell(t, row, 5), p->overhead.max, CB_FORM_RATIO);
    cb_form_cell(cb_table_cell(t, row, 6), p->in_time.median, CB_FORM_SHARE);
    cb_form_cell(cb_table_cell(t, row, 7), p->in_time.min, CB_FORM_SHARE);
    cb_form_cell(cb_table_cell(t, row, 8), p->period.median, CB_FORM_TIME);
    cb_form_cell(cb_table_cell(t, row, 9), p->gather_p50.median, CB_FORM_TIME);
    cb_form_cell(cb_table_cell(t, row, 10), p->gather_p99.median, CB_FORM_TIME);
    cb_form_cell(cb_table_cell(t, row, 11), p->gather_p99.max, CB_FORM_TIME);
}

static void print_all(FILE *out, const struct cb_over_pairs *list, int n)
{
    static const char *const heads[] = {
        "workload", "task's workgroups", "barrier", "pairs",  "overhead",
        "worst",    "in time",           "worst",   "period", "gather p50",
        "p99",      "worst p99"};
    struct cb_table t;
    if (cb_table_open(1 + n, CB_COUNTOF(heads), ~7u, &t)) {
        for (size_t c = 0; c < CB_COUNTOF(heads); c++)
            strcpy(cb_table_cell(&t, 0, (int)c), heads[c]);
        for (int i = 0; i < n; i++)
            fill_row(&t, 1 + i, &list[i]);
        fputs("\nMedians over all pairs of an app and an input, and the worst of them (Fig. 6); "
              "pairs "
              "without resizing\nbarriers belong to each barrier\n\n",
              out);
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

/* Of the same workload and barrier, the one with the fewest workgroups that meets the deadline with
 * half of the pairs. */
static const struct cb_over_pairs *fewest(const struct cb_over_pairs *list, int n,
                                          const struct cb_over_pairs *like)
{
    const struct cb_over_pairs *best = NULL;
    for (const struct cb_over_pairs *p = list; p < list + n; p++)
        if (strcmp(p->workload, like->workload) == 0 && strcmp(p->barrier, like->barrier) == 0 &&
            p->in_time.median >= CB_DEADLINE_MET &&
            (!best || p->task_groups.median < best->task_groups.median))
            best = p;
    return best;
}

static bool begins_workload(const struct cb_over_pairs *list, const struct cb_over_pairs *p)
{
    for (const struct cb_over_pairs *old = list; old < p; old++)
        if (strcmp(old->workload, p->workload) == 0 && strcmp(old->barrier, p->barrier) == 0)
            return false;
    return true;
}

static void print_tab3(FILE *out, const struct cb_over_pairs *list, int n)
{
    static const char *const heads[] = {"workload", "barrier", "kernel-level P/(P-D)",
                                        "cooperative", "task's workgroups"};
    struct cb_table t;
    int row = 0;
    if (cb_table_open(1 + n, CB_COUNTOF(heads), 12u, &t)) {
        for (size_t c = 0; c < CB_COUNTOF(heads); c++)
            strcpy(cb_table_cell(&t, 0, (int)c), heads[c]);
        for (const struct cb_over_pairs *p = list; p < list + n; p++) {
            const struct cb_over_pairs *best = fewest(list, n, p);
            if (!begins_workload(list, p))
                continue;
            snprintf(cb_table_cell(&t, ++row, 0), CB_CELL_BYTES, "%.40s", p->workload);
            snprintf(cb_table_cell(&t, row, 1), CB_CELL_BYTES, "%.40s", p->barrier);
            cb_form_cell(cb_table_cell(&t, row, 2), p->period_ns / (p->period_ns - p->duration_ns),
                         CB_FORM_RATIO);
            cb_form_cell(cb_table_cell(&t, row, 3), best ? best->overhead.median : NAN,
                         CB_FORM_RATIO);
            snprintf(cb_table_cell(&t, row, 4), CB_CELL_BYTES, "%.40s", best ? best->groups : "-");
        }
        t.rows = 1 + row;
        fputs(
            "\nOverhead of preempting whole kernels (a model) and of cooperative ones (median over "
            "the pairs), with the\nfewest workgroups that meet the deadline (Tab. 3)\n\n",
            out);
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

void cb_over_pairs_report(FILE *out, const cJSON *run, const char *device_id)
{
    struct cb_over_pairs *list;
    int n = cb_over_pairs_of(run, device_id, &list);
    if (n > 0) {
        print_all(out, list, n);
        print_tab3(out, list, n);
    }
    free(list);
}

/* ---- Fig. 6 ---------------------------------------------------------------------------------- */

/* How many others appear before the barrier, or the workload, of a row. */
static int number_of(const struct cb_over_pairs *list, const struct cb_over_pairs *p, bool barrier)
{
    const char *seen[64];
    int n = 0;
    for (const struct cb_over_pairs *q = list;; q++) {
        const char *own = barrier ? q->barrier : q->workload;
        int i = 0;
        while (i < n && strcmp(seen[i], own) != 0)
            i++;
        if (q == p || n == CB_COUNTOF(seen))
            return i;
        if (i == n)
            seen[n++] = own;
    }
}

static void write_row(FILE *out, int device, const char *name, const struct cb_over_pairs *list,
                      const struct cb_over_pairs *p)
{
    const struct cb_stats *const both[] = {&p->overhead, &p->period};
    char title[64];
    snprintf(title, sizeof title, "median over %d pairs", p->pairs);
    fprintf(out, "%d\t%d\t%d", device, number_of(list, p, true), number_of(list, p, false));
    cb_figure_text(out, name);
    cb_figure_text(out, title);
    cb_figure_text(out, p->barrier);
    cb_figure_text(out, p->workload);
    cb_figure_number(out, p->task_groups.median);
    cb_figure_text(out, p->groups[0] == 'N' ? p->groups : "");
    cb_figure_number(out, p->period_ns);
    for (size_t i = 0; i < CB_COUNTOF(both); i++) {
        cb_figure_number(out, both[i]->median);
        cb_figure_number(out, both[i]->q1);
        cb_figure_number(out, both[i]->q3);
    }
    fputc('\n', out);
}

/* The lines of a device: a block for each workload and barrier. */
static int write_device(FILE *out, int device, const char *name, const struct cb_over_pairs *list,
                        int n, int before)
{
    int rows = 0;
    for (const struct cb_over_pairs *p = list; p < list + n; p++) {
        if (!begins_workload(list, p))
            continue;
        fputs(before + rows > 0 ? "\n\n" : "", out);
        for (const struct cb_over_pairs *q = p; q < list + n; q++)
            if (strcmp(q->workload, p->workload) == 0 && strcmp(q->barrier, p->barrier) == 0) {
                write_row(out, device, name, list, q);
                rows++;
            }
    }
    return rows;
}

int cb_over_pairs_figure(FILE *out, cJSON *const *runs, int n)
{
    const cJSON *device;
    int rows = 0, devices = 0;
    fputs(CB_FIG6_HEADS, out);
    for (int i = 0; i < n; i++)
        cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(runs[i], "devices")) {
            struct cb_over_pairs *list;
            int count = cb_over_pairs_of(runs[i], cb_json_text(device, "id", ""), &list);
            rows += write_device(out, devices, cb_json_text(device, "name", ""), list, count, rows);
            devices += count > 0;
            free(list);
        }
    return rows;
}
