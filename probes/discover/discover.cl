/* SPDX-License-Identifier: Apache-2.0
 *
 * The microbenchmark of OOPSLA'16 Section 5.1: discover, then check the environment and, if asked
 * to, pass one global barrier together.
 */
#include "barrier_once.clh"
#include "compute_unit.clh"
#include "discover_abi.h"
#include "discovery.clh"

#ifndef CB_WG_SHAPE
#define CB_WG_SHAPE CB_WG_SIZE, 1, 1
#endif

/* groups[cb_native_group()]: the record of this workgroup.
 * items[p_get_global_id()]: counts the work-items that had this id (must be 1 for each).
 * letters[p_get_group_id()]: written before the barrier; letters[launched + id]: read after it
 *     from its neighbour's element. Plain accesses, ordered by the barrier.
 * ballast: the microbenchmark's local memory.
 * CB_WG_SIZE: work-items a workgroup, CB_WG_SHAPE: in each dimension; NVIDIA's compiler plans for
 * no more than 256 unless told. The control flow stays flat: PoCL's compiler must not see barriers
 * inside branches or loops. */
kernel __attribute__((reqd_work_group_size(CB_WG_SHAPE))) void
discover(global cb_launch *launch, global cb_discovery *d, global cb_discover_group *groups,
         volatile global uint *items, global uint *letters, uint delay, ulong quiet,
         local uchar *ballast)
{
    local cb_environment env;
    uint local_id = cb_native_item();
    uint wg_size = cb_native_items();
    uint launched = cb_native_groups();
    global cb_discover_group *self = &groups[cb_native_group()];

    if (local_id == 0) {
#ifdef CB_CALLS_ROLL
        cb_begin_work(launch);
#endif
        ballast[0] = 1;
        ulong start = cb_clock();
        bool returned = !cb_aborted(launch) && cb_discover(launch, d, &env, delay, quiet);
        self->start = start;
        self->end = cb_clock();
        self->started = ballast[0];
        if (!returned)
            env.participating = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (env.participating) {
        atomic_inc(&items[p_get_global_id(&env, local_id, wg_size)]);
        if (local_id == 0)
            letters[p_get_group_id(&env)] = p_get_group_id(&env) + 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

    if (env.participating && local_id == 0) {
        uint id = p_get_group_id(&env);
        uint count = p_get_num_groups(&env);
        self->participating = 1;
        self->unit = cb_compute_unit();
        self->group_id = id;
        self->num_groups = count;
        self->global_size = p_get_global_size(&env, wg_size);
        if (cb_barrier_once(launch, d->barrier, count)) {
            letters[launched + id] = letters[(id + 1) % count];
            self->passed = 1;
        }
    }
#ifdef CB_CALLS_ROLL
    if (local_id == 0)
        cb_end_work(launch);
#endif
}
