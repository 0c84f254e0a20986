/* SPDX-License-Identifier: Apache-2.0
 *
 * The edges of an undirected graph, each once, as host and kernel of mst read them.
 */
#pragma once

#include "apps/graphs/graph.h"

struct cb_mst_edge {
    uint32_t ends[2]; /* the smaller one first */
    uint32_t number;  /* its place in the list */
    uint32_t weight;
};

struct cb_mst_edges {
    uint32_t vertices, count;
    struct cb_mst_edge *list; /* NULL: none */
};

/* Takes the graph for undirected: an edge in either direction joins its ends, of several between
 * the same two the lightest counts, and loops do not. The columns must be ascending. CB_ERROR if
 * there is not enough memory. */
enum cb_status cb_mst_edges_of(const struct cb_graph *graph, struct cb_mst_edges *edges,
                               struct cb_err *err);

/* The edges as rows of a graph, each in both, and in *numbers, for each column, the edge's number.
 * CB_ERROR if there is not enough memory. Free both. */
enum cb_status cb_mst_rows_of(const struct cb_mst_edges *edges, struct cb_graph *graph,
                              uint32_t **numbers, struct cb_err *err);

/* Empty ones are fine. */
void cb_mst_edges_free(struct cb_mst_edges *edges);
