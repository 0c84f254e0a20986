/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/multitask/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/multitask/over_pairs.h"
#include "measure/run/figure.h"
#include "measure/run/folder.h"
#include "measure/text/json.h"

static bool has_tasks(const cJSON *item)
{
    return strcmp(cb_json_text(item, "bench", ""), "multitask") == 0 &&
           cb_json_text(cb_json_params(item), "workload", NULL) &&
           strcmp(cb_json_text(item, "status", ""), "ok") == 0;
}

/* ---- Fig. 1: the first trace there is -------------------------------------------------------- */

static FILE *open_trace(const cJSON *run, const cJSON *item)
{
    char path[1024];
    const char *trace = cb_json_text(cb_json_params(item), "trace", NULL);
    if (!trace || !has_tasks(item))
        return NULL;
    snprintf(path, sizeof path, "%s.tsv", trace);
    return cb_run_open_signed(path, run);
}

static int write_fig1(FILE *out, cJSON *const *runs, int n)
{
    const cJSON *item;
    for (int i = 0; i < n; i++)
        cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(runs[i], "cases")) {
            FILE *trace = open_trace(runs[i], item);
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

/* What the points of a line have in common; numbered across the picture, as they first appear. */
enum field { PLACE, KERNEL, WORKLOAD, BARRIER, FIELDS };
#define BIT(field) (1u << (field))

/* A case with tasks that is ok. */
struct point {
    const cJSON *item;
    const struct cb_run_device *place;
    int number[FIELDS];
    double groups;
};

struct picture {
    struct cb_run_device *places;
    struct point *points;
    const struct point **line; /* room for what collect() finds */
    int n_places, n_points;
};

static const char *text_of(const struct point *p, enum field field)
{
    static const char *const keys[] = {"", "app", "workload", "barrier"};
    return cb_json_text(cb_json_params(p->item), keys[field], "");
}

static double period_of(const struct point *p)
{
    return cb_json_number(cb_json_params(p->item), "period_ns");
}

static bool is_same(const struct point *a, const struct point *b, enum field field)
{
    if (field == PLACE)
        return a->place == b->place;
    return strcmp(text_of(a, field), text_of(b, field)) == 0 &&
           (field != KERNEL || strcmp(cb_json_text(cb_json_params(a->item), "input", ""),
                                      cb_json_text(cb_json_params(b->item), "input", "")) == 0);
}

static void number_point(struct picture *p, struct point *new)
{
    for (int f = 0; f < FIELDS; f++) {
        int next = 0, known = -1;
        for (const struct point *old = p->points; old < new &&known < 0; old++) {
            known = is_same(old, new, (enum field)f) ? old->number[f] : -1;
            next = old->number[f] >= next ? old->number[f] + 1 : next;
        }
        new->number[f] = known < 0 ? next : known;
    }
}

static void add_place(struct picture *p, const cJSON *run, const cJSON *device)
{
    struct cb_run_device *place = &p->places[p->n_places++];
    const cJSON *item;
    *place = (struct cb_run_device){run, device};
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases")) {
        double groups = cb_json_metric(item, "task_groups", "median");
        if (!has_tasks(item) || !(groups >= 1) ||
            strcmp(cb_json_text(item, "device", ""), cb_json_text(device, "id", "")) != 0)
            continue;
        struct point *point = &p->points[p->n_points];
        *point = (struct point){.item = item, .place = place, .groups = groups};
        number_point(p, point);
        p->n_points++;
    }
}

/* Empty if there is no memory. */
static struct picture picture_of(cJSON *const *runs, int n)
{
    size_t places = 1, points = 1;
    const cJSON *device;
    for (int i = 0; i < n; i++) {
        int devices = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(runs[i], "devices"));
        int cases = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(runs[i], "cases"));
        places += (size_t)devices;
        points += (size_t)cases * (size_t)devices; /* two devices may claim one id */
    }
    struct picture p = {.places = calloc(places, sizeof *p.places),
                        .points = calloc(points, sizeof *p.points),
                        .line = calloc(points, sizeof(*p.line))};
    if (!p.places || !p.points || !p.line)
        return p;
    for (int i = 0; i < n; i++)
        cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(runs[i], "devices"))
            add_place(&p, runs[i], device);
    return p;
}

static void free_picture(struct picture *p)
{
    free(p->places);
    free(p->points);
    free(p->line);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static bool is_in_line(const struct point *a, const struct point *b, unsigned fields)
{
    for (int f = 0; f < FIELDS; f++)
        if ((fields & BIT(f)) && a->number[f] != b->number[f])
            return false;
    return true;
}

/* Whether no point before it has the same fields. */
static bool begins_line(const struct picture *p, const struct point *point, unsigned fields)
{
    for (const struct point *old = p->points; old < point; old++)
        if (is_in_line(old, point, fields))
            return false;
    return true;
}

static int by_groups(const void *a, const void *b)
{
    const struct point *x = *(const struct point *const *)a;
    const struct point *y = *(const struct point *const *)b;
    int order = (x->groups > y->groups) - (x->groups < y->groups);
    return order ? order : (x > y) - (x < y);
}

/* The points that agree with this one in some fields, by workgroups. Of several that differ in
 * nothing but the text ("1" and "N/4" of 7), the first of the document stands for all. Returns
 * their number. */
static int collect(const struct picture *p, const struct point *like, unsigned fields)
{
    const unsigned all = BIT(FIELDS) - 1;
    int n = 0;
    for (int i = 0; i < p->n_points; i++) {
        const struct point *point = &p->points[i];
        bool known = !is_in_line(point, like, fields);
        for (int k = 0; k < n && !known; k++)
            known = p->line[k]->groups == point->groups && is_in_line(p->line[k], point, all);
        if (!known)
            p->line[n++] = point;
    }
    qsort(p->line, (size_t)n, sizeof(*p->line), by_groups);
    return n;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of a statistic over some points of one number of workgroups; NaN if none has it. */
static double median_of(const struct point *const *points, int n, const char *metric,
                        const char *statistic)
{
    double *values = calloc((size_t)n, sizeof *values);
    int known = 0;
    for (int i = 0; values && i < n; i++) {
        double value = cb_json_metric(points[i]->item, metric, statistic);
        if (!isnan(value))
            values[known++] = value;
    }
    if (known)
        qsort(values, (size_t)known, sizeof *values, by_value);
    double median = known ? (values[(known - 1) / 2] + values[known / 2]) / 2 : NAN;
    free(values);
    return median;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static void write_place(FILE *out, const struct picture *p, const struct cb_run_device *place)
{
    char label[CB_LABEL_BYTES];
    cb_figure_label_device(p->places, p->n_places, (int)(place - p->places), label);
    cb_figure_text(out, label);
}

/* "bfs grid:300x300" */
static void write_kernel(FILE *out, const struct point *point)
{
    char label[CB_LABEL_BYTES] = "";
    cb_figure_label_append(label, text_of(point, KERNEL));
    if (strlen(label) + 1 < sizeof label)
        strcat(label, " ");
    cb_figure_label_append(label, cb_json_text(cb_json_params(point->item), "input", ""));
    cb_figure_text(out, label);
}

/* 33 and "N/4"; a text that is only the number is left out. */
static void write_groups(FILE *out, const struct point *point)
{
    const char *text = cb_json_text(cb_json_params(point->item), "groups", "");
    cb_figure_number(out, point->groups);
    cb_figure_text(out, text[0] == 'N' ? text : "");
}

/* ---- Fig. 5 ---------------------------------------------------------------------------------- */

enum time { GATHER, EXEC };

/* Each number of workgroups of a line is a row: of several workloads (gather time) or barriers
 * (execution time), it has the median. */
static int write_times(FILE *out, const struct picture *p, const struct point *like, enum time time)
{
    static const char *const metrics[] = {"gather_time", "exec_time"};
    enum field field = time == GATHER ? BARRIER : WORKLOAD;
    int n = collect(p, like, BIT(PLACE) | BIT(KERNEL) | BIT(field)), rows = 0;
    for (int i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && p->line[next]->groups == p->line[i]->groups; next++)
            ;
        double median = median_of(&p->line[i], next - i, metrics[time], "median");
        if (!(median > 0)) /* the axis is logarithmic; and nothing was gathered, maybe */
            continue;
        fprintf(out, "%d\t%d\t%d\t%d", like->number[PLACE], like->number[KERNEL], (int)time,
                like->number[field]);
        write_place(out, p, like->place);
        write_kernel(out, like);
        cb_figure_text(out, text_of(like, field));
        write_groups(out, p->line[i]);
        cb_figure_number(out, median);
        cb_figure_number(out, median_of(&p->line[i], next - i, metrics[time], "p95"));
        cb_figure_number(out, time == EXEC ? period_of(like) : NAN);
        fputc('\n', out);
        rows++;
    }
    return rows;
}

/* A block is a line: the gather time with a barrier, or the execution time in a workload. */
static int write_fig5(FILE *out, cJSON *const *runs, int n)
{
    static const enum field fields[] = {BARRIER, WORKLOAD};
    struct picture p = picture_of(runs, n);
    int rows = 0;
    fputs("# device_number\tkernel_number\ttime_number\tline_number\tdevice\tkernel\tline\tgroups"
          "\tshare\tmedian_ns\tp95_ns\tperiod_goal_ns\n",
          out);
    for (int time = GATHER; time <= EXEC; time++)
        for (int i = 0; i < p.n_points; i++) {
            if (!begins_line(&p, &p.points[i], BIT(PLACE) | BIT(KERNEL) | BIT(fields[time])))
                continue;
            char *block = NULL;
            size_t size = 0;
            FILE *memory = open_memstream(&block, &size);
            int added = memory ? write_times(memory, &p, &p.points[i], (enum time)time) : 0;
            if (memory && fclose(memory) == 0 && added > 0)
                fprintf(out, "%s%s", rows > 0 ? "\n\n" : "", block);
            free(block);
            rows += added;
        }
    free_picture(&p);
    return rows;
}

/* ---- Fig. 6 ---------------------------------------------------------------------------------- */

/* The mean of the overhead's logarithm over all points of a kernel with a barrier. */
static double cost_of(const struct picture *p, const struct point *like, int *n_points)
{
    double sum = 0;
    *n_points = collect(p, like, BIT(PLACE) | BIT(KERNEL) | BIT(BARRIER));
    for (int i = 0; i < *n_points; i++)
        sum += log(cb_json_metric(p->line[i]->item, "overhead", "median"));
    return sum / *n_points;
}

/* The barrier that serves this kernel best: with the most points, and of these with the least
 * overhead. As a point that has it. */
static const struct point *best_barrier(const struct picture *p, const struct point *kernel)
{
    const struct point *best = NULL;
    int most = 0;
    double least = INFINITY;
    for (int i = 0; i < p->n_points; i++) {
        const struct point *point = &p->points[i];
        int n;
        if (!is_in_line(point, kernel, BIT(PLACE) | BIT(KERNEL)) ||
            !begins_line(p, point, BIT(PLACE) | BIT(KERNEL) | BIT(BARRIER)))
            continue;
        double cost = cost_of(p, point, &n);
        if (best && (n < most || (n == most && !(cost < least))))
            continue;
        best = point;
        most = n;
        least = cost;
    }
    return best;
}

static void write_costs(FILE *out, const struct picture *p, const struct point *like, int n)
{
    static const char *const metrics[] = {"overhead", "period"};
    static const char *const statistics[] = {"median", "q1", "q3"};
    for (int i = 0; i < n; i++) {
        const struct point *point = p->line[i];
        fprintf(out, "%d\t%d\t%d", like->number[PLACE], like->number[KERNEL],
                like->number[WORKLOAD]);
        write_place(out, p, like->place);
        write_kernel(out, like);
        cb_figure_text(out, text_of(like, BARRIER));
        cb_figure_text(out, text_of(like, WORKLOAD));
        write_groups(out, point);
        cb_figure_number(out, period_of(point));
        for (size_t m = 0; m < CB_COUNTOF(metrics); m++)
            for (size_t s = 0; s < CB_COUNTOF(statistics); s++)
                cb_figure_number(out, cb_json_metric(point->item, metrics[m], statistics[s]));
        fputc('\n', out);
    }
}

/* A block is a line: a workload beside a kernel, with the barrier that serves the kernel best. */
static int write_fig6(FILE *out, cJSON *const *runs, int n)
{
    const unsigned fields = BIT(PLACE) | BIT(KERNEL) | BIT(BARRIER) | BIT(WORKLOAD);
    struct picture p = picture_of(runs, n);
    int rows = 0;
    fputs(CB_FIG6_HEADS, out);
    for (int i = 0; i < p.n_points; i++) {
        const struct point *point = &p.points[i];
        if (!begins_line(&p, point, fields) ||
            point->number[BARRIER] != best_barrier(&p, point)->number[BARRIER])
            continue;
        int n_line = collect(&p, point, fields);
        fputs(rows > 0 ? "\n\n" : "", out);
        write_costs(out, &p, point, n_line);
        rows += n_line;
    }
    free_picture(&p);
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
