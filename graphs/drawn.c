/* SPDX-License-Identifier: Apache-2.0
 *
 * rmat:SCALE[:EDGEFACTOR] and uniform:SCALE[:EDGEFACTOR]: EDGEFACTOR * 2^SCALE edges are drawn
 * among 2^SCALE vertices and count in both directions; loops and parallel edges are removed.
 *
 * directed:NxM: M edges are drawn among N vertices and go one way; parallel edges stay.
 */
#include <stdlib.h>
#include <string.h>

#include "graphs/generate.h"

#define EDGE_SEED     0x5eed0000000000e1ull
#define ORDER_SEED    0x5eed0000000000e2ull
#define UNIFORM_SEED  0x5eed0000000000e4ull
#define DIRECTED_SEED 0x5eed0000000000e5ull

/* Graph500's A = 0.57, B = 0.19, C = 0.19, D = 0.05, summed up, in 2^-32. */
#define UNTIL_A ((57ull << 32) / 100)
#define UNTIL_B ((76ull << 32) / 100)
#define UNTIL_C ((95ull << 32) / 100)

struct draws {
    uint32_t scale;
    uint64_t edges; /* undirected */
    uint64_t seed;
    void (*next)(uint32_t scale, struct cb_random *random, uint32_t *from, uint32_t *to);
};

/* --- Edges ------------------------------------------------------------------------------------ */

/* R-MAT: each level of the recursion takes 32 random bits to choose a quadrant: a bit of each end.
 */
static void draw_rmat(uint32_t scale, struct cb_random *random, uint32_t *from, uint32_t *to)
{
    uint32_t u = 0, v = 0;
    uint64_t bits = 0;
    for (uint32_t level = 0; level < scale; level++) {
        bits = level % 2 ? bits >> 32 : cb_random_next(random);
        uint32_t draw = (uint32_t)bits;
        uint32_t past_a = draw >= UNTIL_A, past_b = draw >= UNTIL_B, past_c = draw >= UNTIL_C;
        u = 2 * u + past_b;
        v = 2 * v + (past_a ^ past_b ^ past_c); /* B and D; a branch would go wrong too often */
    }
    *from = u;
    *to = v;
}

static void draw_uniform(uint32_t scale, struct cb_random *random, uint32_t *from, uint32_t *to)
{
    uint64_t bits = cb_random_next(random);
    *from = (uint32_t)(bits >> 32) >> (32 - scale);
    *to = (uint32_t)bits >> (32 - scale);
}

/* The edges are drawn twice, to count and to place them: a list of them would be the largest thing
 * in memory. Their order in a row is of no matter here. */
static enum cb_status draw_edges(const struct draws *draws, const char *name,
                                 struct cb_graph *graph, struct cb_err *err)
{
    uint32_t u, v;
    enum cb_status status = cb_graph_begin(graph, name, 1u << draws->scale, err);
    if (status != CB_OK)
        return status;
    struct cb_random random = {draws->seed};
    for (uint64_t i = 0; i < draws->edges; i++) {
        draws->next(draws->scale, &random, &u, &v);
        graph->rows[u] += u != v;
        graph->rows[v] += u != v;
    }
    status = cb_graph_counted(graph, false, err);
    if (status != CB_OK)
        return status;
    random.state = draws->seed;
    for (uint64_t i = 0; i < draws->edges; i++) {
        draws->next(draws->scale, &random, &u, &v);
        if (u == v)
            continue;
        graph->columns[--graph->rows[u]] = v;
        graph->columns[--graph->rows[v]] = u;
    }
    return CB_OK;
}

/* --- Order ------------------------------------------------------------------------------------ */

/* Every edge is there in both directions, so to transpose the graph is to sort its columns. Frees
 * the unsorted graph. */
static enum cb_status sort_columns(struct cb_graph *graph, struct cb_err *err)
{
    struct cb_graph unsorted = *graph;
    enum cb_status status = cb_graph_transpose(&unsorted, graph, err);
    cb_graph_free(&unsorted);
    return status;
}

/* Of each run of equal columns of a vertex, keeps one. */
static void remove_duplicates(struct cb_graph *graph)
{
    uint32_t kept = 0, begin = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint32_t end = graph->rows[v + 1];
        graph->rows[v] = kept;
        for (uint32_t i = begin; i < end; i++)
            if (i == begin || graph->columns[i] != graph->columns[i - 1])
                graph->columns[kept++] = graph->columns[i];
        begin = end;
    }
    graph->rows[graph->vertices] = kept;
    graph->edges = kept;
    uint32_t *columns = realloc(graph->columns, (kept ? kept : 1) * sizeof *columns);
    if (columns)
        graph->columns = columns;
}

/* The columns of the renumbered graph are in no order. */
static enum cb_status renumber(const struct cb_graph *graph, const uint32_t *order,
                               struct cb_graph *renumbered, struct cb_err *err)
{
    enum cb_status status = cb_graph_begin(renumbered, graph->name, graph->vertices, err);
    if (status != CB_OK)
        return status;
    for (uint32_t v = 0; v < graph->vertices; v++)
        renumbered->rows[order[v]] = cb_graph_edges_of(graph, v);
    status = cb_graph_counted(renumbered, false, err);
    if (status != CB_OK)
        return status;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint32_t *row = &renumbered->rows[order[v]];
        for (uint32_t i = graph->rows[v]; i < graph->rows[v + 1]; i++)
            renumbered->columns[--*row] = order[graph->columns[i]];
    }
    return CB_OK;
}

/* Gives the vertices shuffled numbers: as they were drawn, those with many zero bits have the most
 * edges. Done last: until here, that order is what makes the caches work. */
static enum cb_status shuffle_vertices(struct cb_graph *graph, struct cb_err *err)
{
    struct cb_graph renumbered = {0};
    uint32_t *order = cb_shuffled(graph->vertices, ORDER_SEED);
    enum cb_status status = order ? renumber(graph, order, &renumbered, err)
                                  : cb_fail(err, CB_ERROR, "%s: out of memory", graph->name);
    free(order);
    cb_graph_free(graph);
    if (status != CB_OK)
        return status;
    *graph = renumbered;
    return sort_columns(graph, err);
}

/* --- directed:NxM ----------------------------------------------------------------------------- */

/* No loop, unless there is only one vertex. */
static void draw_directed(uint32_t vertices, struct cb_random *random, uint32_t *from, uint32_t *to)
{
    *from = cb_upper_below(vertices, cb_random_next(random));
    *to = (uint32_t)((*from + 1ull + cb_upper_below(vertices - 1, cb_random_next(random))) %
                     vertices);
}

/* With every edge turned around, and columns in no order. */
static enum cb_status draw_backwards(const struct cb_spec *spec, struct cb_graph *graph,
                                     struct cb_err *err)
{
    uint32_t from, to;
    enum cb_status status = cb_graph_begin(graph, spec->name, spec->first, err);
    if (status != CB_OK)
        return status;
    struct cb_random random = {DIRECTED_SEED};
    for (uint32_t i = 0; i < spec->second; i++) {
        draw_directed(spec->first, &random, &from, &to);
        graph->rows[to]++;
    }
    status = cb_graph_counted(graph, false, err);
    if (status != CB_OK)
        return status;
    random.state = DIRECTED_SEED;
    for (uint32_t i = 0; i < spec->second; i++) {
        draw_directed(spec->first, &random, &from, &to);
        graph->columns[--graph->rows[to]] = from;
    }
    return CB_OK;
}

/* --- The whole -------------------------------------------------------------------------------- */

/* Sorted, without loops and parallel edges, in the order of the draws, not yet weighed. */
static enum cb_status make_simple(const struct cb_spec *spec, struct draws draws,
                                  struct cb_graph *graph, struct cb_err *err)
{
    draws.scale = spec->first;
    draws.edges = (uint64_t)spec->second << spec->first;
    if (2 * draws.edges > CB_GRAPH_MAX_EDGES)
        return cb_fail(err, CB_USAGE,
                       "%.*s: expected 2 * EDGEFACTOR * 2^SCALE of at most %llu, got \"%.100s\"",
                       (int)strcspn(spec->text, ":"), spec->text, CB_GRAPH_MAX_EDGES, spec->text);
    enum cb_status status = draw_edges(&draws, spec->name, graph, err);
    if (status == CB_OK)
        status = sort_columns(graph, err);
    if (status == CB_OK)
        remove_duplicates(graph);
    return status;
}

enum cb_status cb_generate_rmat(const struct cb_spec *spec, struct cb_graph *graph,
                                struct cb_err *err)
{
    const struct draws draws = {.seed = EDGE_SEED, .next = draw_rmat};
    enum cb_status status = make_simple(spec, draws, graph, err);
    if (status == CB_OK)
        status = shuffle_vertices(graph, err);
    return status == CB_OK ? cb_graph_weigh(graph, cb_weight_below_256, err) : status;
}

enum cb_status cb_generate_uniform(const struct cb_spec *spec, struct cb_graph *graph,
                                   struct cb_err *err)
{
    const struct draws draws = {.seed = UNIFORM_SEED, .next = draw_uniform};
    enum cb_status status = make_simple(spec, draws, graph, err);
    return status == CB_OK ? cb_graph_weigh(graph, cb_weight_below_256, err) : status;
}

enum cb_status cb_generate_directed(const struct cb_spec *spec, struct cb_graph *graph,
                                    struct cb_err *err)
{
    struct cb_graph back;
    enum cb_status status = draw_backwards(spec, &back, err);
    if (status != CB_OK)
        return status;
    status = cb_graph_transpose(&back, graph, err);
    cb_graph_free(&back);
    return status == CB_OK ? cb_graph_weigh(graph, cb_weight_below_256, err) : status;
}
