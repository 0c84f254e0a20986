/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

#include "apps/octree/octree_abi.h"

/* Of the tree that octree_abi.h defines. */
struct cb_octree_counts {
    uint32_t leaves;
    uint32_t splits; /* cells with octants, */
    uint32_t bigs;   /* and those of them with more than OCTREE_SLICE particles */
    uint32_t digest; /* octree_digest() of all particles */
};

/* By sorting the particles along the Z curve. false: no memory. */
bool cb_octree_reference(const octree_particle *particles, uint32_t n,
                         struct cb_octree_counts *counts);

/* Whether the particle is in the cell with that code. */
bool cb_octree_contains(cb_u64 code, const octree_particle *particle);

/* Levels below the root; -1: no cell has that code. */
int cb_octree_level(cb_u64 code);
