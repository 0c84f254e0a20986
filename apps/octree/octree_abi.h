/* SPDX-License-Identifier: Apache-2.0
 *
 * The octree in memory. A cell has a code: 1, then three bits for each level below the root, which
 * octant it is (x, y, z; 1: the upper half). The root's code is 1, its cube the whole space.
 */
#pragma once
#include "types.h"

#define OCTREE_DEPTH          20u   /* bits of a coordinate: levels below the root */
#define OCTREE_CAPACITY       32u   /* particles of a leaf above the lowest level, at most */
#define OCTREE_PAPER_CAPACITY 10u   /* capacity of the paper's variant */
#define OCTREE_SLICE          1024u /* particles that a workgroup looks at in one task, at most */

typedef struct {
    cb_u32 x, y, z;
    cb_u32 number; /* from 0 */
} octree_particle;

typedef struct {
    cb_u64 code;
    cb_u32 begin, count; /* its particles, in the buffer of its level (octree.cl) */
} octree_leaf;

/* A cell of several slices, split by many workgroups. */
typedef struct {
    cb_u32 level, begin, count;
    cb_u32 pending;    /* slices to be counted, or moved */
    cb_u32 sizes[8];   /* sizes of the octants, as far as counted */
    cb_u32 cursors[8]; /* where the next particles of each are put */
} octree_big;

/* Tasks of a workgroup; a power of two. Depth first, at most 7 cells a level stay, and 15 ranges of
 * slices. */
#define CB_DEQUE_ROOM 256u

/* The words of the whole tree. */
#define OCTREE_LEAVES 0u  /* leaves, */
#define OCTREE_SPLITS 32u /* cells with octants, and */
#define OCTREE_BIGS   64u /* the big ones among them, so far */
#define OCTREE_PLACED 96u /* particles in leaves */
#define OCTREE_DIGEST 128u
#define OCTREE_DONE   160u
#define OCTREE_LINE   32u
#define OCTREE_WORDS  192u

/* What the digest of a tree adds up over the particles, each with its leaf's code. */
static inline cb_u32 octree_digest(cb_u64 code, cb_u32 number)
{
    cb_u32 mixed = (cb_u32)(code ^ code >> 32) * 2654435761u;
    return ((mixed ^ mixed >> 15) | 1u) * (number * 2246822519u + 374761393u);
}
