/* SPDX-License-Identifier: Apache-2.0
 *
 * probes/launch/promotion/: a thread for each launched step of sc, which moves what it keeps to
 * where the steps before it have read, and one more that is launched in vain. Compiled once with
 * CHAIN_OVERLAP and once without (CMakeLists.txt): PROGRAMS, the name of the list.
 */
#include "opencl.h"
#include "programs.h"

#define CHAIN_WG         1u
#define CHAIN_EACH       2u
#define CHAIN_PAIR(x, y) ((uint2){x, y})
#include "probes/launch/promotion/sc.cl"
#pragma GCC diagnostic pop

#define STEPS    3u
#define LAUNCHED (STEPS + 1)
#define ELEMENTS (STEPS * CHAIN_TILE)

static cb_launch *launch;
static cb_u32 *links;
static uint *data;

/* What the first step is to wait for is there. */
static void start(void)
{
    static const uint elements[ELEMENTS] = {4, 1, 8, 2, 3, 12};
    launch = weak_launch();
    links = weak_shared(chain_at(LAUNCHED + 1, 0) * sizeof *links);
    data = weak_shared(sizeof elements);
    memcpy(data, elements, sizeof elements);
    *chain_data(links, 0, 0) = *chain_data(links, 0, 1) = CHAIN_VALUE(CHAIN_GO, 0);
    links[chain_at(0, CHAIN_CONDITION)] = CHAIN_GO;
}

static void step(unsigned thread)
{
    (void)thread;
    chain_steps(launch, links, data, NULL, ELEMENTS, 0, 0, STEPS);
}

static const char *all_moved(void)
{
    for (uint i = 0; i < STEPS; i++)
        if (data[i] != i + 1)
            return "an element that was not moved";
    return links[CHAIN_NEXT] == LAUNCHED ? NULL : "a step that was not launched";
}

const weak_program PROGRAMS[] = {
#ifdef CHAIN_OVERLAP
    {"chain with overlap", LAUNCHED, start, step, all_moved},
#else
    {"chain", LAUNCHED, start, step, all_moved},
#endif
    {NULL},
};
