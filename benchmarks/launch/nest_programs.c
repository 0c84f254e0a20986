/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/launch/nest_programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/launch/nest_abi.h"
#include "graphs/graph.h"
#include "measure/random.h"

#define SEED       1
#define MOST_ITEMS 4096u /* of a child of power */

/* Words that each parent's child writes, and others to read. */
static bool make_room(struct cb_nest_data *d, size_t n_words, size_t n_others)
{
    d->n_words = d->n_expected = n_words;
    d->n_others = n_others;
    d->words = calloc(n_words, sizeof *d->words);
    d->expected = calloc(n_words, sizeof *d->expected);
    d->others = calloc(n_others, sizeof *d->others);
    return d->words && d->expected && d->others;
}

/* ---- equal, power ---------------------------------------------------------------------------- */

static bool fill(struct cb_nest_data *d)
{
    if (!make_room(d, d->begins[d->parents], 1))
        return false;
    for (uint32_t p = 0; p < d->parents; p++)
        for (uint32_t i = d->begins[p]; i < d->begins[p + 1] && nest_launches(p); i++)
            d->expected[i] = nest_word(p, i - d->begins[p]);
    return true;
}

static bool make_equal(uint32_t items, struct cb_nest_data *d)
{
    for (uint32_t p = 0; p < d->parents; p++)
        d->begins[p + 1] = d->begins[p] + items;
    return fill(d);
}

/* A child of at least n work-items is n times as seldom as any. */
static bool make_power(uint32_t items, struct cb_nest_data *d)
{
    struct cb_random random = {SEED};
    (void)items;
    for (uint32_t p = 0; p < d->parents; p++) {
        uint32_t n = MOST_ITEMS / (uint32_t)(1 + cb_random_below(&random, MOST_ITEMS));
        d->begins[p + 1] = d->begins[p] + n;
    }
    return fill(d);
}

/* ---- bfs_nested ------------------------------------------------------------------------------ */

/* One vertex after the other, in the order in which they are found. */
static bool search(struct cb_nest_data *d)
{
    uint32_t *found = malloc(d->parents * sizeof *found), n = 0;
    if (!found)
        return false;
    d->expected[0] = 1;
    found[n++] = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t e = d->begins[found[i]]; e < d->begins[found[i] + 1]; e++)
            if (d->expected[d->others[e]] == 0) {
                d->expected[d->others[e]] = d->expected[found[i]] + 1;
                found[n++] = d->others[e];
            }
    free(found);
    return true;
}

static bool make_graph(uint32_t edges, struct cb_nest_data *d)
{
    struct cb_random random = {SEED};
    if (!make_room(d, d->parents, (size_t)d->parents * edges))
        return false;
    for (uint32_t p = 0; p < d->parents; p++)
        d->begins[p + 1] = d->begins[p] + edges;
    for (size_t e = 0; e < d->n_others; e++)
        d->others[e] = (uint32_t)cb_random_below(&random, d->parents);
    d->words[0] = 1;
    return search(d);
}

/* ---- sssp_nested ----------------------------------------------------------------------------- */

#define FAR UINT32_MAX

/* Until nothing changes: none of the weights is negative. */
static void relax(struct cb_nest_data *d)
{
    const uint32_t edges = d->begins[d->parents];
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t p = 0; p < d->parents; p++)
            for (uint32_t e = d->begins[p]; e < d->begins[p + 1] && d->expected[p] != FAR; e++)
                if (d->expected[p] + d->others[edges + e] < d->expected[d->others[e]]) {
                    d->expected[d->others[e]] = d->expected[p] + d->others[edges + e];
                    changed = true;
                }
    }
}

/* From the vertex with the most edges on: others may have none. */
static uint32_t source_of(const struct cb_nest_data *d)
{
    uint32_t source = 0;
    for (uint32_t p = 1; p < d->parents; p++)
        if (d->begins[p + 1] - d->begins[p] > d->begins[source + 1] - d->begins[source])
            source = p;
    return source;
}

static bool make_paths(uint32_t scale, struct cb_nest_data *d)
{
    struct cb_graph graph;
    struct cb_err ignored;
    char spec[32];
    snprintf(spec, sizeof spec, "rmat:%u", scale);
    if (cb_graph_load(spec, &graph, &ignored) != CB_OK)
        return false;
    bool made =
        graph.vertices == d->parents && make_room(d, 2 * (size_t)d->parents, 2 * graph.edges);
    if (made) {
        memcpy(d->begins, graph.rows, (d->parents + 1) * sizeof *d->begins);
        memcpy(d->others, graph.columns, graph.edges * sizeof *d->others);
        memcpy(d->others + graph.edges, graph.weights, graph.edges * sizeof *d->others);
        memset(d->words, 0xff, d->parents * sizeof *d->words);
        memset(d->expected, 0xff, d->parents * sizeof *d->words);
        d->n_expected = d->parents;
        const uint32_t source = source_of(d);
        d->words[source] = d->expected[source] = 0;
        d->words[d->parents + source] = 1;
        relax(d);
    }
    cb_graph_free(&graph);
    return made;
}

/* ---- The table ------------------------------------------------------------------------------- */

#define FILL "benchmarks/launch/fill.cl"

const struct cb_nest_program cb_nest_programs[] = {
    {"bfs_nested",
     "breadth-first search",
     "benchmarks/launch/bfs_nested.cl",
     1024,
     32,
     true,
     {{500, 8}, {4000, 50}, {10000, 1000}},
     make_graph},
    {"equal",
     "children of 32 work-items",
     FILL,
     256,
     32,
     false,
     {{1024, 32}, {16384, 32}, {262144, 32}},
     make_equal},
    {"power",
     "children of 1 to 4096 work-items",
     FILL,
     256,
     32,
     false,
     {{1024, 0}, {16384, 0}, {262144, 0}},
     make_power},
    {"sssp_nested",
     "shortest paths",
     "benchmarks/launch/sssp_nested.cl",
     128,
     128,
     true,
     {{1u << 8, 8}, {1u << 12, 12}, {1u << 17, 17}},
     make_paths},
    {0},
};

const struct cb_nest_program *cb_nest_program_of(const char *id)
{
    for (const struct cb_nest_program *p = cb_nest_programs; p->id; p++)
        if (strcmp(p->id, id) == 0)
            return p;
    return NULL;
}

bool cb_nest_make(const struct cb_nest_program *program, enum cb_launch_size size,
                  struct cb_nest_data *d)
{
    *d = (struct cb_nest_data){.parents = program->sizes[size].parents};
    d->begins = calloc(d->parents + 1, sizeof *d->begins);
    return d->begins && program->make(program->sizes[size].items, d);
}

void cb_nest_free(struct cb_nest_data *d)
{
    free(d->begins);
    free(d->others);
    free(d->words);
    free(d->expected);
    *d = (struct cb_nest_data){0};
}
