/* SPDX-License-Identifier: Apache-2.0
 *
 * probes/graphics/: workgroups read the plain word in which the first of them says when they began.
 */
#include "opencl.h"
#include "programs.h"

#define get_global_id(d) weak_thread()
#include "probes/graphics/graphics.cl"
#pragma GCC diagnostic pop

static cb_launch *launch;
static cb_occupy *turns;

static void start(void)
{
    launch = weak_launch();
    turns = weak_shared(2 * sizeof *turns);
}

static void come(unsigned thread)
{
    (void)thread;
    cb_occupy_begin(launch, turns);
}

static const char *all_came(void)
{
    return turns->came == 3 ? NULL : "a workgroup that is not counted";
}

const weak_program occupy_programs[] = {
    {"occupy", 3, start, come, all_came},
    {NULL},
};
