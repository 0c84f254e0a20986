/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/history/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/compare/choice.h"

#define SIZE 4096 /* of the hash: chains of a few, for thousands of series */

/* ---- Finding --------------------------------------------------------------------------------- */

static unsigned add_hash(unsigned h, const char *text)
{
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return h * 16777619u;
}

static unsigned hash_of(const struct cb_run_case *c, const struct cb_measurement *m)
{
    return add_hash(add_hash(add_hash(2166136261u, c->id), c->device), m->name);
}

static bool is_of(const struct cb_case_series *s, const struct cb_run_case *c,
                  const struct cb_measurement *m)
{
    return strcmp(s->c->id, c->id) == 0 && strcmp(s->c->device, c->device) == 0 &&
           strcmp(s->m->name, m->name) == 0 && strcmp(s->m->unit, m->unit) == 0;
}

/* NULL: no memory. */
static struct cb_case_series *series_of(struct cb_all_series *all, const struct cb_run_case *c,
                                        const struct cb_measurement *m)
{
    int *head = &all->heads[hash_of(c, m) & all->mask];
    for (int i = *head; i >= 0; i = all->items[i].next)
        if (is_of(&all->items[i], c, m))
            return &all->items[i];
    if (all->n == all->room) {
        const int room = all->room ? 2 * all->room : 256;
        struct cb_case_series *items = realloc(all->items, (size_t)room * sizeof *items);
        if (!items)
            return NULL;
        all->items = items;
        all->room = room;
    }
    all->items[all->n] = (struct cb_case_series){.c = c, .m = m, .next = *head};
    *head = all->n;
    return &all->items[all->n++];
}

/* ---- Making ---------------------------------------------------------------------------------- */

static bool append(struct cb_case_series *s, int run, const struct cb_run_case *c,
                   const struct cb_measurement *m)
{
    if (s->n == s->room) {
        const int room = s->room ? 2 * s->room : 16;
        struct cb_series_value *values = realloc(s->values, (size_t)room * sizeof *values);
        if (!values)
            return false;
        s->values = values;
        s->room = room;
    }
    const double speed = m->core_speed ? m->core_speed->side.median : NAN;
    s->values[s->n++] = (struct cb_series_value){run, c, m->side.median, speed, 0};
    s->c = c;
    s->m = m;
    return true;
}

static bool add_case(struct cb_all_series *all, int run, const struct cb_run_case *c,
                     const cJSON *options)
{
    if (!cb_run_case_ok(c) || !cb_compare_wants_case(options, c->id))
        return true;
    for (int i = 0; i < c->n_metrics; i++) {
        const struct cb_measurement *m = &c->metrics[i];
        if (m->flaw || cb_compare_wants_metric(options, c, m) != CB_WANTED)
            continue;
        struct cb_case_series *s = series_of(all, c, m);
        if (!s || !append(s, run, c, m))
            return false;
    }
    return true;
}

enum cb_status cb_all_series_make(const struct cb_run_table *runs, int n, const cJSON *options,
                                  struct cb_all_series *out, struct cb_err *err)
{
    *out = (struct cb_all_series){
        .runs = runs, .n_runs = n, .heads = malloc(SIZE * sizeof *out->heads), .mask = SIZE - 1};
    bool done = out->heads != NULL;
    for (int i = 0; done && i < SIZE; i++)
        out->heads[i] = -1;
    for (int run = 0; run < n; run++)
        for (int i = 0; done && i < runs[run].count; i++)
            done = add_case(out, run, &runs[run].cases[i], options);
    if (!done)
        return cb_fail(err, CB_ERROR, "out of memory");
    if (out->n == 0)
        return cb_fail(err, CB_USAGE,
                       "None of the runs has a case that is ok, with a metric of which one way is "
                       "better%s",
                       cb_compare_chooses(options) ? ", as --filter, --exclude and --metric choose"
                                                   : "");
    return CB_OK;
}

void cb_all_series_free(struct cb_all_series *all)
{
    for (int i = 0; i < all->n; i++)
        free(all->items[i].values);
    free(all->items);
    free(all->heads);
    *all = (struct cb_all_series){0};
}
