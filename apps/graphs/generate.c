/* SPDX-License-Identifier: Apache-2.0
 *
 * Generators: the table of them, their specs, and what they share. All arithmetic is on integers,
 * and the random numbers are our own: a spec means the same graph on every machine and in every
 * version.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/graphs/generate.h"
#include "measure/param.h"
#include "measure/text/nearest.h"
#include "runtime/host/parallel.h"

#define WEIGHT_SEED 0x5eed0000000000e3ull

/* --- The generators --------------------------------------------------------------------------- */

struct number {
    const char *name;   /* NULL: there is none */
    uint32_t max;       /* it is at least 1 */
    uint32_t otherwise; /* if it is left out; 0: it must not be */
};

static const struct generator {
    const char *name;
    struct number first;
    char separator;
    struct number second;
    const char *example;
    cb_generator *generate;
} generators[] = {
    {"grid", {"W", CB_MAX_PLACES, 0}, 'x', {"H", CB_MAX_PLACES, 0}, "1000x1000", cb_generate_grid},
    {"road", {"N", CB_MAX_PLACES, 0}, 0, {NULL, 0, 0}, "264346", cb_generate_road},
    {"circuit", {"N", CB_MAX_PLACES, 0}, 0, {NULL, 0, 0}, "1585478", cb_generate_circuit},
    {"rmat", {"SCALE", 26, 0}, ':', {"EDGEFACTOR", 64, 16}, "20:16", cb_generate_rmat},
    {"uniform", {"SCALE", 26, 0}, ':', {"EDGEFACTOR", 64, 16}, "20:16", cb_generate_uniform},
    {"directed",
     {"N", CB_MAX_PLACES, 0},
     'x',
     {"M", UINT32_MAX - 1, 0},
     "1024x131072",
     cb_generate_directed},
};

/* The generator that a word before a colon names; NULL if there is none. */
static const struct generator *find_generator(const char *spec)
{
    size_t n = strcspn(spec, ":");
    for (size_t i = 0; spec[n] == ':' && i < CB_COUNTOF(generators); i++)
        if (strlen(generators[i].name) == n && strncmp(spec, generators[i].name, n) == 0)
            return &generators[i];
    return NULL;
}

/* "rmat:SCALE[:EDGEFACTOR]" */
static const char *form_of(const struct generator *g, char form[64])
{
    const char *open = g->second.otherwise ? "[" : "", *close = g->second.otherwise ? "]" : "";
    if (g->second.name)
        snprintf(form, 64, "%s:%s%s%c%s%s", g->name, g->first.name, open, g->separator,
                 g->second.name, close);
    else
        snprintf(form, 64, "%s:%s", g->name, g->first.name);
    return form;
}

static const char *name_of_generator(const void *unused, int i)
{
    (void)unused;
    return (size_t)i < CB_COUNTOF(generators) ? generators[i].name : NULL;
}

enum cb_status cb_graph_unknown(const char *spec, const char *why, struct cb_err *err)
{
    char word[32], forms[256] = "", form[64], hint[64] = "";
    for (size_t i = 0, n = 0; i < CB_COUNTOF(generators); i++)
        n += (size_t)snprintf(forms + n, sizeof forms - n, "%s%s",
                              i == 0                           ? ""
                              : i + 1 < CB_COUNTOF(generators) ? ", "
                                                               : " or ",
                              form_of(&generators[i], form));
    snprintf(word, sizeof word, "%.*s", (int)strcspn(spec, ":"), spec);
    const char *nearest = strchr(spec, ':') ? cb_nearest(word, name_of_generator, NULL) : NULL;
    if (nearest)
        snprintf(hint, sizeof hint, "; did you mean \"%s\"?", nearest);
    return cb_fail(err, CB_USAGE,
                   "graph: \"%.1000s\" is no generator (expected %s%s) and no file (%s)", spec,
                   forms, hint, why);
}

/* --- Specs ------------------------------------------------------------------------------------ */

/* Reads a number that text begins with; what follows it, or NULL if there is none within the
 * bounds. */
static const char *read_number(const char *text, const struct number *number, uint32_t *value)
{
    uint64_t read = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9'; c++)
        read = read <= number->max ? 10 * read + (uint64_t)(*c - '0') : read;
    *value = (uint32_t)read;
    return c != text && read >= 1 && read <= number->max ? c : NULL;
}

static bool read_spec(const struct generator *g, const char *text, struct cb_spec *spec)
{
    *spec = (struct cb_spec){.text = text, .second = g->second.otherwise};
    const char *rest = read_number(text + strlen(g->name) + 1, &g->first, &spec->first);
    if (rest && g->second.name && *rest == g->separator)
        rest = read_number(rest + 1, &g->second, &spec->second);
    if (!rest || *rest || (g->second.name && spec->second == 0))
        return false;
    int n = snprintf(spec->name, sizeof spec->name, "%s:%" PRIu32, g->name, spec->first);
    if (g->second.name)
        snprintf(spec->name + n, sizeof spec->name - (size_t)n, "%c%" PRIu32, g->separator,
                 spec->second);
    return true;
}

static enum cb_status wrong_spec(const struct generator *g, const char *text, struct cb_err *err)
{
    char form[64], second[64] = "";
    if (g->second.name)
        snprintf(second, sizeof second, " and %s from 1 to %" PRIu32, g->second.name,
                 g->second.max);
    return cb_fail(err, CB_USAGE,
                   "%s: expected %s with %s from 1 to %" PRIu32 "%s, for instance %s:%s, got "
                   "\"%.100s\"",
                   g->name, form_of(g, form), g->first.name, g->first.max, second, g->name,
                   g->example, text);
}

bool cb_graph_is_generated(const char *spec)
{
    return find_generator(spec) != NULL;
}

enum cb_status cb_graph_generate(const char *text, struct cb_graph *graph, struct cb_err *err)
{
    const struct generator *g = find_generator(text);
    struct cb_spec spec;
    *graph = (struct cb_graph){0};
    if (!g)
        return cb_graph_unknown(text, "it is not a generator", err);
    if (!read_spec(g, text, &spec))
        return wrong_spec(g, text, err);
    return g->generate(&spec, graph, err);
}

/* --- A small one at random -------------------------------------------------------------------- */

/* One in eight has a handful of vertices, where whatever is odd about a graph is most of it. */
void cb_graph_draw(struct cb_random *random, char *spec, size_t size)
{
    const bool tiny = cb_random_below(random, 8) == 0;
    const unsigned side = tiny ? 4 : 60, places = tiny ? 8 : 3000, scale = tiny ? 3 : 10;
    const struct generator *g = &generators[cb_random_below(random, CB_COUNTOF(generators))];
    const unsigned first_max = g->separator == 'x' ? side : g->separator ? scale : places;
    const unsigned second_max = g->separator == 'x' ? side : 16;
    const unsigned first = cb_random_between(random, 1, first_max);
    const unsigned second = cb_random_between(random, 1, second_max);
    if (g->second.name)
        snprintf(spec, size, "%s:%u%c%u", g->name, first, g->separator, second);
    else
        snprintf(spec, size, "%s:%u", g->name, first);
}

/* --- What they share -------------------------------------------------------------------------- */

uint32_t *cb_shuffled(uint32_t n, uint64_t seed)
{
    struct cb_random random = {seed};
    uint32_t *order = calloc(n, sizeof *order);
    for (uint32_t i = 0; order && i < n; i++) {
        uint32_t j = cb_upper_below(i + 1, cb_random_next(&random));
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

uint32_t cb_graph_part(const struct cb_graph *graph, unsigned part)
{
    const uint64_t first = cb_part(graph->edges, part);
    uint32_t low = 0, high = graph->vertices;
    if (part == CB_PARTS)
        return high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (graph->rows[middle] < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void cb_graph_add_row(struct cb_graph *graph, uint32_t v, uint32_t *columns, uint32_t n)
{
    if (!graph->columns) {
        graph->rows[v] = n;
        return;
    }
    for (uint32_t i = 1; i < n; i++) /* a few of them, mostly sorted */
        for (uint32_t k = i; k > 0 && columns[k - 1] > columns[k]; k--) {
            uint32_t larger = columns[k - 1];
            columns[k - 1] = columns[k];
            columns[k] = larger;
        }
    graph->rows[v] -= n;
    memcpy(graph->columns + graph->rows[v], columns, n * sizeof *columns);
}

struct rows {
    void (*add)(const void *of, struct cb_graph *graph, unsigned part);
    const void *of;
    struct cb_graph *graph;
};

static void add_part(void *context, unsigned part)
{
    const struct rows *rows = context;
    rows->add(rows->of, rows->graph, part);
}

enum cb_status cb_graph_of_rows(const char *name, uint32_t vertices,
                                void (*add_rows)(const void *of, struct cb_graph *graph,
                                                 unsigned part),
                                const void *of, uint32_t (*weight)(uint64_t random),
                                struct cb_graph *graph, struct cb_err *err)
{
    struct rows rows = {add_rows, of, graph};
    enum cb_status status = cb_graph_begin(graph, name, vertices, err);
    if (status != CB_OK)
        return status;
    cb_parallel(add_part, &rows);
    status = cb_graph_counted(graph, false, err);
    if (status != CB_OK)
        return status;
    cb_parallel(add_part, &rows);
    return cb_graph_weigh(graph, weight, err);
}

struct weighing {
    struct cb_graph *graph;
    uint32_t (*weight)(uint64_t random);
};

static void weigh_part(void *context, unsigned part)
{
    const struct weighing *w = context;
    const struct cb_graph *graph = w->graph;
    const uint32_t end = cb_graph_part(graph, part + 1);
    for (uint32_t u = cb_graph_part(graph, part); u < end; u++)
        for (uint32_t i = graph->rows[u]; i < graph->rows[u + 1]; i++) {
            uint32_t v = graph->columns[i];
            uint64_t ends = u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
            struct cb_random random = {WEIGHT_SEED ^ cb_random_mix(ends)};
            graph->weights[i] = w->weight(cb_random_next(&random));
        }
}

enum cb_status cb_graph_weigh(struct cb_graph *graph, uint32_t (*weight)(uint64_t random),
                              struct cb_err *err)
{
    graph->weights = calloc(graph->edges ? graph->edges : 1, sizeof *graph->weights);
    if (!graph->weights) {
        cb_fail(err, CB_ERROR, "%s: out of memory for %" PRIu64 " weights", graph->name,
                graph->edges);
        cb_graph_free(graph);
        return CB_ERROR;
    }
    cb_parallel(weigh_part, &(struct weighing){graph, weight});
    return CB_OK;
}
