/* SPDX-License-Identifier: Apache-2.0
 *
 * Betweenness centrality by Brandes' serial algorithm, which the result is compared with.
 */
#pragma once

#include <stdbool.h>

#include "apps/graphs/graph.h"

struct cb_bc_reference {
    double *centrality; /* one for each vertex */
    /* One for each vertex: the sum of bc_fingerprint() of the sources that reach it. */
    uint32_t *fingerprints;
    uint32_t deepest; /* level */
    uint64_t levels;  /* number of levels of all sources, from 0 to the deepest of each */
    double edges;     /* edges of the vertices that are reached, of all sources */
};

/* Computes centrality from `sources` sources, 1 to the number of vertices: 0 and every (vertices /
 * sources)-th after it. Paths along parallel edges are different paths; what begins or ends at a
 * vertex does not count for it. false: no memory. cb_bc_reference_free() also after that. */
bool cb_bc_reference(const struct cb_graph *graph, uint32_t sources,
                     struct cb_bc_reference *reference);

void cb_bc_reference_free(struct cb_bc_reference *reference);
