/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/json.h"

static const cJSON *params_of(const cJSON *item)
{
    return cJSON_GetObjectItemCaseSensitive(item, "params");
}

static bool has_tasks(const cJSON *item)
{
    return strcmp(cb_json_text(item, "bench", ""), "multitask") == 0 &&
           cb_json_text(params_of(item), "workload", NULL) &&
           strcmp(cb_json_text(item, "status", ""), "ok") == 0;
}

/* ---- Fig. 1: the first trace there is -------------------------------------------------------- */

/* The file of a case's trace: as multitask.c names it. */
static FILE *open_trace(const cJSON *item)
{
    char path[1024], name[256];
    const cJSON *params = params_of(item);
    const char *folder = cb_json_text(params, "trace", NULL);
    if (!folder || !has_tasks(item))
        return NULL;
    snprintf(name, sizeof name, "%s-%s-%s-%s.tsv", cb_json_text(params, "app", ""),
             cb_json_text(params, "workload", ""), cb_json_text(params, "groups", ""),
             cb_json_text(params, "barrier", ""));
    for (char *c = name; *c; c++)
        *c = *c == '/' ? '_' : *c;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "re");
}

static int write_fig1(FILE *out, cJSON *const *runs, int n)
{
    const cJSON *item;
    for (int i = 0; i < n; i++)
        cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(runs[i], "cases")) {
            FILE *trace = open_trace(item);
            char line[256];
            int lines = 0;
            while (trace && fgets(line, sizeof line, trace)) {
                fputs(line, out);
                lines++;
            }
            if (trace)
                fclose(trace);
            if (lines > 0)
                return lines;
        }
    return 0;
}

/* ---- Figs. 5 and 6: against the workgroups of a task ----------------------------------------- */

struct point {
    const char *device, *app, *input, *workload, *barrier;
    const cJSON *item;
    double groups;
};

static int by_text(const char *a, const char *b)
{
    return strcmp(a, b);
}

static int compare(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    int order = by_text(x->device, y->device);
    order = order ? order : by_text(x->app, y->app);
    order = order ? order : by_text(x->input, y->input);
    order = order ? order : by_text(x->workload, y->workload);
    order = order ? order : by_text(x->barrier, y->barrier);
    return order ? order : (x->groups > y->groups) - (x->groups < y->groups);
}

static const char *device_name(const cJSON *run, const char *id)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices"))
        if (strcmp(cb_json_text(device, "id", ""), id) == 0)
            return cb_json_text(device, "name", id);
    return id;
}

/* All cases with tasks, sorted into lines; the caller frees them. */
static struct point *points_of(cJSON *const *runs, int n, int *n_points)
{
    size_t room = 1;
    for (int i = 0; i < n; i++)
        room += (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(runs[i], "cases"));
    struct point *points = calloc(room, sizeof *points);
    const cJSON *item;
    *n_points = 0;
    for (int i = 0; i < n && points; i++)
        cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(runs[i], "cases")) {
            const cJSON *params = params_of(item);
            if (!has_tasks(item))
                continue;
            points[(*n_points)++] = (struct point){
                .device = device_name(runs[i], cb_json_text(item, "device", "")),
                .app = cb_json_text(params, "app", ""),
                .input = cb_json_text(params, "input", ""),
                .workload = cb_json_text(params, "workload", ""),
                .barrier = cb_json_text(params, "barrier", ""),
                .item = item,
                .groups = cb_json_metric(item, "task_groups", "median"),
            };
        }
    if (points)
        qsort(points, (size_t)*n_points, sizeof *points, compare);
    return points;
}

/* Texts go into quoted fields of gnuplot's data. */
static void write_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        fputc(*text == '"' || *text == '\\' || *text == '\t' || *text == '\n' || *text == '`'
                  ? ' '
                  : *text,
              out);
    fputs("\"\t", out);
}

/* A block is a line of the picture: an app on a device with a workload and a barrier. */
static int write_lines(FILE *out, cJSON *const *runs, int n)
{
    static const char *const metrics[][2] = {
        {"gather_time", "median"}, {"gather_time", "p95"}, {"exec_time", "median"},
        {"overhead", "median"},    {"overhead", "q1"},     {"overhead", "q3"},
        {"period", "median"},
    };
    int n_points;
    struct point *points = points_of(runs, n, &n_points);
    fputs("# device\tapp\tworkload\tbarrier\tgroups\tworkers\tperiod_goal_ms\tgather_ms\t"
          "gather_p95_ms\texec_ms\toverhead\toverhead_q1\toverhead_q3\tperiod_ms\n",
          out);
    for (int i = 0; points && i < n_points; i++) {
        const struct point *p = &points[i];
        char app[160];
        if (i > 0 && (by_text(p->device, p[-1].device) || by_text(p->app, p[-1].app) ||
                      by_text(p->input, p[-1].input) || by_text(p->workload, p[-1].workload) ||
                      by_text(p->barrier, p[-1].barrier)))
            fputs("\n\n", out);
        snprintf(app, sizeof app, "%s %s", p->app, p->input);
        write_text(out, p->device);
        write_text(out, app);
        write_text(out, p->workload);
        write_text(out, p->barrier);
        fprintf(out, "%.6g\t%.6g\t%.6g", p->groups, cb_json_metric(p->item, "workers", "median"),
                cb_json_number(params_of(p->item), "period_ns") / 1e6);
        for (size_t m = 0; m < CB_COUNTOF(metrics); m++) {
            double value = cb_json_metric(p->item, metrics[m][0], metrics[m][1]);
            bool ratio = strcmp(metrics[m][0], "overhead") == 0;
            if (isnan(value))
                fputs("\tNaN", out);
            else
                fprintf(out, "\t%.6g", ratio ? value : value / 1e6);
        }
        fputc('\n', out);
    }
    free(points);
    return points ? n_points : 0;
}

const struct cb_figure cb_multitask_figures[] = {
    {"fse17_fig1", "plots/gantt.gp", "Workgroups of a cooperative kernel beside tasks", write_fig1},
    {"fse17_fig5", "plots/multitask_fig5.gp", "Gather time and time of a task", write_lines},
    {"fse17_fig6", "plots/multitask_fig6.gp",
     "Cost of multitasking for the cooperative kernel, and the period of the tasks", write_lines},
    {0},
};
