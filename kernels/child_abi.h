/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory of *children*: tasks that workgroups of the cooperative kernel submit
 * (coop/children.clh). Zeroed before each launch. In words: CHILD_WORDS of all, a line for each
 * slot, whose first word counts the children that it waits for and that have not ended: those that
 * it has submitted, and theirs; a ring of two words an element; and the places of children.
 */
#pragma once
#include "task_abi.h"

#define CHILD_LINE      32u  /* words */
#define CHILD_PLACES    16u  /* children that a workgroup has submitted at once, at most */
#define CHILD_SHARES    8u   /* workgroups that do a child, at most */
#define CHILD_ARGUMENTS 256u /* bytes, at most */

/* Words of all, a line each: next elements of the ring to read (64 bits) and to write; children
 * that have not ended. */
#define CHILD_HEAD    0u
#define CHILD_TAIL    CHILD_LINE
#define CHILD_PENDING (2u * CHILD_LINE)
#define CHILD_WORDS   (3u * CHILD_LINE)

typedef struct {
    cb_u32 used;    /* 1: the place is */
    cb_u32 shares;  /* of it: workgroups that do it, one after the other or at once */
    cb_u32 started; /* of these */
    cb_u32 left;    /* that have not ended */
    cb_u32 taken;   /* blocks beyond the first of each share */
    cb_u32 root;    /* the slot that waits for it */
    cb_u32 pad[CHILD_LINE - 6];
    task_packet packet;
    cb_u32 arguments[CHILD_ARGUMENTS / 4];
} child_place;

#define CHILD_PLACE_WORDS (CHILD_LINE + TASK_PACKET_UNIT / 4 + CHILD_ARGUMENTS / 4)

/* Elements of the ring: a power of two, and enough for all shares of all children. */
static inline cb_u32 child_ring(cb_u32 workers)
{
    cb_u32 elements = 16;
    while (elements < workers * CHILD_PLACES * CHILD_SHARES)
        elements *= 2;
    return elements;
}

static inline cb_u64 child_words(cb_u32 workers)
{
    return CHILD_WORDS + CHILD_LINE * (cb_u64)workers + 2 * (cb_u64)child_ring(workers) +
           (cb_u64)CHILD_PLACE_WORDS * CHILD_PLACES * workers;
}
