/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/mst/edges.h"

#include <stdlib.h>

/* Where the edges of a vertex are in a graph: at the next one, and the end. */
struct row {
    const struct cb_graph *graph;
    uint32_t at, end;
};

static struct row row_of(const struct cb_graph *graph, uint32_t vertex)
{
    return (struct row){graph, graph->rows[vertex], graph->rows[vertex + 1]};
}

/* Lowers *weight to that of the lightest edge to `column`, and goes past all of them. */
static void take(struct row *row, uint32_t column, uint32_t *weight)
{
    for (; row->at < row->end && row->graph->columns[row->at] == column; row->at++)
        if (row->graph->weights[row->at] < *weight)
            *weight = row->graph->weights[row->at];
}

static uint32_t next_column(const struct row *row)
{
    return row->at < row->end ? row->graph->columns[row->at] : UINT32_MAX;
}

/* Adds the edges of v to larger vertices; without a list they are only counted. */
static void add_edges(const struct cb_graph *there, const struct cb_graph *back, uint32_t v,
                      struct cb_mst_edges *edges)
{
    struct row rows[2] = {row_of(there, v), row_of(back, v)};
    for (;;) {
        uint32_t a = next_column(&rows[0]), b = next_column(&rows[1]), weight = UINT32_MAX;
        uint32_t column = a < b ? a : b;
        if (column == UINT32_MAX)
            return;
        take(&rows[0], column, &weight);
        take(&rows[1], column, &weight);
        if (column <= v)
            continue;
        if (edges->list)
            edges->list[edges->count] = (struct cb_mst_edge){{v, column}, edges->count, weight};
        edges->count++;
    }
}

static void add_all(const struct cb_graph *there, const struct cb_graph *back,
                    struct cb_mst_edges *edges)
{
    edges->count = 0;
    for (uint32_t v = 0; v < there->vertices; v++)
        add_edges(there, back, v, edges);
}

enum cb_status cb_mst_edges_of(const struct cb_graph *graph, struct cb_mst_edges *edges,
                               struct cb_err *err)
{
    struct cb_graph back;
    *edges = (struct cb_mst_edges){.vertices = graph->vertices};
    if (cb_graph_transpose(graph, &back, err) != CB_OK)
        return err->status;
    add_all(graph, &back, edges);
    edges->list = malloc((edges->count ? edges->count : 1) * sizeof *edges->list);
    if (edges->list)
        add_all(graph, &back, edges);
    cb_graph_free(&back);
    return edges->list ? CB_OK : cb_fail(err, CB_ERROR, "%s: out of memory", graph->name);
}

/* Counts the edges of each vertex at rows[v + 2], so that rows[v + 1] becomes the place of its next
 * one, and in the end that where those of v + 1 begin. */
static void count_rows(const struct cb_mst_edges *edges, uint32_t *rows)
{
    for (uint32_t e = 0; e < edges->count; e++)
        for (int i = 0; i < 2; i++)
            rows[(size_t)edges->list[e].ends[i] + 2]++;
    for (size_t v = 1; v <= edges->vertices; v++)
        rows[v + 1] += rows[v];
}

static void fill_rows(const struct cb_mst_edges *edges, const struct cb_graph *graph,
                      uint32_t *numbers)
{
    for (uint32_t e = 0; e < edges->count; e++)
        for (int i = 0; i < 2; i++) {
            const struct cb_mst_edge *edge = &edges->list[e];
            uint32_t place = graph->rows[edge->ends[i] + 1]++;
            graph->columns[place] = edge->ends[1 - i];
            graph->weights[place] = edge->weight;
            numbers[place] = e;
        }
}

enum cb_status cb_mst_rows_of(const struct cb_mst_edges *edges, struct cb_graph *graph,
                              uint32_t **numbers, struct cb_err *err)
{
    const size_t both = edges->count ? 2 * (size_t)edges->count : 1;
    *graph = (struct cb_graph){.vertices = edges->vertices, .edges = 2 * (uint64_t)edges->count};
    graph->rows = calloc((size_t)edges->vertices + 2, 4);
    graph->columns = malloc(4 * both);
    graph->weights = malloc(4 * both);
    *numbers = malloc(4 * both);
    if (!graph->rows || !graph->columns || !graph->weights || !*numbers)
        return cb_no_memory(err);
    count_rows(edges, graph->rows);
    fill_rows(edges, graph, *numbers);
    return CB_OK;
}

void cb_mst_edges_free(struct cb_mst_edges *edges)
{
    free(edges->list);
    *edges = (struct cb_mst_edges){0};
}
