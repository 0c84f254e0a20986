/* SPDX-License-Identifier: Apache-2.0
 *
 * Generators. All arithmetic is on integers, and the random numbers are our own: a spec means the
 * same graph on every machine and in every version.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/graph/parts.h"
#include "measure/param.h"

#define MAX_GRID_VERTICES   (1u << 28)
#define MAX_SCALE           26u
#define MAX_EDGE_FACTOR     64u
#define DEFAULT_EDGE_FACTOR 16u /* of Graph500 */

/* Seeds of the three independent choices of rmat. */
#define EDGE_SEED   0x5eed0000000000e1ull
#define ORDER_SEED  0x5eed0000000000e2ull
#define WEIGHT_SEED 0x5eed0000000000e3ull
#define MAX_WEIGHT  255u

/* Graph500's A = 0.57, B = 0.19, C = 0.19, D = 0.05, summed up, in 2^-32. */
#define UNTIL_A ((57ull << 32) / 100)
#define UNTIL_B ((76ull << 32) / 100)
#define UNTIL_C ((95ull << 32) / 100)

/* --- Random numbers ------------------------------------------------------------------------- */

/* 0 to n - 1, from the upper half of a random number. */
static uint32_t below(uint32_t n, uint64_t random)
{
    return (uint32_t)(((random >> 32) * n) >> 32);
}

/* --- Numbers of a spec ---------------------------------------------------------------------- */

/* Reads the number that text begins with; what follows it, or NULL if there is no number. A number
 * that is too large for every generator stays so. */
static const char *read_number(const char *text, uint64_t *number)
{
    const char *c = text;
    for (*number = 0; *c >= '0' && *c <= '9'; c++)
        if (*number <= UINT32_MAX)
            *number = 10 * *number + (uint64_t)(*c - '0');
    return c == text ? NULL : c;
}

/* --- grid:WxH ------------------------------------------------------------------------------- */

/* Up, left, right, down: ascending, so the grid needs no sorting. */
static void fill_grid(struct cb_graph *graph, uint32_t width, uint32_t height)
{
    uint32_t n = 0, v = 0;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++, v++) {
            graph->rows[v] = n;
            if (y > 0)
                graph->columns[n++] = v - width;
            if (x > 0)
                graph->columns[n++] = v - 1;
            if (x + 1 < width)
                graph->columns[n++] = v + 1;
            if (y + 1 < height)
                graph->columns[n++] = v + width;
        }
    for (uint32_t i = 0; i < n; i++)
        graph->weights[i] = 1;
}

static enum cb_status make_grid(uint32_t width, uint32_t height, struct cb_graph *graph,
                                struct cb_err *err)
{
    char name[sizeof graph->name];
    snprintf(name, sizeof name, "grid:%" PRIu32 "x%" PRIu32, width, height);
    enum cb_status status = cb_graph_begin(graph, name, width * height, err);
    if (status != CB_OK)
        return status;
    /* filled in order: only the sum of the counts matters */
    graph->rows[0] = 2 * ((width - 1) * height + width * (height - 1));
    status = cb_graph_counted(graph, true, err);
    if (status == CB_OK)
        fill_grid(graph, width, height);
    return status;
}

static enum cb_status grid(const char *spec, const char *numbers, struct cb_graph *graph,
                           struct cb_err *err)
{
    uint64_t width = 0, height = 0;
    const char *rest = read_number(numbers, &width);
    rest = rest && *rest == 'x' ? read_number(rest + 1, &height) : NULL;
    if (!rest || *rest || width == 0 || height == 0)
        return cb_fail(err, CB_USAGE,
                       "grid: expected grid:WxH with W, H from 1, for instance grid:1000x1000, got "
                       "\"%.100s\"",
                       spec);
    if (width > MAX_GRID_VERTICES || height > MAX_GRID_VERTICES / width)
        return cb_fail(err, CB_USAGE,
                       "grid: expected grid:WxH with W * H of at most %u, got \"%.100s\"",
                       MAX_GRID_VERTICES, spec);
    return make_grid((uint32_t)width, (uint32_t)height, graph, err);
}

/* --- rmat:SCALE[:EDGEFACTOR] ---------------------------------------------------------------- */

struct rmat {
    uint32_t scale;
    uint64_t edges; /* undirected */
    struct cb_random random;
};

/* Each level of the recursion takes 32 random bits to choose a quadrant: a bit of each end. */
static void next_edge(struct rmat *rmat, uint32_t *from, uint32_t *to)
{
    uint32_t u = 0, v = 0;
    uint64_t random = 0;
    for (uint32_t level = 0; level < rmat->scale; level++) {
        random = level % 2 ? random >> 32 : cb_random_next(&rmat->random);
        uint32_t draw = (uint32_t)random;
        uint32_t past_a = draw >= UNTIL_A, past_b = draw >= UNTIL_B, past_c = draw >= UNTIL_C;
        u = 2 * u + past_b;
        v = 2 * v + (past_a ^ past_b ^ past_c); /* B and D; a branch would go wrong too often */
    }
    *from = u;
    *to = v;
}

/* The edges are drawn twice, to count and to place them: a list of them would be the largest thing
 * in memory. Their order in a row is of no matter here. */
static enum cb_status draw_edges(struct rmat *rmat, const char *name, struct cb_graph *graph,
                                 struct cb_err *err)
{
    uint32_t u, v;
    enum cb_status status = cb_graph_begin(graph, name, 1u << rmat->scale, err);
    if (status != CB_OK)
        return status;
    rmat->random.state = EDGE_SEED;
    for (uint64_t i = 0; i < rmat->edges; i++) {
        next_edge(rmat, &u, &v);
        graph->rows[u] += u != v;
        graph->rows[v] += u != v;
    }
    status = cb_graph_counted(graph, false, err);
    if (status != CB_OK)
        return status;
    rmat->random.state = EDGE_SEED;
    for (uint64_t i = 0; i < rmat->edges; i++) {
        next_edge(rmat, &u, &v);
        if (u == v)
            continue;
        graph->columns[--graph->rows[u]] = v;
        graph->columns[--graph->rows[v]] = u;
    }
    return CB_OK;
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

/* The new number of each of n vertices; NULL if there is not enough memory. */
static uint32_t *shuffle(uint32_t n)
{
    struct cb_random random = {ORDER_SEED};
    uint32_t *order = calloc(n, sizeof *order);
    for (uint32_t i = 0; order && i < n; i++) {
        uint32_t j = below(i + 1, cb_random_next(&random));
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

/* The columns of the renumbered graph are in no order. */
static enum cb_status renumber(const struct cb_graph *graph, const uint32_t *order,
                               struct cb_graph *renumbered, struct cb_err *err)
{
    enum cb_status status = cb_graph_begin(renumbered, graph->name, graph->vertices, err);
    if (status != CB_OK)
        return status;
    for (uint32_t v = 0; v < graph->vertices; v++)
        renumbered->rows[order[v]] = graph->rows[v + 1] - graph->rows[v];
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

/* A weight depends on the two ends only, so both directions have the same. */
static enum cb_status weigh(struct cb_graph *graph, struct cb_err *err)
{
    graph->weights = calloc(graph->edges ? graph->edges : 1, sizeof *graph->weights);
    if (!graph->weights)
        return cb_fail(err, CB_ERROR, "%s: out of memory for %" PRIu64 " weights", graph->name,
                       graph->edges);
    for (uint32_t u = 0; u < graph->vertices; u++)
        for (uint32_t i = graph->rows[u]; i < graph->rows[u + 1]; i++) {
            uint32_t v = graph->columns[i];
            uint64_t ends = u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
            struct cb_random random = {WEIGHT_SEED ^ cb_random_mix(ends)};
            graph->weights[i] = 1 + below(MAX_WEIGHT, cb_random_next(&random));
        }
    return CB_OK;
}

/* Every edge is there in both directions, so to transpose the graph is to sort its columns. Frees
 * the unsorted graph. */
static enum cb_status sort_columns(struct cb_graph *graph, struct cb_err *err)
{
    struct cb_graph unsorted = *graph;
    enum cb_status status = cb_graph_transpose(&unsorted, graph, err);
    cb_graph_free(&unsorted);
    return status;
}

/* Gives the vertices shuffled numbers: as they were drawn, those with many zero bits have the most
 * edges. Done last: until here, that order is what makes the caches work. */
static enum cb_status shuffle_vertices(struct cb_graph *graph, struct cb_err *err)
{
    struct cb_graph renumbered = {0};
    uint32_t *order = shuffle(graph->vertices);
    enum cb_status status = order ? renumber(graph, order, &renumbered, err)
                                  : cb_fail(err, CB_ERROR, "%s: out of memory", graph->name);
    free(order);
    cb_graph_free(graph);
    if (status != CB_OK)
        return status;
    *graph = renumbered;
    return sort_columns(graph, err);
}

static enum cb_status make_rmat(struct rmat *rmat, const char *name, struct cb_graph *graph,
                                struct cb_err *err)
{
    enum cb_status status = draw_edges(rmat, name, graph, err);
    if (status == CB_OK)
        status = sort_columns(graph, err);
    if (status != CB_OK)
        return status;
    remove_duplicates(graph);
    status = shuffle_vertices(graph, err);
    if (status == CB_OK)
        status = weigh(graph, err);
    if (status != CB_OK)
        cb_graph_free(graph);
    return status;
}

static bool parse_rmat(const char *numbers, uint64_t *scale, uint64_t *factor)
{
    *factor = DEFAULT_EDGE_FACTOR;
    const char *rest = read_number(numbers, scale);
    if (rest && *rest == ':')
        rest = read_number(rest + 1, factor);
    return rest && !*rest && *scale >= 1 && *scale <= MAX_SCALE && *factor >= 1 &&
           *factor <= MAX_EDGE_FACTOR;
}

static enum cb_status rmat(const char *spec, const char *numbers, struct cb_graph *graph,
                           struct cb_err *err)
{
    uint64_t scale = 0, factor = 0;
    if (!parse_rmat(numbers, &scale, &factor))
        return cb_fail(err, CB_USAGE,
                       "rmat: expected rmat:SCALE[:EDGEFACTOR] with SCALE from 1 to %u and "
                       "EDGEFACTOR from 1 to %u, for instance rmat:20:16, got \"%.100s\"",
                       MAX_SCALE, MAX_EDGE_FACTOR, spec);
    struct rmat parameters = {.scale = (uint32_t)scale, .edges = factor << scale};
    if (2 * parameters.edges > CB_GRAPH_MAX_EDGES)
        return cb_fail(err, CB_USAGE,
                       "rmat: expected 2 * EDGEFACTOR * 2^SCALE of at most %llu, got \"%.100s\"",
                       CB_GRAPH_MAX_EDGES, spec);
    char name[sizeof graph->name];
    snprintf(name, sizeof name, "rmat:%" PRIu64 ":%" PRIu64, scale, factor);
    return make_rmat(&parameters, name, graph, err);
}

/* --- A small one at random ------------------------------------------------------------------ */

void cb_graph_draw(struct cb_random *random, char *spec, size_t size)
{
    unsigned width = cb_random_between(random, 1, 60), height = cb_random_between(random, 1, 60);
    unsigned scale = cb_random_between(random, 6, 10);
    if (cb_random_below(random, 2))
        snprintf(spec, size, "grid:%ux%u", width, height);
    else
        snprintf(spec, size, "rmat:%u", scale);
}

/* --- The generators ------------------------------------------------------------------------- */

#define NAMES "grid,rmat"
#define FORMS "grid:WxH or rmat:SCALE[:EDGEFACTOR]"

static const struct generator {
    const char *prefix;
    enum cb_status (*generate)(const char *spec, const char *numbers, struct cb_graph *graph,
                               struct cb_err *err);
} generators[] = {{"grid:", grid}, {"rmat:", rmat}};

static const struct generator *find_generator(const char *spec)
{
    for (size_t i = 0; i < CB_COUNTOF(generators); i++)
        if (strncmp(spec, generators[i].prefix, strlen(generators[i].prefix)) == 0)
            return &generators[i];
    return NULL;
}

bool cb_graph_is_generated(const char *spec)
{
    return find_generator(spec) != NULL;
}

enum cb_status cb_graph_generate(const char *spec, struct cb_graph *graph, struct cb_err *err)
{
    const struct generator *generator = find_generator(spec);
    *graph = (struct cb_graph){0};
    if (!generator)
        return cb_graph_unknown(spec, "it is not a generator", err);
    return generator->generate(spec, spec + strlen(generator->prefix), graph, err);
}

enum cb_status cb_graph_unknown(const char *spec, const char *why, struct cb_err *err)
{
    char word[32], nearest[32], hint[64] = "";
    snprintf(word, sizeof word, "%.*s", (int)strcspn(spec, ":"), spec);
    if (strchr(spec, ':') && cb_nearest_choice(word, NAMES, nearest, sizeof nearest))
        snprintf(hint, sizeof hint, "; did you mean \"%s\"?", nearest);
    return cb_fail(err, CB_USAGE,
                   "graph: \"%.1000s\" is no generator (expected " FORMS "%s) and no file (%s)",
                   spec, hint, why);
}
