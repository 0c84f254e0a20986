/* SPDX-License-Identifier: Apache-2.0
 *
 * The barrier without a barrier: a kernel ends, the next one begins (SO'11 Section 2.2). One launch
 * is one round, its number is `operations`. CB_WG_SIZE: work-items a workgroup.
 */
#include "common.clh"

/* Work-item 0 finds out how many workgroups the barriers to compare with have. */
static inline void cb_relaunch_discover(global cb_launch *launch, global cb_discovery *d,
                                        global cb_primitive_group *groups,
                                        local cb_environment *env, ulong quiet)
{
    if (get_local_id(0) == 0)
        groups[get_group_id(0)].participating = cb_discover_whether(launch, d, env, quiet);
}

kernel __attribute__((reqd_work_group_size(CB_WG_SIZE, 1, 1))) void
relaunch_timed(CB_PRIMITIVE_ARGUMENTS)
{
    local cb_environment env;
    (void)words, (void)data, (void)operations, (void)value, (void)place, (void)budget;
    if (mode == CB_LAUNCH_DISCOVER)
        cb_relaunch_discover(launch, d, groups, &env, quiet);
}

/* Every work-item finds the round before in the word of a work-item of another workgroup, and
 * writes its own round; two words a work-item in turn, as in barrier_checked. */
kernel __attribute__((reqd_work_group_size(CB_WG_SIZE, 1, 1))) void
relaunch_checked(CB_PRIMITIVE_ARGUMENTS)
{
    local cb_environment env;
    (void)words, (void)value, (void)place, (void)budget;
    uint group = (uint)get_group_id(0), n = (uint)get_num_groups(0), round = operations;
    uint item = (uint)get_local_id(0);
    global cb_shared cb_u32 *before = data + (size_t)((round + 1) % 2) * n * CB_WG_SIZE;
    global cb_shared cb_u32 *now = data + (size_t)(round % 2) * n * CB_WG_SIZE;
    if (mode == CB_LAUNCH_DISCOVER) {
        cb_relaunch_discover(launch, d, groups, &env, quiet);
    } else {
        if (before[((group + round) % n) * CB_WG_SIZE + item] != round - 1)
            atomic_add((volatile global uint *)&groups[group].errors, 1u);
        now[group * CB_WG_SIZE + item] = round;
        if (item == 0)
            groups[group].operations++;
    }
}
