/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/figure.h"
#include "analysis/documents/folder.h"
#include "measure/text/json.h"
#include "probes/multitask/names.h"
#include "probes/multitask/over_pairs.h"
#include "probes/multitask/together/together.h"

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

/* ---- Figs. 5 and 6: against the workgroups of a task ----------------------------------------- */

/* What has numbers across a picture, as it first comes. */
enum field { KERNEL, WORKLOAD, BARRIER, FIELDS };

static const char *const kernel[] = {"app", "input", "beside", NULL};
static const char *const barrier[] = {"barrier", NULL};
static const char *const kernel_and_barrier[] = {"app", "input", "beside", "barrier", NULL};

struct picture {
    struct cb_run_device *run_devices;
    int n_run_devices;
    cJSON *seen[FIELDS]; /* texts, by number */
};

/* Ok rows with tasks. */
static struct cb_rows rows_at(const struct cb_run_device *run_device)
{
    struct cb_rows rows = cb_figure_rows(run_device, "multitask");
    cb_rows_have(&rows, "workload");
    cb_multitask_one_system(&rows);
    rows.metric = "task_groups";
    return rows;
}

static double groups_of(const cJSON *row)
{
    return cb_json_metric(row, "task_groups", "median");
}

/* A row's number of a field. A kernel is an app with its input. */
static int field_of(struct picture *p, const cJSON *row, enum field field)
{
    char name[1024];
    if (field == WORKLOAD)
        return cb_json_add_once(&p->seen[field], cb_multitask_name(row, name));
    if (field == BARRIER)
        return cb_json_add_once(&p->seen[field], cb_row_text(row, "barrier"));
    snprintf(name, sizeof name, "%s %s", cb_row_text(row, "app"), cb_row_text(row, "input"));
    return cb_json_add_once(&p->seen[field], name);
}

/* Numbers all points in the order of the runs, whichever are drawn. */
static struct picture picture_of(cJSON *const *runs, int n)
{
    struct picture p = {0};
    p.n_run_devices = cb_run_devices(runs, n, NULL, &p.run_devices);
    for (int i = 0; i < p.n_run_devices; i++) {
        const struct cb_rows rows = rows_at(&p.run_devices[i]);
        for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row))
            for (int f = 0; f < FIELDS && groups_of(row) >= 1; f++)
                field_of(&p, row, (enum field)f);
    }
    return p;
}

static void free_picture(struct picture *p)
{
    free(p->run_devices);
    for (int f = 0; f < FIELDS; f++)
        cJSON_Delete(p->seen[f]);
}

/* Whether one of n points, which are sorted, stands for the row that comes next. */
static bool is_known(const cJSON *const *points, int n, const cJSON *row)
{
    static const char *const all[] = {"app",  "input",   "beside", "workload",
                                      "task", "barrier", NULL};
    for (int i = n - 1; i >= 0 && groups_of(points[i]) == groups_of(row); i--)
        if (cb_rows_same(points[i], row, all))
            return true;
    return false;
}

/* The points of a device, line by line, by the workgroups of a task. A line is the points that
 * agree in some parameters. Of points that differ in nothing but the text of their workgroups ("1"
 * and "N/4" of 7), the first of the document stands for all. */
static int list_points(const struct cb_run_device *run_device, const char *const *line,
                       const cJSON ***points)
{
    const struct cb_rows rows = rows_at(run_device);
    int n = cb_rows_list(&rows, points), kept = 0, known = 0;
    for (int i = 0; i < n; i++)
        if (groups_of((*points)[i]) >= 1)
            (*points)[kept++] = (*points)[i];
    cb_rows_sort(*points, kept, line, "task_groups");
    for (int i = 0; i < kept; i++)
        if (!is_known(*points, known, (*points)[i]))
            (*points)[known++] = (*points)[i];
    return known;
}

/* The device, and "bfs grid:300x300". */
static void write_kernel(FILE *out, const struct picture *p, int run_device, const cJSON *row)
{
    char label[CB_LABEL_BYTES];
    cb_figure_label_device(p->run_devices, p->n_run_devices, run_device, label);
    cb_figure_text(out, label);
    cb_figure_two_texts(out, cb_row_text(row, "app"), cb_row_text(row, "input"));
}

/* 33 and "N/4"; a text that is only the number is left out. */
static void write_groups(FILE *out, const cJSON *row)
{
    const char *text = cb_row_text(row, "groups");
    cb_figure_number(out, groups_of(row));
    cb_figure_text(out, text[0] == 'N' ? text : "");
}

/* ---- Fig. 5 ---------------------------------------------------------------------------------- */

/* A line is the gather time with a barrier, or the execution time in a workload. */
static const struct time {
    const char *metric;
    enum field field;
    const char *line[5];
} times[] = {
    {"gather_time", BARRIER, {"app", "input", "barrier"}},
    {"exec_time", WORKLOAD, {"app", "input", "workload", "task"}},
};

/* Each number of workgroups of a line is a row: of several workloads (gather time) or barriers
 * (execution time), it has the median. */
static void write_time(FILE *out, struct picture *p, int run_device, int device,
                       const struct time *time, const cJSON *const *points, int n)
{
    const cJSON *row = points[0];
    char tasks[CB_MULTITASK_NAME];
    fprintf(out, "%d\t%d\t%d\t%d", device, field_of(p, row, KERNEL), (int)(time - times),
            field_of(p, row, time->field));
    write_kernel(out, p, run_device, row);
    cb_figure_text(out, time->field == WORKLOAD ? cb_multitask_name(row, tasks)
                                                : cb_row_text(row, "barrier"));
    write_groups(out, row);
    cb_figure_number(out, cb_rows_stats(points, n, time->metric, "median").median);
    cb_figure_number(out, cb_rows_stats(points, n, time->metric, "p95").median);
    cb_figure_number(out, time->field == WORKLOAD ? cb_row_number(row, "period_ns") : NAN);
    fputc('\n', out);
}

/* The lines of a device. */
static int write_times(FILE *out, struct picture *p, int run_device, int *devices,
                       const struct time *time, int rows_before)
{
    const cJSON **points, *last = NULL; /* last: the point that was written last */
    int n = list_points(&p->run_devices[run_device], time->line, &points), rows = 0;
    for (int i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && groups_of(points[next]) == groups_of(points[i]) &&
                           cb_rows_same(points[next], points[i], time->line);
             next++)
            ;
        if (!(cb_rows_stats(&points[i], next - i, time->metric, "median").median > 0))
            continue; /* the axis is logarithmic, and a task may have gathered none */
        bool begins = !last || !cb_rows_same(last, points[i], time->line);
        fputs(begins && rows_before + rows > 0 ? "\n\n" : "", out);
        write_time(out, p, run_device, *devices, time, &points[i], next - i);
        last = points[i];
        rows++;
    }
    *devices += n > 0;
    free(points);
    return rows;
}

/* A block is a line. */
static int write_fig5(FILE *out, cJSON *const *runs, int n)
{
    struct picture p = picture_of(runs, n);
    int rows = 0;
    fputs("# device_number\tkernel_number\ttime_number\tline_number\tdevice\tkernel\tline\tgroups"
          "\tshare\tmedian_ns\tp95_ns\tperiod_goal_ns\n",
          out);
    for (size_t t = 0; t < CB_COUNTOF(times); t++)
        for (int i = 0, devices = 0; i < p.n_run_devices; i++)
            rows += write_times(out, &p, i, &devices, &times[t], rows);
    free_picture(&p);
    return rows;
}

/* ---- Fig. 6 ---------------------------------------------------------------------------------- */

/* The fields of a row from its barrier on. */
static void write_cost(FILE *out, const cJSON *row)
{
    static const char *const metrics[] = {"overhead", "period"};
    static const char *const statistics[] = {"median", "q1", "q3"};
    char tasks[CB_MULTITASK_NAME];
    cb_figure_text(out, cb_row_text(row, "barrier"));
    cb_figure_text(out, cb_multitask_name(row, tasks));
    write_groups(out, row);
    cb_figure_number(out, cb_row_number(row, "period_ns"));
    for (size_t m = 0; m < CB_COUNTOF(metrics); m++)
        for (size_t s = 0; s < CB_COUNTOF(statistics); s++)
            cb_figure_number(out, cb_json_metric(row, metrics[m], statistics[s]));
    fputc('\n', out);
}

/* The mean of the overhead's logarithm over all points of a kernel with a barrier; how many. */
static int cost_of(const cJSON *const *points, int n, const cJSON *like, double *cost)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < n; i++)
        if (cb_rows_same(points[i], like, kernel_and_barrier)) {
            sum += log(cb_json_metric(points[i], "overhead", "median"));
            count++;
        }
    *cost = sum / count;
    return count;
}

/* A point with the barrier that serves a kernel best: with the most points, and of these with the
 * least overhead. */
static const cJSON *best_barrier(const cJSON *const *points, int n, const cJSON *like)
{
    const cJSON *best = NULL;
    int most = 0;
    double least = INFINITY, cost;
    for (int i = 0; i < n; i++) {
        if (!cb_rows_same(points[i], like, kernel) ||
            (i > 0 && cb_rows_same(points[i - 1], points[i], kernel_and_barrier)))
            continue;
        int count = cost_of(points, n, points[i], &cost);
        if (count < most || (count == most && !(cost < least)))
            continue;
        best = points[i];
        most = count;
        least = cost;
    }
    return best;
}

/* A block is a line: a workload beside a kernel, with the barrier that serves the kernel best. */
static int write_costs(FILE *out, struct picture *p, int run_device, int device, int rows_before)
{
    static const char *const line[] = {"app",      "input", "beside", "barrier",
                                       "workload", "task",  NULL};
    const cJSON **points, *best = NULL, *last = NULL;
    int n = list_points(&p->run_devices[run_device], line, &points), rows = 0;
    for (int i = 0; i < n; i++) {
        const cJSON *row = points[i];
        if (!best || !cb_rows_same(best, row, kernel))
            best = best_barrier(points, n, row);
        if (!cb_rows_same(best, row, barrier))
            continue;
        bool begins = !last || !cb_rows_same(last, row, line);
        fputs(begins && rows_before + rows > 0 ? "\n\n" : "", out);
        fprintf(out, "%d\t%d\t%d", device, field_of(p, row, KERNEL), field_of(p, row, WORKLOAD));
        write_kernel(out, p, run_device, row);
        write_cost(out, row);
        last = row;
        rows++;
    }
    free(points);
    return rows;
}

static int write_fig6(FILE *out, cJSON *const *runs, int n)
{
    struct picture p = picture_of(runs, n);
    int rows = 0;
    fputs(CB_FIG6_HEADS, out);
    for (int i = 0, devices = 0; i < p.n_run_devices; i++) {
        int written = write_costs(out, &p, i, devices, rows);
        rows += written;
        devices += written > 0;
    }
    free_picture(&p);
    return rows;
}

/* ---- Fig. 6 over all pairs ------------------------------------------------------------------- */

/* The lines of a device: a block for each workload and barrier. */
static int write_pairs(FILE *out, int device, const char *name, const cJSON *document,
                       int rows_before)
{
    static const char *const line[] = {"workload", "task", "barrier", NULL};
    const struct cb_rows all = {.run = document, .bench = CB_OVER_PAIRS};
    const cJSON **rows;
    char tasks[CB_MULTITASK_NAME];
    cJSON *barriers = NULL, *workloads = NULL;
    int n = cb_rows_list(&all, &rows);
    cb_rows_sort(rows, n, line, NULL);
    for (int i = 0; i < n; i++) {
        bool begins = i == 0 || !cb_rows_same(rows[i - 1], rows[i], line);
        fputs(begins && rows_before + i > 0 ? "\n\n" : "", out);
        fprintf(out, "%d\t%d\t%d", device,
                cb_json_add_once(&barriers, cb_row_text(rows[i], "barrier")),
                cb_json_add_once(&workloads, cb_multitask_name(rows[i], tasks)));
        cb_figure_text(out, name);
        fprintf(out, "\t\"median over %.0f pairs\"", cb_json_metric(rows[i], "pairs", "median"));
        write_cost(out, rows[i]);
    }
    free(rows);
    cJSON_Delete(barriers);
    cJSON_Delete(workloads);
    return n;
}

int cb_over_pairs_figure(FILE *out, cJSON *const *runs, int n)
{
    struct cb_run_device *run_devices;
    int n_run_devices = cb_run_devices(runs, n, "multitask", &run_devices), devices = 0, rows = 0;
    fputs(CB_FIG6_HEADS, out);
    for (int i = 0; i < n_run_devices; i++) {
        struct cb_rows all = cb_figure_rows(&run_devices[i], "multitask");
        cb_multitask_one_system(&all);
        cJSON *document = cb_over_pairs_of(&all);
        int written = write_pairs(out, devices, cb_json_text(run_devices[i].device, "name", ""),
                                  document, rows);
        rows += written;
        devices += written > 0;
        cJSON_Delete(document);
    }
    free(run_devices);
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
    {"together_stp", "plots/together_stp.gp",
     "Two apps in one megakernel: what they do, 1 as much as one after the other (STP)",
     cb_together_figure},
    {"together_share", "plots/together_share.gp",
     "Two apps in one megakernel: workgroups over time, as policies share them out",
     cb_together_shares},
    {0},
};
