/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/multitask/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/multitask/over_pairs.h"
#include "benchmarks/multitask/task_points.h"
#include "measure/run/figure.h"
#include "measure/run/folder.h"
#include "measure/stats.h"
#include "measure/text/json.h"

/* ---- Fig. 1: the first trace there is -------------------------------------------------------- */

static int copy_trace(FILE *out, const cJSON *run, const cJSON *row)
{
    char path[1024], line[256];
    int lines = 0;
    snprintf(path, sizeof path, "%s.tsv", cb_row_text(row, "trace"));
    FILE *trace = cb_run_open_signed(path, run);
    for (; trace && fgets(line, sizeof line, trace); lines++)
        fputs(line, out);
    if (trace)
        fclose(trace);
    return lines;
}

static int write_fig1(FILE *out, cJSON *const *runs, int n)
{
    int lines = 0;
    for (int i = 0; i < n && lines == 0; i++) {
        struct cb_rows rows = {.run = runs[i], .bench = "multitask", .ok = true};
        cb_rows_have(&rows, "workload");
        cb_rows_have(&rows, "trace");
        const cJSON *row = cb_rows_next(&rows, NULL);
        for (; row && lines == 0; row = cb_rows_next(&rows, row))
            lines = copy_trace(out, runs[i], row);
    }
    return lines;
}

/* ---- Fields of a line ------------------------------------------------------------------------ */

/* The device, and "bfs grid:300x300". */
static void write_kernel(FILE *out, const struct cb_task_points *p, const struct cb_task_point *q)
{
    char label[CB_LABEL_BYTES];
    cb_figure_label_device(p->places, p->n_places, q->place, label);
    cb_figure_text(out, label);
    cb_figure_two_texts(out, cb_row_text(q->row, "app"), cb_row_text(q->row, "input"));
}

/* 33 and "N/4"; a text that is only the number is left out. */
static void write_groups(FILE *out, const cJSON *row)
{
    const char *text = cb_row_text(row, "groups");
    cb_figure_number(out, cb_json_metric(row, "task_groups", "median"));
    cb_figure_text(out, text[0] == 'N' ? text : "");
}

/* ---- Fig. 5 ---------------------------------------------------------------------------------- */

/* A line is the gather time with a barrier, or the execution time in a workload. */
static const struct {
    const char *metric, *label;
    enum cb_task_field field;
    const char *line[4];
} times[] = {
    {"gather_time", "barrier", CB_BARRIER, {"app", "input", "barrier"}},
    {"exec_time", "workload", CB_WORKLOAD, {"app", "input", "workload"}},
};

/* The median of a statistic over some points; NaN if none has it. */
static double median_of(const struct cb_task_point *points, int n, const char *metric,
                        const char *statistic)
{
    double *values = calloc((size_t)n, sizeof *values);
    size_t known = 0;
    for (int i = 0; values && i < n; i++) {
        double value = cb_json_metric(points[i].row, metric, statistic);
        if (!isnan(value))
            values[known++] = value;
    }
    double median = known ? cb_stats_of(values, known).median : NAN;
    free(values);
    return median;
}

static void write_time(FILE *out, const struct cb_task_points *p, int time,
                       const struct cb_task_point *points, int n)
{
    const cJSON *row = points->row;
    const char *metric = times[time].metric;
    bool periodic = times[time].field == CB_WORKLOAD;
    fprintf(out, "%d\t%d\t%d\t%d", points->device, points->number[CB_KERNEL], time,
            points->number[times[time].field]);
    write_kernel(out, p, points);
    cb_figure_text(out, cb_row_text(row, times[time].label));
    write_groups(out, row);
    cb_figure_number(out, median_of(points, n, metric, "median"));
    cb_figure_number(out, median_of(points, n, metric, "p95"));
    cb_figure_number(out, periodic ? cb_row_number(row, "period_ns") : NAN);
    fputc('\n', out);
}

/* Each number of workgroups of a line is a row: of several workloads (gather time) or barriers
 * (execution time), it has the median. */
static int write_times(FILE *out, const struct cb_task_points *p, int time, int rows_before)
{
    const struct cb_task_point *last = NULL; /* that was written */
    int rows = 0;
    for (int i = 0, next; i < p->n; i = next) {
        const struct cb_task_point *point = &p->points[i];
        for (next = i + 1; next < p->n && cb_task_points_same_line(point, &p->points[next]) &&
                           point->groups == p->points[next].groups;
             next++)
            ;
        if (!(median_of(point, next - i, times[time].metric, "median") > 0))
            continue; /* the axis is logarithmic, and a task may have gathered none */
        bool begins = !last || !cb_task_points_same_line(last, point);
        fputs(begins && rows_before + rows > 0 ? "\n\n" : "", out);
        write_time(out, p, time, point, next - i);
        last = point;
        rows++;
    }
    return rows;
}

/* A block is a line. */
static int write_fig5(FILE *out, cJSON *const *runs, int n)
{
    int rows = 0;
    fputs("# device_number\tkernel_number\ttime_number\tline_number\tdevice\tkernel\tline\tgroups"
          "\tshare\tmedian_ns\tp95_ns\tperiod_goal_ns\n",
          out);
    for (int time = 0; time < (int)CB_COUNTOF(times); time++) {
        struct cb_task_points p = cb_task_points_of(runs, n, times[time].line);
        rows += write_times(out, &p, time, rows);
        cb_task_points_free(&p);
    }
    return rows;
}

/* ---- Fig. 6 ---------------------------------------------------------------------------------- */

/* The fields of a row from its barrier on. */
static void write_cost(FILE *out, const cJSON *row)
{
    static const char *const metrics[] = {"overhead", "period"};
    static const char *const statistics[] = {"median", "q1", "q3"};
    cb_figure_text(out, cb_row_text(row, "barrier"));
    cb_figure_text(out, cb_row_text(row, "workload"));
    write_groups(out, row);
    cb_figure_number(out, cb_row_number(row, "period_ns"));
    for (size_t m = 0; m < CB_COUNTOF(metrics); m++)
        for (size_t s = 0; s < CB_COUNTOF(statistics); s++)
            cb_figure_number(out, cb_json_metric(row, metrics[m], statistics[s]));
    fputc('\n', out);
}

static bool same_kernel(const struct cb_task_point *a, const struct cb_task_point *b)
{
    return a->place == b->place && a->number[CB_KERNEL] == b->number[CB_KERNEL];
}

/* The mean of the overhead's logarithm over all points of a kernel with a barrier; how many. */
static int cost_of(const struct cb_task_points *p, const struct cb_task_point *like, double *cost)
{
    double sum = 0;
    int n = 0;
    for (const struct cb_task_point *q = p->points; q < p->points + p->n; q++)
        if (same_kernel(q, like) && q->number[CB_BARRIER] == like->number[CB_BARRIER]) {
            sum += log(cb_json_metric(q->row, "overhead", "median"));
            n++;
        }
    *cost = sum / n;
    return n;
}

static bool begins_line(const struct cb_task_points *p, const struct cb_task_point *point)
{
    return point == p->points || !cb_task_points_same_line(point - 1, point);
}

/* The barrier that serves a kernel best: with the most points, and of these with the least
 * overhead. */
static int best_barrier(const struct cb_task_points *p, const struct cb_task_point *kernel)
{
    int best = -1, most = 0;
    double least = INFINITY, cost;
    for (const struct cb_task_point *q = p->points; q < p->points + p->n; q++) {
        if (!same_kernel(q, kernel) || !begins_line(p, q))
            continue;
        int n = cost_of(p, q, &cost);
        if (n < most || (n == most && !(cost < least)))
            continue;
        best = q->number[CB_BARRIER];
        most = n;
        least = cost;
    }
    return best;
}

/* A block is a line: a workload beside a kernel, with the barrier that serves the kernel best. */
static int write_fig6(FILE *out, cJSON *const *runs, int n)
{
    static const char *const line[] = {"app", "input", "barrier", "workload", NULL};
    struct cb_task_points p = cb_task_points_of(runs, n, line);
    bool is_best = false;
    int rows = 0;
    fputs(CB_FIG6_HEADS, out);
    for (const struct cb_task_point *q = p.points; q < p.points + p.n; q++) {
        bool begins = begins_line(&p, q);
        if (begins)
            is_best = q->number[CB_BARRIER] == best_barrier(&p, q);
        if (!is_best)
            continue;
        fputs(begins && rows > 0 ? "\n\n" : "", out);
        fprintf(out, "%d\t%d\t%d", q->device, q->number[CB_KERNEL], q->number[CB_WORKLOAD]);
        write_kernel(out, &p, q);
        write_cost(out, q->row);
        rows++;
    }
    cb_task_points_free(&p);
    return rows;
}

/* ---- Fig. 6 over all pairs ------------------------------------------------------------------- */

/* The lines of a device: a block for each workload and barrier. */
static int write_pairs(FILE *out, int device, const char *name, const cJSON *document,
                       int rows_before)
{
    static const char *const line[] = {"workload", "barrier", NULL};
    static const char *const *const barrier = &line[1], *const workload[] = {"workload", NULL};
    const struct cb_rows all = {.run = document, .bench = CB_OVER_PAIRS};
    const cJSON **rows;
    int n = cb_rows_list(&all, &rows), written = 0;
    int *lines = calloc((size_t)n * 3 + 1, sizeof *lines), *barriers = lines + n,
        *workloads = barriers + n;
    int n_lines = lines ? cb_rows_number(rows, n, line, lines) : 0;
    if (n_lines > 0) {
        cb_rows_number(rows, n, barrier, barriers);
        cb_rows_number(rows, n, workload, workloads);
    }
    for (int l = 0; l < n_lines; l++) {
        fputs(rows_before + written > 0 ? "\n\n" : "", out);
        for (int i = 0; i < n; i++) {
            if (lines[i] != l)
                continue;
            fprintf(out, "%d\t%d\t%d", device, barriers[i], workloads[i]);
            cb_figure_text(out, name);
            fprintf(out, "\t\"median over %.0f pairs\"",
                    cb_json_metric(rows[i], "pairs", "median"));
            write_cost(out, rows[i]);
            written++;
        }
    }
    free(rows);
    free(lines);
    return written;
}

int cb_over_pairs_figure(FILE *out, cJSON *const *runs, int n)
{
    struct cb_run_device *places;
    int n_places = cb_run_devices(runs, n, "multitask", &places), devices = 0, rows = 0;
    fputs(CB_FIG6_HEADS, out);
    for (int i = 0; i < n_places; i++) {
        cJSON *document = cb_over_pairs_of(places[i].run, cb_json_text(places[i].device, "id", ""));
        int written =
            write_pairs(out, devices, cb_json_text(places[i].device, "name", ""), document, rows);
        rows += written;
        devices += written > 0;
        cJSON_Delete(document);
    }
    free(places);
    return rows;
}

const struct cb_figure cb_multitask_figures[] = {
    {"fse17_fig1", "plots/gantt.gp", "Workgroups of a cooperative kernel beside tasks", write_fig1},
    {"fse17_fig5", "plots/multitask_fig5.gp", "Gather time and time of a task", write_fig5},
    {"fse17_fig6", "plots/multitask_fig6.gp",
     "Cost of multitasking for the cooperative kernel, and the period of the tasks", write_fig6},
    {"fse17_fig6_pairs", "plots/multitask_fig6.gp",
     "Cost of multitasking and period of the tasks, over all pairs of an app and an input",
     cb_over_pairs_figure},
    {0},
};
