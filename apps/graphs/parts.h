/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the graph library share; users include apps/graphs/graph.h.
 *
 * A graph is made in three steps: cb_graph_begin(), then the maker counts the edges of each vertex
 * in rows[v]; cb_graph_counted(), then the maker puts each edge of v at columns[--rows[v]]. That
 * leaves in rows[v] where v begins: no second array of positions. As each vertex fills from its
 * end, a maker that goes through its edges backwards keeps their order.
 */
#pragma once

#include "apps/graphs/graph.h"

/* Empties graph and gives it a name, cut to what fits, and vertices + 1 rows that are zero. */
enum cb_status cb_graph_begin(struct cb_graph *graph, const char *name, uint32_t vertices,
                              struct cb_err *err);

/* Makes room for the edges counted in rows, whose sum must be at most CB_GRAPH_MAX_EDGES, and turns
 * each count into the end of its vertex. Frees the graph if there is not enough memory. */
enum cb_status cb_graph_counted(struct cb_graph *graph, bool weighted, struct cb_err *err);

/* Whether spec has the form of a generator's ("grid:..."), right or wrong. */
bool cb_graph_is_generated(const char *spec);

/* Makes the graph of such a spec. */
enum cb_status cb_graph_generate(const char *spec, struct cb_graph *graph, struct cb_err *err);

/* Fails: spec is neither a generator nor a file; why is what the system says of the file. */
enum cb_status cb_graph_unknown(const char *spec, const char *why, struct cb_err *err);

/* Reads a file of one of CB_GRAPH_FORMATS. */
enum cb_status cb_graph_read(const char *path, struct cb_graph *graph, struct cb_err *err);
