/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/history/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/choice.h"
#include "measure/text/json.h"

#define SIZE 4096 /* size of the hash table: chains of a few, for thousands of series */

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
    return strcmp(s->first->id, c->id) == 0 && strcmp(s->first->device, c->device) == 0 &&
           strcmp(s->m->name, m->name) == 0 && strcmp(s->m->unit, m->unit) == 0;
}

/* Whether a series is of the case, whose input is called otherwise. */
static bool is_of_alias(const struct cb_case_series *s, const struct cb_run_case *c,
                        const struct cb_measurement *m)
{
    return strcmp(s->m->name, m->name) == 0 && strcmp(s->m->unit, m->unit) == 0 &&
           (cb_run_case_is_alias(s->first, c) || cb_run_case_is_alias(s->c, c));
}

/* NULL: no memory. */
static struct cb_case_series *series_of(struct cb_all_series *all, const struct cb_run_case *c,
                                        const struct cb_measurement *m)
{
    int *head = &all->heads[hash_of(c, m) & all->mask];
    for (int i = *head; i >= 0; i = all->items[i].next)
        if (is_of(&all->items[i], c, m))
            return &all->items[i];
    for (int i = 0; i < all->n && c->inputs; i++)
        if (is_of_alias(&all->items[i], c, m))
            return &all->items[i];
    if (all->n == all->room) {
        const int room = all->room ? 2 * all->room : 256;
        struct cb_case_series *items = realloc(all->items, (size_t)room * sizeof *items);
        if (!items)
            return NULL;
        all->items = items;
        all->room = room;
    }
    all->items[all->n] = (struct cb_case_series){.first = c, .c = c, .m = m, .next = *head};
    *head = all->n;
    return &all->items[all->n++];
}

/* ---- Making ---------------------------------------------------------------------------------- */

static bool append(struct cb_case_series *s, int run, const struct cb_run_case *c,
                   const struct cb_measurement *m, const struct cb_level *level)
{
    if (s->n == s->room) {
        const int room = s->room ? 2 * s->room : 16;
        struct cb_series_value *values = realloc(s->values, (size_t)room * sizeof *values);
        if (!values)
            return false;
        s->values = values;
        s->room = room;
    }
    s->values[s->n++] = (struct cb_series_value){run, c, level->median, level->speed, 0};
    s->c = c;
    s->m = m;
    return true;
}

enum { NOT_SOUGHT, UNWANTED, FIRST }; /* FIRST + index of the series */

/* The series of the metrics of each layout, as far as they were sought. */
struct indices {
    int **of; /* indices by the number of the layout */
    int n;
};

/* NULL: no memory. */
static int *indices_of(struct indices *p, const struct cb_layout *layout)
{
    if (layout->number >= p->n) {
        const int n = 2 * layout->number + 16;
        int **of = realloc(p->of, (size_t)n * sizeof *of);
        if (!of)
            return NULL;
        memset(of + p->n, 0, (size_t)(n - p->n) * sizeof *of);
        p->of = of;
        p->n = n;
    }
    if (!p->of[layout->number])
        p->of[layout->number] = calloc((size_t)layout->n_metrics + 1, sizeof(int));
    return p->of[layout->number];
}

static bool find_index(struct cb_all_series *all, const struct cb_run_case *c,
                       const struct cb_measurement *m,
                       const struct cb_compare_choice_options *choice, int *at)
{
    *at = UNWANTED;
    if (!cb_compare_wants_case(choice, c->id) || cb_compare_wants_metric(choice, c, m) != CB_WANTED)
        return true;
    const struct cb_case_series *s = series_of(all, c, m);
    *at = s ? FIRST + (int)(s - all->items) : UNWANTED;
    return s != NULL;
}

static bool add_case(struct cb_all_series *all, int run, const struct cb_run_case *c, int *indices,
                     const struct cb_compare_choice_options *choice)
{
    const struct cb_measurement *first = all->runs[run].layout->table.metrics;
    for (const struct cb_measurement *m = c->metrics; m < c->metrics + c->n_metrics; m++) {
        const struct cb_level *level = &all->runs[run].levels[m - first];
        int *at = &indices[m - first];
        if (!isfinite(level->median))
            continue;
        if (*at == NOT_SOUGHT && !find_index(all, c, m, choice, at))
            return false;
        if (*at >= FIRST && !append(&all->items[*at - FIRST], run, c, m, level))
            return false;
    }
    return true;
}

static bool add_runs(struct cb_all_series *all, const struct cb_compare_choice_options *choice)
{
    struct indices p = {0};
    bool done = true;
    for (int run = 0; run < all->n_runs && done; run++) {
        const struct cb_layout *layout = all->runs[run].layout;
        int *indices = indices_of(&p, layout);
        done = indices != NULL;
        for (int i = 0; i < layout->table.count && done; i++)
            done = add_case(all, run, &layout->table.cases[i], indices, choice);
    }
    for (int i = 0; i < p.n; i++)
        free(p.of[i]);
    free(p.of);
    return done;
}

/* ---- Cases that are right or wrong ----------------------------------------------------------- */

static bool has_direction(const struct cb_run_case *c)
{
    for (int i = 0; i < c->n_metrics; i++)
        if (c->metrics[i].better != CB_NEITHER)
            return true;
    return false;
}

/* The first value that a run has of a case of which no way is better; NULL: none. */
static const struct cb_measurement *undirected_of(const struct cb_stored_run *run, const char *id,
                                                  const char *device, const struct cb_run_case **c)
{
    const struct cb_run_table *t = &run->layout->table;
    *c = cb_run_table_find(t, id, device);
    for (int i = 0; *c && i < (*c)->n_metrics && !has_direction(*c); i++)
        if (isfinite(run->levels[&(*c)->metrics[i] - t->metrics].median))
            return &(*c)->metrics[i];
    return NULL;
}

static bool add_undirected(struct cb_all_series *all, const char *id, const char *device)
{
    const struct cb_run_case *c;
    for (int i = all->n_judged; i < all->n; i++)
        if (strcmp(all->items[i].c->id, id) == 0 && strcmp(all->items[i].c->device, device) == 0)
            return true; /* there is one */
    for (int run = 0; run < all->n_runs; run++) {
        const struct cb_stored_run *r = &all->runs[run];
        const struct cb_measurement *m = undirected_of(r, id, device, &c);
        struct cb_case_series *s = m ? series_of(all, c, m) : NULL;
        if (m && (!s || !append(s, run, c, m, &r->levels[m - r->layout->table.metrics])))
            return false;
    }
    return true;
}

/* Cases that failed in a run, and otherwise are right: nothing but that can be told of them. */
static bool add_failed(struct cb_all_series *all, const struct cb_compare_choice_options *choice)
{
    const cJSON *failure;
    all->n_judged = all->n;
    for (int run = 0; run < all->n_runs && choice->metrics.n == 0; run++)
        cJSON_ArrayForEach (failure, cb_stored_run_failures(&all->runs[run])) {
            const char *id = cb_json_text(failure, "id", "");
            if (cb_compare_wants_case(choice, id) &&
                !add_undirected(all, id, cb_json_text(failure, "device", "")))
                return false;
        }
    return true;
}

enum cb_status cb_all_series_make(const struct cb_stored_run *runs, int n,
                                  const struct cb_compare_choice_options *choice,
                                  struct cb_all_series *out, struct cb_err *err)
{
    *out = (struct cb_all_series){
        .runs = runs, .n_runs = n, .heads = malloc(SIZE * sizeof *out->heads), .mask = SIZE - 1};
    for (int i = 0; i < SIZE && out->heads; i++)
        out->heads[i] = -1;
    if (!out->heads || !add_runs(out, choice) || !add_failed(out, choice))
        return cb_no_memory(err);
    int disturbed = 0;
    for (int i = 0; i < n; i++)
        disturbed += cb_stored_run_disturbed(&runs[i]);
    if (out->n == 0)
        return cb_compare_nothing(choice, disturbed, err);
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
