/* SPDX-License-Identifier: Apache-2.0
 *
 * The set that a serial greedy algorithm finds in the order of the priorities.
 */
#pragma once

#include <stdbool.h>

#include "apps/graphs/graph.h"

/* The greedy maximal independent set of an undirected graph, in the order of priorities: 0 for the
 * vertices in it, 1 for the others. false: no memory. */
bool cb_mis_reference(const struct cb_graph *graph, uint32_t *out);
