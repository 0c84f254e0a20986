/* SPDX-License-Identifier: Apache-2.0
 *
 * apps/octree/: workgroups that have done tasks, of which the last one ends a round of slices or
 * the tree. PAPER: of paper.cl, which has no slices. PROGRAMS: the name of the list.
 */
#include "app.h"

#define GROUPS 3u
#ifdef PAPER
#include "apps/octree/paper.cl"
#else
#include "apps/octree/octree.cl"
#endif
#pragma GCC diagnostic pop

#define PARTICLES GROUPS /* one of each workgroup */

static cb_launch *launch;
static coop_args args;
static coop_local locals[GROUPS];

static void start(void)
{
    launch = weak_launch();
    memset(&args, 0, sizeof args);
    memset(locals, 0, sizeof locals);
    args.words = weak_shared(OCTREE_WORDS * sizeof(cb_u32));
    args.digests = weak_shared(COOP_MAX_RUNS * sizeof(cb_u32));
    args.tasks = weak_shared(GROUPS * CB_DEQUE_ROOM * sizeof(cb_u64));
    args.leaves = weak_shared(8 * sizeof(octree_leaf));
    args.n = PARTICLES;
#ifdef PAPER
    args.queues = weak_shared(GROUPS * CB_LOCKED_WORDS * sizeof(cb_u32));
    args.leaf_room = 8;
#else
    args.ends = weak_shared(GROUPS * sizeof(cb_u64));
    args.bigs = weak_shared(sizeof(octree_big));
    args.leaf_room = args.big_room = 8;
#endif
}

static coop_view view_of(unsigned thread)
{
    return (coop_view){.launch = launch, .group = thread, .groups = GROUPS, .most = GROUPS};
}

/* ---- The last particle ends the tree --------------------------------------------------------- */

static void place(unsigned thread)
{
    local coop_local *L = &locals[thread];
    L->placed = L->digest = 1;
#ifdef PAPER
    octree_finish(&args, view_of(thread), L);
#else
    L->kind = OCTREE_SPLIT;
    octree_finish(&args, view_of(thread), L);
#endif
}

/* A workgroup without a task looks for one until the tree is done, by paper.cl's queues or a
 * deque, and finds nothing. */
static void await_end(unsigned thread)
{
    local coop_local *L = &locals[thread];
    do {
#ifdef PAPER
        octree_take(&args, view_of(thread), L, 0);
#else
        L->take.victim = CB_NO_VICTIM, L->take.task = CB_NO_TASK;
        octree_steal(&args, view_of(thread), L, 0);
#endif
        weak_turn();
    } while (!L->over);
}

static void ends(unsigned thread)
{
    if (thread < 2)
        place(thread);
    else
        await_end(thread);
}

static void start_of_two(void)
{
    start();
    args.n = 2;
}

static const char *all_counted(void)
{
    const uint splits =
#ifdef PAPER
        2;
#else
        0;
#endif
    return args.digests[0] == args.n + octree_digest(0, splits) ? NULL : "a digest of a part";
}

/* ---- The last slice begins what comes next --------------------------------------------------- */

#ifndef PAPER
static void start_slices(void)
{
    start();
    args.bigs[0].pending = GROUPS;
    for (uint g = 0; g < GROUPS; g++) {
        locals[g].count = GROUPS * OCTREE_SLICE;
        locals[g].counts[0] = locals[g].counts[1] = 1;
    }
}

static void count(unsigned thread)
{
    local coop_local *L = &locals[thread];
    L->kind = OCTREE_COUNT;
    for (uint o = 0; o < 8; o++)
        octree_arrange(&args, view_of(thread), L, o);
    octree_finish(&args, view_of(thread), L);
    if (L->makes > 0)
        WEAK_CHECK(args.bigs[0].cursors[1] == GROUPS && args.bigs[0].cursors[7] == 2 * GROUPS,
                   "a slice that is not counted");
}

static const char *one_moves(void)
{
    uint makes = 0;
    for (uint g = 0; g < GROUPS; g++)
        makes += locals[g].makes;
    return makes == 1 ? NULL : "a round that nobody begins, or two do";
}
#endif

const weak_program PROGRAMS[] = {
#ifdef PAPER
    {"octree as printed ends", 3, start_of_two, ends, all_counted, .waits_end = true},
#else
    {"octree ends", 3, start_of_two, ends, all_counted, .waits_end = true},
    {"octree slices", GROUPS, start_slices, count, one_moves},
#endif
    {NULL},
};
