/* SPDX-License-Identifier: Apache-2.0
 *
 * The launch packet of a task (FSE'17 Section 4.2): which kernel, its NDRange, its arguments. It
 * lies in the *arena*, a buffer that has all that tasks read and write.
 */
#pragma once
#include "types.h"

#define TASK_PACKET_UNIT  128u   /* bytes: where in the arena a packet may begin; and its size */
#define TASK_LOCAL_BYTES  16384u /* bytes of all local memory that arguments ask for */
#define TASK_ARGUMENT_END 4096u  /* most bytes of a task's arguments */

/* Its arguments follow, aligned and padded as in a structure: values, and in the place of a pointer
 * 64 bits: where its buffer begins in the arena, or in that local memory, in bytes. */
typedef struct {
    cb_u32 number; /* number of the task in its program, as 'coopbench merge' was given them */
    cb_u32 dimensions;
    cb_u32 groups[3]; /* workgroups, and */
    cb_u32 items[3];  /* work-items in one; 1 in dimensions that it has not */
    cb_u64 offset[3];
    cb_u32 pad[18];
} task_packet;
