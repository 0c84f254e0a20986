/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory of *children*: tasks that workgroups submit (coop/children.clh). Zeroed before each
 * launch. In words: CHILD_WORDS of all, hints, a line for each slot, one for each lane of the
 * host's tasks, and the places of each slot's children.
 */
#pragma once
#include "coop_abi.h"
#include "task_abi.h"

#define CHILD_LINE      32u  /* words */
#define CHILD_PLACES    16u  /* children that a workgroup has submitted at once, at most */
#define CHILD_SHARES    8u   /* workgroups that do a child, at most */
#define CHILD_ARGUMENTS 256u /* bytes, at most */

/* Words of all: children of the kernel that have not ended. */
#define CHILD_PENDING 0u
#define CHILD_WORDS   CHILD_LINE

/* Words of a slot, or the first of them of a lane: children that it waits for and that have not
 * ended (those that it has submitted, and theirs); and of its places, a bit each, which are in use,
 * and which have a share that nobody has begun. */
#define CHILD_COUNT 0u
#define CHILD_USED  1u
#define CHILD_READY 2u

typedef struct {
    cb_u32 shares;  /* workgroups that do it, one after the other or at once */
    cb_u32 started; /* of these */
    cb_u32 left;    /* that have not ended */
    cb_u32 taken;   /* blocks beyond the first of each share */
    cb_u32 root;    /* the slot that waits for it, or child_lane() */
    cb_u32 pad[CHILD_LINE - 5];
    task_packet packet;
    cb_u32 arguments[CHILD_ARGUMENTS / 4];
} child_place;

#define CHILD_PLACE_WORDS (CHILD_LINE + TASK_PACKET_UNIT / 4 + CHILD_ARGUMENTS / 4)

/* Words of hints: a bit for each slot that has a share which nobody has begun. */
static inline cb_u32 child_hints(cb_u32 workers)
{
    return (workers + 31) / 32;
}

/* Where the line of slot 0 begins. */
static inline cb_u32 child_slots(cb_u32 workers)
{
    return CHILD_WORDS + (child_hints(workers) + CHILD_LINE - 1) / CHILD_LINE * CHILD_LINE;
}

/* The number of a lane after those of all slots. */
static inline cb_u32 child_lane(cb_u32 workers, cb_u32 lane)
{
    return workers + lane;
}

static inline cb_u64 child_words(cb_u32 workers)
{
    return child_slots(workers) + CHILD_LINE * (cb_u64)child_lane(workers, COOP_LANES) +
           (cb_u64)CHILD_PLACE_WORDS * CHILD_PLACES * workers;
}
