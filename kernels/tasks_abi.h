/* SPDX-License-Identifier: Apache-2.0
 *
 * Our tasks, which programs have that bring none of their own (tasks/ours.clh): what the host and
 * the kernels share.
 */
#pragma once
#include "local_memory.h"
#include "task_abi.h"

#define COOP_TASK_MATMUL 0 /* a matrix product (tasks/matmul.clh) */
#define COOP_TASK_REDUCE 1 /* the sum of an array (tasks/reduce.clh) */
#define COOP_TASKS       2
/* Its number in a program, whose own begin with 0. */
#define COOP_OUR_TASK(task) (0x10000u + (task))

/* A task's size: rows of the product, of as many columns, and depth, the columns of its first
 * factor; both are multiples of COOP_TASK_UNIT. The time of a task goes up in steps with its rows,
 * since workgroups take blocks of them, but evenly with its depth. Of a reduction: the array is a
 * square of so many rows, and summed up so many times. */
#define COOP_TASK_UNIT              4u /* rows and columns that a work-item computes at once */
#define COOP_TASK_SIZE(rows, depth) ((cb_u32)(depth) << 16 | (rows))
#define COOP_TASK_ROWS(size)        ((size)&0xffffu)
#define COOP_TASK_DEPTH(size)       ((size) >> 16)

/* What follows their launch packets: where in the arena the two factors, the product and the word
 * are to which the digest is added. The reduction has the first factor, and the word. */
typedef struct {
    cb_u64 a, b, c, digest;
    cb_u32 rows, depth, salt, pad;
} coop_our_packet;

/* A virtual workgroup has as many work-items as the program's, in one dimension. One of matmul is a
 * block of tiles, so many side by side and so many one above the other, a tile for each work-item.
 * alone: a work-item multiplies without the others. */
#define COOP_OUR_LESS(a, b) ((a) < (b) ? (a) : (b))
#define COOP_MATMUL_WIDTH(items, alone)                                                            \
    ((alone) ? COOP_OUR_LESS(items, 32u) : (items) < 128 ? 8u : (items) < 512 ? 16u : 32u)
#define COOP_MATMUL_HEIGHT(items, alone) ((items) / COOP_MATMUL_WIDTH(items, alone))
#define COOP_MATMUL_LEAST                32u /* work-items that multiply together */

/* In kernels, how many columns of the first factor such a block has in local memory at a time:
 * where there is little, it may have to share it with the room for arguments of tasks. */
#if CB_LOCAL_BYTES < CB_USUAL_LOCAL_BYTES
#define COOP_MATMUL_COLUMNS 8u
#else
#define COOP_MATMUL_COLUMNS 16u
#endif
#define COOP_MATMUL_STEP(side)                                                                     \
    (COOP_OUR_LESS(side, COOP_MATMUL_COLUMNS) / COOP_TASK_UNIT * COOP_TASK_UNIT)

/* One of reduce is a part of a pass: so many vectors of four for each work-item. */
#define COOP_REDUCE_TAKES 32u

/* Blocks in which tiles are so many side by side, or vectors one after the other. */
#define COOP_OUR_BLOCKS(all, block) (((all) + (block)-1) / (block))
