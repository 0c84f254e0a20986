/* SPDX-License-Identifier: Apache-2.0
 *
 * examples/game.cl, as game.c has it of apps/game/: values go up, and the last one ends the run.
 */
#include "opencl.h"
#include "programs.h"

#define game             game_kernel /* which the runtime runs in parts, and is not run here */
#define get_group_id(d)  weak_thread()
#define get_global_id(d) weak_thread()
#define transmit
#define offer_kill()       (void)0
#define request_fork()     (void)0
#define global_barrier()   (void)0
#define coop_launch()      NULL
#define coop_run()         0u
#define coop_max_groups()  1u
#define get_global_size(d) 1u
#include "examples/game.cl"
#undef game
#pragma GCC diagnostic pop

#include "game_tree.h"

static game_tree shared;

static void start(void)
{
    shared.nodes = weak_shared(sizeof tree);
    memcpy(shared.nodes, tree, sizeof tree);
    shared.words = weak_shared(GAME_WORDS * sizeof(cb_u32));
    shared.digest = weak_shared(sizeof(cb_u32));
}

static void report_leaf(unsigned thread)
{
    report(shared, leaves[thread], values[thread]);
}

static const char *all_known(void)
{
    return *shared.digest == digest_of_tree() ? NULL : "a digest of a part";
}

const weak_program game_example_programs[] = {
    {"game, the example", LEAVES, start, report_leaf, all_known},
    {NULL},
};
