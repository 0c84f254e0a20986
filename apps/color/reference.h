/* SPDX-License-Identifier: Apache-2.0
 *
 * The colours that a serial algorithm gives in the order of the priorities.
 */
#pragma once

#include <stdbool.h>

#include "apps/graphs/graph.h"

/* The colour of each vertex of an undirected graph, by the rounds that define it: colour r is for
 * the vertices that have no neighbour of higher priority without a colour in round r. false: no
 * memory. */
bool cb_color_reference(const struct cb_graph *graph, uint32_t *colours);
