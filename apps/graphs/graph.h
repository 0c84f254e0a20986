/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs of the apps, on the host: read from a file or generated, in compressed sparse rows. The
 * same spec gives the same graph, bit for bit, on every machine.
 *
 * Units: vertices and edges are counted; an edge is directed, so an undirected one counts twice.
 * Errors: CB_USAGE for a wrong spec or file, CB_ERROR if there is not enough memory. A graph that a
 * function failed to make is empty: it may be freed, but need not be.
 *
 *     struct cb_graph graph;
 *     if (cb_graph_load("rmat:20", &graph, err) != CB_OK)
 *         return err->status;
 *     for (uint32_t i = graph.rows[v]; i < graph.rows[v + 1]; i++)
 *         visit(graph.columns[i], graph.weights[i]);
 *     cb_graph_free(&graph);
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "measure/identity.h"
#include "measure/random.h"
#include "runtime/host/error.h"

/* Rows are 32 bits wide, and edges + 1 must fit too. */
#define CB_GRAPH_MAX_EDGES (UINT32_MAX - 1ull)

struct cb_graph {
    uint32_t vertices;
    uint64_t edges;    /* at most CB_GRAPH_MAX_EDGES */
    uint32_t *rows;    /* vertices + 1: the edges of v are rows[v] to rows[v + 1] - 1 */
    uint32_t *columns; /* where each edge goes, ascending for each vertex */
    uint32_t *weights; /* weight of each edge, at least 1 in a loaded graph; NULL: none */
    char name[64];     /* the spec with its defaults, or the file without its folder */
};

static inline uint32_t cb_graph_edges_of(const struct cb_graph *graph, uint32_t vertex)
{
    return graph->rows[vertex + 1] - graph->rows[vertex];
}

struct cb_edge {
    uint32_t from, to, weight;
};

/* The formats of files, in the order in which a file is tried: FORMAT(id, name). */
#define CB_GRAPH_FORMATS(FORMAT)                                                                   \
    FORMAT(galois, "Galois binary (.gr)")                                                          \
    FORMAT(matrix_market, "Matrix Market (.mtx)")                                                  \
    FORMAT(dimacs, "DIMACS shortest paths (.gr)")                                                  \
    FORMAT(metis, "METIS (.graph)")                                                                \
    FORMAT(edge_list, "edge list (.el)")                                                           \
    FORMAT(weighted_edge_list, "weighted edge list (.wel)")                                        \
    FORMAT(snap, "SNAP text (.txt)")

/* A list of them for messages and help: "Galois binary (.gr), ..., also gzip-compressed". */
#define CB_GRAPH_FORMAT_NAME(id, name) name ", "
#define CB_GRAPH_FILES                 CB_GRAPH_FORMATS(CB_GRAPH_FORMAT_NAME) "also gzip-compressed"

/* Makes the graph that spec means: a generator's, such as "grid:1000x1000" (docs/graph-inputs.md
 * has them all), or that of a file. Loaded graphs always have weights, 1 where a file has none. */
enum cb_status cb_graph_load(const char *spec, struct cb_graph *graph, struct cb_err *err);

/* Makes a graph of edges in any order. Parallel edges and loops stay, parallel ones in the order
 * given. Without `weighted` the weights are ignored. */
enum cb_status cb_graph_build(const char *name, uint32_t vertices, const struct cb_edge *edges,
                              uint64_t count, bool weighted, struct cb_graph *graph,
                              struct cb_err *err);

/* Makes the graph with every edge turned around. The columns of `graph` may be in any order; those
 * of the transposed one are ascending. */
enum cb_status cb_graph_transpose(const struct cb_graph *graph, struct cb_graph *transposed,
                                  struct cb_err *err);

/* Makes every edge go both ways, and takes out loops, parallel edges and weights: the undirected
 * graph. The columns must be ascending, and stay so. After a failure the graph is empty. */
enum cb_status cb_graph_symmetrise(struct cb_graph *graph, struct cb_err *err);

/* Whether as many edges lead back as there, between any two vertices. The columns must be
 * ascending. CB_ERROR: no memory. */
enum cb_status cb_graph_is_symmetric(const struct cb_graph *graph, bool *symmetric,
                                     struct cb_err *err);

/* Its vertices and edges, and a hash of where each edge goes, with its weight, if it has any. */
struct cb_identity cb_graph_identity(const struct cb_graph *graph);

/* The first of the vertices with the most edges, where searches begin: others may have none. */
uint32_t cb_graph_busiest(const struct cb_graph *graph);

/* Writes the spec of a small random graph, now and then of one with a handful of vertices or no
 * edges: draw_input of an app of graphs (apps/host/app.h). */
void cb_graph_draw(struct cb_random *random, char *spec, size_t size);

/* Frees what the graph holds and empties it. */
void cb_graph_free(struct cb_graph *graph);
