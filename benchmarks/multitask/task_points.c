/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/multitask/task_points.h"

#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"

/* ---- Rows ------------------------------------------------------------------------------------ */

static struct cb_rows rows_at(const struct cb_run_device *place)
{
    struct cb_rows rows = cb_figure_rows(place, "multitask");
    cb_rows_have(&rows, "workload");
    rows.metric = "task_groups";
    return rows;
}

static void add_place(struct cb_task_points *p, int place)
{
    const struct cb_rows rows = rows_at(&p->places[place]);
    int device = 0;
    if (p->n > 0)
        device = p->points[p->n - 1].device + 1;
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        double groups = cb_json_metric(row, "task_groups", "median");
        if (groups >= 1) {
            p->points[p->n] = (struct cb_task_point){
                .row = row, .groups = groups, .place = place, .device = device, .index = p->n};
            p->n++;
        }
    }
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static void number_fields(struct cb_task_points *p, const cJSON *const *rows, int *numbers)
{
    static const char *const params[CB_FIELDS][3] = {
        [CB_KERNEL] = {"app", "input"}, [CB_WORKLOAD] = {"workload"}, [CB_BARRIER] = {"barrier"}};
    for (int f = 0; f < CB_FIELDS; f++) {
        cb_rows_number(rows, p->n, params[f], numbers);
        for (int i = 0; i < p->n; i++)
            p->points[i].number[f] = numbers[i];
    }
}

/* Device by device. */
static void number_lines(struct cb_task_points *p, const cJSON *const *rows, int *numbers,
                         const char *const *line)
{
    for (int i = 0, next; i < p->n; i = next) {
        for (next = i + 1; next < p->n && p->points[next].place == p->points[i].place; next++)
            ;
        cb_rows_number(rows + i, next - i, line, numbers + i);
    }
    for (int i = 0; i < p->n; i++)
        p->points[i].line = numbers[i];
}

static void number_all(struct cb_task_points *p, const char *const *line)
{
    int *numbers = calloc((size_t)p->n + 1, sizeof *numbers);
    const cJSON **rows = calloc((size_t)p->n + 1, sizeof(*rows));
    if (!numbers || !rows)
        p->n = 0;
    for (int i = 0; i < p->n; i++)
        rows[i] = p->points[i].row;
    number_fields(p, rows, numbers);
    number_lines(p, rows, numbers, line);
    free(numbers);
    free(rows);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

bool cb_task_points_same_line(const struct cb_task_point *a, const struct cb_task_point *b)
{
    return a->place == b->place && a->line == b->line;
}

static int by_line(const void *a, const void *b)
{
    const struct cb_task_point *x = a, *y = b;
    if (x->place != y->place)
        return x->place - y->place;
    if (x->line != y->line)
        return x->line - y->line;
    int order = (x->groups > y->groups) - (x->groups < y->groups);
    return order ? order : x->index - y->index;
}

/* Whether one of n points, which are sorted, stands for a point that comes next. */
static bool is_known(const struct cb_task_point *points, int n, const struct cb_task_point *next)
{
    for (int i = n - 1; i >= 0; i--) {
        const struct cb_task_point *p = &points[i];
        if (!cb_task_points_same_line(p, next) || p->groups != next->groups)
            return false;
        if (memcmp(p->number, next->number, sizeof p->number) == 0)
            return true;
    }
    return false;
}

static void sort_points(struct cb_task_points *p)
{
    int kept = 0;
    if (p->n > 0)
        qsort(p->points, (size_t)p->n, sizeof *p->points, by_line);
    for (int i = 0; i < p->n; i++)
        if (!is_known(p->points, kept, &p->points[i]))
            p->points[kept++] = p->points[i];
    p->n = kept;
}

struct cb_task_points cb_task_points_of(cJSON *const *runs, int n, const char *const *line)
{
    struct cb_task_points p = {0};
    size_t room = 1;
    p.n_places = cb_run_devices(runs, n, NULL, &p.places);
    for (int i = 0; i < p.n_places; i++) {
        const struct cb_rows rows = rows_at(&p.places[i]);
        room += (size_t)cb_rows_count(&rows);
    }
    p.points = calloc(room, sizeof *p.points);
    for (int i = 0; p.points && i < p.n_places; i++)
        add_place(&p, i);
    number_all(&p, line);
    sort_points(&p);
    return p;
}

void cb_task_points_free(struct cb_task_points *points)
{
    free(points->places);
    free(points->points);
}
