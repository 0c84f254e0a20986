/* SPDX-License-Identifier: Apache-2.0
 *
 * Workgroups that wait for others, without a protocol (OOPSLA'16 Fig. 1, Section 2.2): as soon as
 * more are launched than run at once, those that wait keep the others from starting.
 */
#include "barrier.clh"

/* Fig. 1: the first workgroup waits until the last one has set the flag, which is 0 before. */
kernel __attribute__((reqd_work_group_size(CB_WG_SIZE, 1, 1))) void
starvation_flag(global cb_launch *launch, volatile global uint *words)
{
    if (get_local_id(0) != 0)
        return;
    if (get_group_id(0) == get_num_groups(0) - 1)
        cb_store_release(CB_ATOMIC(words[0]), 1);
    if (get_group_id(0) == 0)
        cb_wait_reached(launch, CB_ATOMIC(words[0]), 1, CB_SITE_BARRIER);
}

/* One barrier of all workgroups. words: CB_BARRIER_WORDS(workgroups), zero before. */
kernel __attribute__((reqd_work_group_size(CB_WG_SIZE, 1, 1))) void
starvation_barrier(global cb_launch *launch, volatile global uint *words)
{
    cb_barrier_state b =
        cb_barrier_start(launch, words, (uint)get_group_id(0), (uint)get_num_groups(0));
    cb_global_barrier(b);
}
