/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs in compressed sparse rows: made of edges, transposed, freed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "apps/graphs/parts.h"
#include "runtime/host/hash.h"

void cb_graph_free(struct cb_graph *graph)
{
    free(graph->rows);
    free(graph->columns);
    free(graph->weights);
    *graph = (struct cb_graph){0};
}

/* --- The three steps -------------------------------------------------------------------------- */

/* A name that is too long loses its end, but no half of a UTF-8 character is left. */
static void set_name(struct cb_graph *graph, const char *name)
{
    size_t n = strnlen(name, sizeof graph->name - 1);
    if (name[n] != '\0')
        while (n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80)
            n--;
    memcpy(graph->name, name, n);
    graph->name[n] = '\0';
}

enum cb_status cb_graph_begin(struct cb_graph *graph, const char *name, uint32_t vertices,
                              struct cb_err *err)
{
    *graph = (struct cb_graph){.vertices = vertices};
    set_name(graph, name);
    graph->rows = calloc((size_t)vertices + 1, sizeof *graph->rows);
    if (graph->rows)
        return CB_OK;
    *graph = (struct cb_graph){0};
    return cb_fail(err, CB_ERROR, "%.200s: out of memory for %" PRIu32 " vertices", name, vertices);
}

enum cb_status cb_graph_counted(struct cb_graph *graph, bool weighted, struct cb_err *err)
{
    uint32_t end = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        end += graph->rows[v];
        graph->rows[v] = end;
    }
    graph->rows[graph->vertices] = end;
    graph->edges = end;

    size_t room = end ? end : 1; /* an empty array is not NULL: that means no weights */
    graph->columns = calloc(room, sizeof *graph->columns);
    graph->weights = weighted ? calloc(room, sizeof *graph->weights) : NULL;
    if (graph->columns && (graph->weights || !weighted))
        return CB_OK;
    enum cb_status status =
        cb_fail(err, CB_ERROR, "%s: out of memory for %" PRIu32 " edges", graph->name, end);
    cb_graph_free(graph);
    return status;
}

/* The next free place of an edge of vertex v, from its end. */
static void put(struct cb_graph *graph, uint32_t v, uint32_t column, const uint32_t *weight)
{
    uint32_t place = --graph->rows[v];
    graph->columns[place] = column;
    if (graph->weights)
        graph->weights[place] = *weight;
}

/* --- Transpose and build ---------------------------------------------------------------------- */

enum cb_status cb_graph_transpose(const struct cb_graph *graph, struct cb_graph *transposed,
                                  struct cb_err *err)
{
    enum cb_status status = cb_graph_begin(transposed, graph->name, graph->vertices, err);
    if (status != CB_OK)
        return status;
    for (uint64_t i = 0; i < graph->edges; i++)
        transposed->rows[graph->columns[i]]++;
    status = cb_graph_counted(transposed, graph->weights != NULL, err);
    if (status != CB_OK)
        return status;
    for (uint32_t v = graph->vertices; v-- > 0;)
        for (uint32_t i = graph->rows[v + 1]; i-- > graph->rows[v];)
            put(transposed, graph->columns[i], v, graph->weights ? &graph->weights[i] : NULL);
    return CB_OK;
}

static enum cb_status check_edges(const char *name, uint32_t vertices, const struct cb_edge *edges,
                                  uint64_t count, struct cb_err *err)
{
    if (vertices == 0 || vertices == UINT32_MAX)
        return cb_fail(err, CB_USAGE,
                       "%.200s: expected from 1 to %" PRIu32 " vertices, got %" PRIu32, name,
                       UINT32_MAX - 1, vertices);
    if (count > CB_GRAPH_MAX_EDGES)
        return cb_fail(err, CB_USAGE, "%.200s: expected at most %llu edges, got %" PRIu64, name,
                       CB_GRAPH_MAX_EDGES, count);
    for (uint64_t i = 0; i < count; i++)
        if (edges[i].from >= vertices || edges[i].to >= vertices)
            return cb_fail(err, CB_USAGE,
                           "%.200s: edge %" PRIu64 ": expected vertices from 0 to %" PRIu32
                           ", got %" PRIu32 " and %" PRIu32,
                           name, i, vertices - 1, edges[i].from, edges[i].to);
    return CB_OK;
}

/* The edges, each turned around. */
static enum cb_status build_backwards(const char *name, uint32_t vertices,
                                      const struct cb_edge *edges, uint64_t count, bool weighted,
                                      struct cb_graph *graph, struct cb_err *err)
{
    enum cb_status status = cb_graph_begin(graph, name, vertices, err);
    if (status != CB_OK)
        return status;
    for (uint64_t i = 0; i < count; i++)
        graph->rows[edges[i].to]++;
    status = cb_graph_counted(graph, weighted, err);
    if (status != CB_OK)
        return status;
    for (uint64_t i = count; i-- > 0;)
        put(graph, edges[i].to, edges[i].from, &edges[i].weight);
    return CB_OK;
}

/* Two counting sorts: by where the edges go, then, in the transposition, by where they come from.
 * Both keep the order of equals, so the columns of each vertex end up ascending. */
enum cb_status cb_graph_build(const char *name, uint32_t vertices, const struct cb_edge *edges,
                              uint64_t count, bool weighted, struct cb_graph *graph,
                              struct cb_err *err)
{
    *graph = (struct cb_graph){0};
    struct cb_graph backwards;
    enum cb_status status = check_edges(name, vertices, edges, count, err);
    if (status != CB_OK)
        return status;
    status = build_backwards(name, vertices, edges, count, weighted, &backwards, err);
    if (status != CB_OK)
        return status;
    status = cb_graph_transpose(&backwards, graph, err);
    cb_graph_free(&backwards);
    return status;
}

/* --- Ask -------------------------------------------------------------------------------------- */

struct cb_identity cb_graph_identity(const struct cb_graph *graph)
{
    const size_t edges = graph->edges;
    uint64_t hash = cb_hash_numbers(CB_HASH_START, graph->rows, (size_t)graph->vertices + 1);
    hash = cb_hash_numbers(hash, graph->columns, edges);
    if (graph->weights)
        hash = cb_hash_numbers(hash, graph->weights, edges);
    return (struct cb_identity){hash, graph->vertices, graph->edges};
}

uint32_t cb_graph_busiest(const struct cb_graph *graph)
{
    uint32_t busiest = 0, most = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint32_t edges = cb_graph_edges_of(graph, v);
        if (edges <= most)
            continue;
        busiest = v;
        most = edges;
    }
    return busiest;
}
