/* SPDX-License-Identifier: Apache-2.0
 *
 * Dijkstra's algorithm, serial: the reference of shortest paths.
 */
#pragma once

#include <stdbool.h>

#include "apps/graphs/graph.h"

#define CB_DIJKSTRA_UNREACHED UINT64_MAX

/* The length of the shortest path from the source to each vertex, by a radix heap (E. W. Dijkstra:
 * A note on two problems in connexion with graphs, 1959). The graph has weights. false: no memory.
 */
bool cb_dijkstra(const struct cb_graph *graph, uint32_t source, uint64_t *distances);
