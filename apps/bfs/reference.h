/* SPDX-License-Identifier: Apache-2.0
 *
 * Levels by a serial search, which the result is compared with.
 */
#pragma once

#include <stdbool.h>

#include "apps/graphs/graph.h"

/* The level of each vertex, by a queue: 0 for the source, UINT32_MAX for what cannot be reached.
 * false: no memory. */
bool cb_bfs_reference(const struct cb_graph *graph, uint32_t source, uint32_t *levels);
