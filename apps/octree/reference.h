/* SPDX-License-Identifier: Apache-2.0
 *
 * The octree that a serial algorithm builds.
 */
#pragma once

#include <stdbool.h>

#include "apps/octree/octree_abi.h"

/* Counts of the tree that octree_abi.h defines. */
struct cb_octree_counts {
    uint32_t leaves;
    uint32_t splits; /* cells with octants */
    uint32_t bigs;   /* cells with octants and more than OCTREE_SLICE particles */
    uint32_t digest; /* octree_digest() of all particles */
};

/* By sorting the particles along the Z curve. capacity: of a leaf above the lowest level. false: no
 * memory. */
bool cb_octree_reference(const octree_particle *particles, uint32_t n, uint32_t capacity,
                         struct cb_octree_counts *counts);

/* What the particles of a cell have in common: of each coordinate, all bits above the lowest
 * `shift`. */
struct cb_octree_cube {
    int level; /* below the root; -1: no cell has that code, and nothing is in it */
    unsigned shift;
    uint32_t x, y, z;
};

struct cb_octree_cube cb_octree_cube(cb_u64 code);
bool cb_octree_contains(const struct cb_octree_cube *cube, const octree_particle *particle);
