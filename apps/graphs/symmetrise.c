/* SPDX-License-Identifier: Apache-2.0
 *
 * The undirected graph of a directed one, and whether a graph is undirected.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "apps/graphs/parts.h"

/* The ends of vertex v's edges in either direction, each once, without v itself. Both graphs have
 * ascending columns. Puts them, from the last to the first, before *end (NULL: nowhere); returns
 * how many there are. */
static uint32_t merge(const struct cb_graph *there, const struct cb_graph *back, uint32_t v,
                      uint32_t *end)
{
    uint32_t i = there->rows[v + 1], j = back->rows[v + 1], last = v, count = 0;
    while (i > there->rows[v] || j > back->rows[v]) {
        bool from_back = i == there->rows[v] ||
                         (j > back->rows[v] && back->columns[j - 1] > there->columns[i - 1]);
        uint32_t column = from_back ? back->columns[--j] : there->columns[--i];
        if (column == v || column == last)
            continue;
        last = column;
        count++;
        if (end)
            *--end = column;
    }
    return count;
}

static enum cb_status merge_all(const struct cb_graph *there, const struct cb_graph *back,
                                struct cb_graph *both, struct cb_err *err)
{
    uint64_t edges = 0;
    enum cb_status status = cb_graph_begin(both, there->name, there->vertices, err);
    if (status != CB_OK)
        return status;
    for (uint32_t v = 0; v < both->vertices; v++)
        edges += both->rows[v] = merge(there, back, v, NULL);
    if (edges > CB_GRAPH_MAX_EDGES) {
        cb_graph_free(both);
        return cb_fail(err, CB_USAGE,
                       "%s: expected at most %llu edges in both directions, got %" PRIu64,
                       there->name, CB_GRAPH_MAX_EDGES, edges);
    }
    status = cb_graph_counted(both, false, err);
    for (uint32_t v = 0; status == CB_OK && v < both->vertices; v++)
        both->rows[v] -= merge(there, back, v, both->columns + both->rows[v]);
    return status;
}

enum cb_status cb_graph_symmetrise(struct cb_graph *graph, struct cb_err *err)
{
    struct cb_graph there = *graph, back;
    *graph = (struct cb_graph){0};
    enum cb_status status = cb_graph_transpose(&there, &back, err);
    if (status == CB_OK) {
        status = merge_all(&there, &back, graph, err);
        cb_graph_free(&back);
    }
    cb_graph_free(&there);
    return status;
}

/* Edges are gone through in the order of where they begin: so those that arrive at a vertex come in
 * the order in which those that leave it are listed. */
enum cb_status cb_graph_is_symmetric(const struct cb_graph *graph, bool *symmetric,
                                     struct cb_err *err)
{
    const size_t bytes = (size_t)graph->vertices * sizeof *graph->rows;
    uint32_t *next = malloc(bytes); /* for each vertex the edge that has to lead back */
    if (!next)
        return cb_fail(err, CB_ERROR, "%s: out of memory", graph->name);
    memcpy(next, graph->rows, bytes);
    *symmetric = true;
    for (uint32_t u = 0; u < graph->vertices && *symmetric; u++)
        for (uint32_t e = graph->rows[u]; e < graph->rows[u + 1] && *symmetric; e++) {
            uint32_t v = graph->columns[e];
            *symmetric = next[v] < graph->rows[v + 1] && graph->columns[next[v]] == u;
            next[v]++;
        }
    free(next);
    return CB_OK;
}
