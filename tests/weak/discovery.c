/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/discovery.clh: participants have ids without gaps, and agree on their number; what they
 * wrote before they joined, all of them read. Ids in native order rise with the native ones.
 */
#include "opencl.h"
#include "programs.h"

#define get_group_id(dimension)   weak_thread()
#define get_num_groups(dimension) 3u
#define CB_PROTOCOL               lockfree
#include "kernels/discovery.clh"
#pragma GCC diagnostic pop

#define GROUPS 3u

static cb_launch *launch;
static cb_discovery *discovery;
static uint *written; /* by each group, before it joins */
static cb_environment found[GROUPS];

static void start(void)
{
    launch = weak_launch();
    discovery = weak_shared(CB_DISCOVERY_BYTES(GROUPS));
    written = weak_shared(GROUPS * sizeof *written);
    memset(found, 0, sizeof found);
}

/* All that take part see what all others wrote. */
static void check_written(cb_environment env)
{
    uint seen = 0;
    for (uint g = 0; env.participating && g < GROUPS; g++)
        seen += cb_load_relaxed(CB_ATOMIC(written[g]));
    WEAK_CHECK(!env.participating || seen >= env.num_groups, "a participant's words are not seen");
}

static void lockfree(unsigned thread)
{
    cb_environment env = {0};
    cb_store_relaxed(CB_ATOMIC(written[thread]), 1);
    WEAK_CHECK(cb_discover_lockfree(launch, discovery, &env, 0, 0), "a wait was given up");
    check_written(env);
    found[thread] = env;
}

static void with_mutex(unsigned thread)
{
    cb_environment env = {0};
    cb_store_relaxed(CB_ATOMIC(written[thread]), 1);
    WEAK_CHECK(cb_discover_mutex(launch, discovery, &env, 1, 0), "a wait was given up");
    check_written(env);
    found[thread] = env;
}

static void adaptive(unsigned thread)
{
    cb_environment env = {0};
    cb_store_relaxed(CB_ATOMIC(written[thread]), 1);
    WEAK_CHECK(cb_discover_mutex_adaptive(launch, discovery, &env, 0, 0), "a wait was given up");
    check_written(env);
    found[thread] = env;
}

static void native(unsigned thread)
{
    cb_environment env = {0};
    WEAK_CHECK(cb_discover_lockfree(launch, discovery, &env, 0, 0) &&
                   (!env.participating || cb_ids_native(launch, discovery, &env)),
               "a wait was given up");
    found[thread] = env;
}

static const char *agree(void)
{
    uint participants = 0, ids = 0;
    for (uint g = 0; g < GROUPS; g++)
        if (found[g].participating) {
            participants++;
            ids |= 1u << found[g].group_id;
        }
    for (uint g = 0; g < GROUPS; g++)
        if (found[g].participating && found[g].num_groups != participants)
            return "participants do not agree on their number";
    if (participants == 0)
        return "nobody participates";
    return ids == (1u << participants) - 1 ? NULL : "ids with gaps, or twice";
}

static const char *rise(void)
{
    uint next = 0;
    for (uint g = 0; g < GROUPS; g++)
        if (found[g].participating && found[g].group_id != next++)
            return "ids are not in native order";
    return agree();
}

const weak_program discovery_programs[] = {
    {"discovery lockfree", GROUPS, start, lockfree, agree, .waits_end = true},
    {"discovery mutex", GROUPS, start, with_mutex, agree, .waits_end = true},
    {"discovery mutex adaptive", GROUPS, start, adaptive, agree, .waits_end = true},
    {"discovery native order", GROUPS, start, native, rise, .waits_end = true},
    {NULL},
};
