/* SPDX-License-Identifier: Apache-2.0
 *
 * apps/game/: values of a tree's leaves come at the same time, go up, and the last one ends the
 * run. PAPER: of paper.cl. PROGRAMS: the name of the list.
 */
#include "app.h"

#define GROUPS 4u
#ifdef PAPER
#include "apps/game/paper.cl"
#else
#include "apps/game/game.cl"
#endif
#pragma GCC diagnostic pop

#include "game_tree.h"

static cb_launch *launch;
static coop_args args;
static coop_local locals[GROUPS];

static void start(void)
{
    launch = weak_launch();
    memset(&args, 0, sizeof args);
    args.words = weak_shared(GAME_WORDS * sizeof(cb_u32));
    args.digests = weak_shared(COOP_MAX_RUNS * sizeof(cb_u32));
    args.nodes = weak_shared(sizeof tree);
    memcpy(args.nodes, tree, sizeof tree);
    args.tasks = weak_shared(GROUPS * CB_DEQUE_ROOM * sizeof(cb_u64));
#ifdef PAPER
    args.queues = weak_shared(GROUPS * CB_LOCKED_WORDS * sizeof(cb_u32));
#else
    args.ends = weak_shared(GROUPS * sizeof(cb_u64));
#endif
}

/* A workgroup without a task looks for one until the search is over, and finds nothing. */
static void await_end(unsigned thread)
{
    const coop_view view = {.launch = launch, .group = thread, .groups = GROUPS, .most = GROUPS};
    local coop_local *L = &locals[thread];
    do {
#ifdef PAPER
        game_take(&args, view, L, 0);
#else
        L->take.victim = CB_NO_VICTIM, L->take.task = CB_NO_TASK;
        game_steal(&args, view, L, 0);
#endif
        weak_turn();
    } while (!L->over);
}

static void report(unsigned thread)
{
    if (thread < LEAVES)
        game_report(&args, leaves[thread], values[thread], 0);
    else
        await_end(thread);
}

static const char *all_known(void)
{
    return args.digests[0] == digest_of_tree() ? NULL : "a digest of a part";
}

const weak_program PROGRAMS[] = {
#ifdef PAPER
    {"game as printed", GROUPS, start, report, all_known, .waits_end = true},
#else
    {"game", GROUPS, start, report, all_known, .waits_end = true},
#endif
    {NULL},
};
