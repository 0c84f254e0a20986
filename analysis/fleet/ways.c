/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/fleet/ways.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"

/* ---- An entry -------------------------------------------------------------------------------- */

static bool has_name(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* Whether a parameter is part of the place. */
static bool is_of_place(const struct cb_choice *choice, const char *param)
{
    return !has_name(choice->params, param) && !has_name(choice->tuned, param) &&
           strcmp(param, "seed") != 0;
}

/* "ops=1000 groups=N "; NULL: no memory. */
static char *place_of(const struct cb_choice *choice, const struct cb_run_case *c, bool by_metric)
{
    const cJSON *param, *params = by_metric ? NULL : c->params;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (by_metric)
        fputs(c->id, out);
    cJSON_ArrayForEach (param, params) {
        const bool told = param->string && is_of_place(choice, param->string);
        char *value = told ? cJSON_PrintUnformatted(param) : NULL;
        if (value)
            fprintf(out, "%s=%s ", param->string, value);
        cJSON_free(value);
    }
    return fclose(out) == 0 ? text : (free(text), NULL);
}

/* Whether the way needs to say this parameter: the entries of a choice have several values of it.
 */
static bool varies(const struct cb_way_entry *entries, int n, const char *param)
{
    const cJSON *first = NULL;
    for (int i = 0; i < n; i++) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(entries[i].c->params, param);
        if (first && value && !cJSON_Compare(first, value, true))
            return true;
        first = first ? first : value;
    }
    return false;
}

/* "ticket, adaptive, wg-size=128": texts speak for themselves. Only of the parameters, a bit each,
 * that are told. */
static char *way_of(const struct cb_choice *choice, const cJSON *params, unsigned told)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool first = true;
    if (!out)
        return NULL;
    for (unsigned i = 0; choice->params[i]; i++) {
        const char *param = choice->params[i];
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(params, param);
        if (!value || !(told & 1u << i))
            continue;
        fputs(first ? "" : ", ", out);
        first = false;
        if (cJSON_IsString(value)) {
            fputs(value->valuestring, out);
        } else {
            char *number = cJSON_PrintUnformatted(value);
            fprintf(out, "%s=%s", param, number ? number : "?");
            cJSON_free(number);
        }
    }
    return fclose(out) == 0 ? text : (free(text), NULL);
}

/* Names the ways of a choice. False: no memory. */
static bool name_ways(struct cb_way_entry *entries, int n)
{
    const struct cb_choice *choice = entries->of;
    unsigned told = 0;
    if (choice->metrics)
        return true;
    for (unsigned i = 0; choice->params[i]; i++)
        told |= varies(entries, n, choice->params[i]) ? 1u << i : 0;
    for (int i = 0; i < n; i++) {
        entries[i].way = way_of(choice, entries[i].c->params, told);
        if (!entries[i].way)
            return false;
    }
    return true;
}

static bool add(struct cb_way_entries *e, struct cb_way_entry entry, const struct cb_measurement *m)
{
    if (e->n == e->room) {
        const int room = e->room ? 2 * e->room : 256;
        struct cb_way_entry *items = realloc(e->items, (size_t)room * sizeof *items);
        e->items = items ? items : e->items;
        e->room = items ? room : e->room;
    }
    if (e->n == e->room || !entry.place || (entry.of->metrics && !entry.way)) {
        free(entry.place);
        free(entry.way);
        return false;
    }
    entry.cost = m->better == CB_HIGHER ? -log(m->side.median) : log(m->side.median);
    e->items[e->n++] = entry;
    return true;
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static bool has_cost(const struct cb_measurement *m)
{
    return m && m->better != CB_NEITHER && m->side.median > 0;
}

static const struct cb_measurement *primary_of(const struct cb_bench *bench,
                                               const struct cb_run_case *c)
{
    for (const struct cb_metric *metric = bench->metrics; metric->name; metric++)
        if (metric->primary)
            return cb_run_case_metric(c, metric->name);
    return NULL;
}

/* Each metric that begins so is a way. */
static bool add_metrics(struct cb_way_entries *e, const struct cb_way_entry *entry)
{
    const size_t n = strlen(entry->of->metrics);
    for (int i = 0; i < entry->c->n_metrics; i++) {
        const struct cb_measurement *m = &entry->c->metrics[i];
        struct cb_way_entry one = *entry;
        if (strncmp(m->name, entry->of->metrics, n) != 0 || !has_cost(m))
            continue;
        one.place = place_of(entry->of, entry->c, true);
        one.way = strdup(m->name + n);
        if (!add(e, one, m))
            return false;
    }
    return true;
}

static bool add_case(struct cb_way_entries *e, const struct cb_fleet_case *fc,
                     const struct cb_bench *bench, const struct cb_choice *choice)
{
    const struct cb_run_case *c = fc->c;
    const struct cb_measurement *m = primary_of(bench, c);
    struct cb_way_entry entry = {
        .bench = bench, .choice = choice->name, .of = choice, .device = fc->device, .c = c};
    if (choice->within)
        entry.choice = cb_json_text(c->params, choice->within, choice->name);
    if (choice->metrics)
        return add_metrics(e, &entry);
    if (!has_cost(m) || (choice->only_compared && choice->only_compared(c->params)))
        return true;
    entry.place = place_of(choice, c, false);
    return add(e, entry, m);
}

/* ---- Order ----------------------------------------------------------------------------------- */

static int compare_choices(const struct cb_way_entry *x, const struct cb_way_entry *y)
{
    const int benches = strcmp(x->bench->id, y->bench->id);
    if (benches || x->of != y->of)
        return benches ? benches : x->of < y->of ? -1 : 1;
    return strcmp(x->choice, y->choice);
}

static int compare_places(const struct cb_way_entry *x, const struct cb_way_entry *y)
{
    const int choices = compare_choices(x, y);
    if (choices || x->device != y->device)
        return choices ? choices : x->device - y->device;
    return strcmp(x->place, y->place);
}

static int by_place(const void *a, const void *b)
{
    const struct cb_way_entry *x = a, *y = b;
    const int places = compare_places(x, y);
    return places ? places : (x->cost > y->cost) - (x->cost < y->cost);
}

int cb_way_choice_end(const struct cb_way_entry *entries, int n, int begin)
{
    int end = begin;
    while (end < n && compare_choices(&entries[begin], &entries[end]) == 0)
        end++;
    return end;
}

int cb_way_place_end(const struct cb_way_entry *entries, int n, int begin)
{
    int end = begin;
    while (end < n && compare_places(&entries[begin], &entries[end]) == 0)
        end++;
    return end;
}

/* ---- All ------------------------------------------------------------------------------------- */

bool cb_way_entries_make(const struct cb_fleet_devices *d, struct cb_way_entries *out)
{
    bool done = true;
    *out = (struct cb_way_entries){0};
    for (int i = 0; i < d->n_cases && done; i++) {
        const struct cb_fleet_case *fc = &d->cases[i];
        const struct cb_bench *bench = cb_bench_find(fc->c->bench);
        if (!bench || !bench->choices || !cb_run_case_ok(fc->c) || fc->other)
            continue;
        for (const struct cb_choice *choice = bench->choices; choice->name && done; choice++)
            done = add_case(out, fc, bench, choice);
    }
    if (done && out->n > 0)
        qsort(out->items, (size_t)out->n, sizeof *out->items, by_place);
    for (int i = 0, end; i < out->n && done; i = end) {
        end = cb_way_choice_end(out->items, out->n, i);
        done = name_ways(&out->items[i], end - i);
    }
    return done;
}

void cb_way_entries_free(struct cb_way_entries *e)
{
    for (int i = 0; i < e->n; i++) {
        free(e->items[i].place);
        free(e->items[i].way);
    }
    free(e->items);
    *e = (struct cb_way_entries){0};
}
