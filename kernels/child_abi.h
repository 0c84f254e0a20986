/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory of *children*: tasks that workgroups submit (coop/children.clh). Zeroed before each
 * launch. In words: a line for each kernel, hints, a line for each slot (of several kernels, as
 * many for each: those of the first tell of the places), one for each lane of the host's tasks, and
 * the places of each slot's children.
 */
#pragma once
#include "coop_abi.h"
#include "task_abi.h"

#define CHILD_LINE      32u  /* words */
#define CHILD_PLACES    16u  /* children that a workgroup has submitted at once, at most */
#define CHILD_SHARES    8u   /* workgroups that do a child, at most */
#define CHILD_ARGUMENTS 256u /* bytes, at most */

/* The word of a kernel: children that have not ended. */
static inline cb_u32 child_pending(cb_u32 k)
{
    return k * CHILD_LINE;
}

/* Words of a *root*, a slot of a kernel or a lane: children that it waits for and that have not
 * ended (those that it has submitted, and theirs). And of a slot, of its places, a bit each: which
 * are in use, and which have a share that nobody has begun. */
#define CHILD_COUNT 0u
#define CHILD_USED  1u
#define CHILD_READY 2u

typedef struct {
    cb_u32 shares;  /* workgroups that do it, one after the other or at once */
    cb_u32 started; /* number of these that have begun */
    cb_u32 left;    /* that have not ended */
    cb_u32 taken;   /* blocks beyond the first of each share */
    cb_u32 root;    /* what waits for it: child_root() or child_lane() */
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

/* Where the hints begin, the lines of roots, and the places. */
static inline cb_u32 child_hints_at(cb_u32 kernels)
{
    return child_pending(kernels);
}

static inline cb_u32 child_roots_at(cb_u32 kernels, cb_u32 workers)
{
    return child_hints_at(kernels) +
           (child_hints(workers) + CHILD_LINE - 1) / CHILD_LINE * CHILD_LINE;
}

/* The number of a slot as a root, and that of a lane, after those of all slots. */
static inline cb_u32 child_root(cb_u32 k, cb_u32 workers, cb_u32 slot)
{
    return k * workers + slot;
}

static inline cb_u32 child_lane(cb_u32 kernels, cb_u32 workers, cb_u32 lane)
{
    return kernels * workers + lane;
}

static inline cb_u32 child_places_at(cb_u32 kernels, cb_u32 workers)
{
    return child_roots_at(kernels, workers) + CHILD_LINE * child_lane(kernels, workers, COOP_LANES);
}

static inline cb_u64 child_words(cb_u32 kernels, cb_u32 workers)
{
    return child_places_at(kernels, workers) + (cb_u64)CHILD_PLACE_WORDS * CHILD_PLACES * workers;
}
