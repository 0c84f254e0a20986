/* SPDX-License-Identifier: Apache-2.0
 *
 * rmat:SCALE[:EDGEFACTOR] and uniform:SCALE[:EDGEFACTOR]: EDGEFACTOR * 2^SCALE edges are drawn
 * among 2^SCALE vertices and count in both directions; loops and parallel edges are removed.
 *
 * directed:NxM: M edges are drawn among N vertices and go one way; parallel edges stay.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "apps/graphs/generate.h"
#include "runtime/host/parallel.h"

#define EDGE_SEED     0x5eed0000000000e1ull
#define ORDER_SEED    0x5eed0000000000e2ull
#define UNIFORM_SEED  0x5eed0000000000e4ull
#define DIRECTED_SEED 0x5eed0000000000e5ull

/* Graph500's A = 0.57, B = 0.19, C = 0.19, D = 0.05, summed up, in 2^-32. */
#define UNTIL_A ((57ull << 32) / 100)
#define UNTIL_B ((76ull << 32) / 100)
#define UNTIL_C ((95ull << 32) / 100)

struct draws {
    uint32_t of; /* what next() is given: the scale, or the vertices */
    uint64_t edges;
    bool both;        /* an edge counts in both directions, and a loop does not count */
    uint32_t numbers; /* that next() takes */
    uint64_t seed;
    const uint32_t *order; /* what the vertices drawn are called; NULL: as they were drawn */
    void (*next)(uint32_t of, struct cb_random *random, uint32_t *from, uint32_t *to);
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

/* No loop, unless there is only one vertex. */
static void draw_directed(uint32_t vertices, struct cb_random *random, uint32_t *from, uint32_t *to)
{
    *from = cb_upper_below(vertices, cb_random_next(random));
    *to = (uint32_t)((*from + 1ull + cb_upper_below(vertices - 1, cb_random_next(random))) %
                     vertices);
}

/* What the parts that draw have in common. */
struct drawing {
    const struct draws *draws;
    struct cb_graph *graph;
};

/* Draws those of a part, which begin where others leave the random numbers. */
static void draw_part(const struct drawing *d, unsigned part,
                      void (*take)(struct cb_graph *graph, uint32_t from, uint32_t to))
{
    const struct draws *draws = d->draws;
    const uint64_t begin = cb_part(draws->edges, part), end = cb_part(draws->edges, part + 1);
    struct cb_random random = {draws->seed};
    uint32_t u, v;
    cb_random_skip(&random, begin * draws->numbers);
    for (uint64_t i = begin; i < end; i++) {
        draws->next(draws->of, &random, &u, &v);
        if (draws->both && u == v)
            continue;
        if (draws->order) {
            u = draws->order[u];
            v = draws->order[v];
        }
        take(d->graph, u, v);
        if (draws->both)
            take(d->graph, v, u);
    }
}

static _Atomic uint32_t *row_of(struct cb_graph *graph, uint32_t v)
{
    return (_Atomic uint32_t *)&graph->rows[v];
}

static void count(struct cb_graph *graph, uint32_t from, uint32_t to)
{
    (void)to;
    atomic_fetch_add_explicit(row_of(graph, from), 1, memory_order_relaxed);
}

static void place(struct cb_graph *graph, uint32_t from, uint32_t to)
{
    uint32_t end = atomic_fetch_sub_explicit(row_of(graph, from), 1, memory_order_relaxed);
    graph->columns[end - 1] = to;
}

static void count_part(void *drawing, unsigned part)
{
    draw_part(drawing, part, count);
}

static void place_part(void *drawing, unsigned part)
{
    draw_part(drawing, part, place);
}

static int compare_columns(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_part(void *context, unsigned part)
{
    struct cb_graph *graph = context;
    const uint32_t end = cb_graph_part(graph, part + 1);
    for (uint32_t v = cb_graph_part(graph, part); v < end; v++)
        qsort(graph->columns + graph->rows[v], cb_graph_edges_of(graph, v), sizeof *graph->columns,
              compare_columns);
}

/* The edges are drawn twice, to count and to place them: a list of them would be the largest thing
 * in memory. All cores do so, and sort the rows then, whose order differs from time to time. */
static enum cb_status draw_edges(const struct draws *draws, const char *name, uint32_t vertices,
                                 struct cb_graph *graph, struct cb_err *err)
{
    struct drawing d = {draws, graph};
    enum cb_status status = cb_graph_begin(graph, name, vertices, err);
    if (status != CB_OK)
        return status;
    cb_parallel(count_part, &d);
    status = cb_graph_counted(graph, false, err);
    if (status != CB_OK)
        return status;
    cb_parallel(place_part, &d);
    cb_parallel(sort_part, graph);
    return CB_OK;
}

/* Keeps one of each run of equal columns of a vertex. */
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

/* --- The whole -------------------------------------------------------------------------------- */

/* Refuses what has more edges than a graph may have, before anything is drawn. */
static enum cb_status check_edges(const struct cb_spec *spec, struct cb_err *err)
{
    if (2 * ((uint64_t)spec->second << spec->first) <= CB_GRAPH_MAX_EDGES)
        return CB_OK;
    return cb_fail(err, CB_USAGE,
                   "%.*s: expected 2 * EDGEFACTOR * 2^SCALE of at most %llu, got \"%.100s\"",
                   (int)strcspn(spec->text, ":"), spec->text, CB_GRAPH_MAX_EDGES, spec->text);
}

/* Without loops and parallel edges. */
static enum cb_status make_simple(const struct cb_spec *spec, struct draws draws,
                                  struct cb_graph *graph, struct cb_err *err)
{
    draws.of = spec->first;
    draws.edges = (uint64_t)spec->second << spec->first;
    draws.both = true;
    enum cb_status status = draw_edges(&draws, spec->name, 1u << spec->first, graph, err);
    if (status != CB_OK)
        return status;
    remove_duplicates(graph);
    return cb_graph_weigh(graph, cb_weight_below_256, err);
}

/* Vertices have shuffled numbers: as they are drawn, those with many zero bits have the most edges.
 */
enum cb_status cb_generate_rmat(const struct cb_spec *spec, struct cb_graph *graph,
                                struct cb_err *err)
{
    enum cb_status status = check_edges(spec, err);
    if (status != CB_OK)
        return status;
    uint32_t *order = cb_shuffled(1u << spec->first, ORDER_SEED);
    const struct draws draws = {
        .seed = EDGE_SEED, .next = draw_rmat, .numbers = (spec->first + 1) / 2, .order = order};
    status = order ? make_simple(spec, draws, graph, err)
                   : cb_fail(err, CB_ERROR, "%s: out of memory", spec->name);
    free(order);
    return status;
}

enum cb_status cb_generate_uniform(const struct cb_spec *spec, struct cb_graph *graph,
                                   struct cb_err *err)
{
    const struct draws draws = {.seed = UNIFORM_SEED, .next = draw_uniform, .numbers = 1};
    const enum cb_status status = check_edges(spec, err);
    return status == CB_OK ? make_simple(spec, draws, graph, err) : status;
}

enum cb_status cb_generate_directed(const struct cb_spec *spec, struct cb_graph *graph,
                                    struct cb_err *err)
{
    const struct draws draws = {.of = spec->first,
                                .edges = spec->second,
                                .seed = DIRECTED_SEED,
                                .next = draw_directed,
                                .numbers = 2};
    enum cb_status status = draw_edges(&draws, spec->name, spec->first, graph, err);
    return status == CB_OK ? cb_graph_weigh(graph, cb_weight_below_256, err) : status;
}
