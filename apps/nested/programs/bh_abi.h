/* SPDX-License-Identifier: Apache-2.0
 *
 * Barnes-Hut: what the host has in common with the kernels (bh.cl). The cube has edges of length 1,
 * all bodies together a mass of 1, and the constant of gravity is 1.
 */
#pragma once
#include "kernels/types.h"

#define BH_STEPS 4u
#define BH_STEP  0.00390625f /* 1 / 256 */
#define BH_WALL  0.99999994f /* the last number below 1 */
#define BH_THETA 0.5f        /* a cell is a point from so many of its edges on, inversely */

/* Square of the softening length, 0.02: so no body is accelerated by more than 0.385 / BH_SOFTENING
 * < 1000. */
#define BH_SOFTENING 0.0004f

/* Level l of the pyramid has 8^l cells; children are those of the level BH_COARSE. */
#define BH_COARSE       2u
#define BH_MOST_DEPTH   4u
#define BH_FIRST(level) (((1u << 3 * (level)) - 1) / 7)
#define BH_CELLS(depth) BH_FIRST((depth) + 1)

/* Sums are of integers, so that they do not depend on the order: of a body's coordinates in
 * 1 / 2^19, of which 4096 stay below 2^32, and of accelerations in 1 / 2^21, of which 1000 is below
 * 2^31. */
#define BH_MOST_BODIES  4096u
#define BH_COORDINATE   524288.0f
#define BH_ACCELERATION 2097152.0f

/* words: of each of n bodies, */
#define BH_POSITION(n, axis)    ((axis) * (n))
#define BH_VELOCITY(n, axis)    ((3 + (axis)) * (n))
#define BH_ACCELERATED(n, axis) ((6 + (axis)) * (n))
#define BH_NEXT(n)              (9 * (n)) /* next body of the same cell; 0: none, else 1 more */
/* Words of each cell come next. */
#define BH_CELL(n)    (10 * (n))
#define BH_COUNT      0u
#define BH_SUM        1u /* this word and the next two: the sum of positions */
#define BH_HEAD       4u /* first of the cell's bodies */
#define BH_CELL_WORDS 5u
