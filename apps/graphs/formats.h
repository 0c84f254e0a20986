/* SPDX-License-Identifier: Apache-2.0
 *
 * What the readers of the file formats share. A format is a row of CB_GRAPH_FORMATS (graph.h) and
 * its two functions: whether a file is one of its own, and reading it.
 *
 * Readers take memory only for what they have read: lists that grow, whatever a file announces.
 */
#pragma once

#include "apps/graphs/graph.h"
#include "apps/graphs/input.h"

/* --- Which format ----------------------------------------------------------------------------- */

struct cb_graph_head {
    const char *name;  /* name of the file, without its folder and ".gz" */
    const char *bytes; /* the first n of its contents, unpacked */
    size_t n;
};

/* Whether the name ends so, in upper or lower case. */
bool cb_graph_head_named(const struct cb_graph_head *head, const char *ending);

/* Whether the contents begin so, in upper or lower case. */
bool cb_graph_head_begins(const struct cb_graph_head *head, const char *text);

/* --- Lists that grow -------------------------------------------------------------------------- */

struct cb_edges {
    struct cb_edge *list;
    uint64_t count, room;
    bool weighted; /* not all weights are 1 */
};

struct cb_numbers {
    uint32_t *list;
    uint64_t count, room;
};

/* Adds an edge. Fails if there is not enough memory or the edges are more than
 * CB_GRAPH_MAX_EDGES. */
enum cb_status cb_edges_add(struct cb_edges *edges, uint32_t from, uint32_t to, uint32_t weight,
                            struct cb_graph_input *input);

/* Gives an edge that was added its weight; 0 becomes 1: apps count on weights that are positive. */
void cb_edges_weigh(struct cb_edges *edges, uint64_t edge, uint32_t weight);

enum cb_status cb_numbers_add(struct cb_numbers *numbers, uint32_t number,
                              struct cb_graph_input *input);

/* --- Reading ---------------------------------------------------------------------------------- */

/* The graph of the edges that a reader found. Refuses more vertices than the file may claim: as
 * many as it has bytes, and 2^26 more. `line` is the one that says how many. */
enum cb_status cb_graph_finish(struct cb_graph_input *input, uint64_t line, uint64_t vertices,
                               const struct cb_edges *edges, struct cb_graph *graph);

#define CB_GRAPH_DECLARE_FORMAT(id, name)                                                          \
    bool cb_graph_is_##id(const struct cb_graph_head *head);                                       \
    enum cb_status cb_graph_read_##id(struct cb_graph_input *input, struct cb_edges *edges,        \
                                      struct cb_graph *graph);
CB_GRAPH_FORMATS(CB_GRAPH_DECLARE_FORMAT)
#undef CB_GRAPH_DECLARE_FORMAT
