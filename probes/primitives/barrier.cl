/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers (SO'11 Fig. 1): CB_BARRIER names the one, CB_WG_SIZE the work-items a workgroup.
 * The loops have one exit and no branch around a barrier, for PoCL's compiler.
 */
#include "barrier.clh"
#include "common.clh"

kernel __attribute__((reqd_work_group_size(CB_WG_SIZE, 1, 1))) void
barrier_timed(CB_PRIMITIVE_ARGUMENTS)
{
    local cb_environment env;
    (void)data, (void)value, (void)budget;
    uint group = (uint)get_group_id(0);
    cb_barrier_state b = cb_barrier_start(launch, words + place, group, (uint)get_num_groups(0));
    uint rounds = mode == CB_LAUNCH_MEASURE ? operations : 0;
    if (get_local_id(0) == 0)
        b.failed = !cb_primitive_begin(launch, d, &groups[group], &env, mode, quiet);
    for (uint r = 0; r < rounds; r++)
        cb_global_barrier(b);
    if (get_local_id(0) == 0 && !b.failed)
        cb_primitive_end(&groups[group], b.round);
}

/* Before barrier r every work-item writes r to a word of its own, and after it reads the word of a
 * work- item of another workgroup: it must be r, not older (the barrier let it go too early, or did
 * not order the writes) nor newer (phases mix: the other has gone on). Two words a work-item in
 * turn make one barrier a round enough: between r and r + 2, which share a word, lies barrier r
 * + 1. */
kernel __attribute__((reqd_work_group_size(CB_WG_SIZE, 1, 1))) void
barrier_checked(CB_PRIMITIVE_ARGUMENTS)
{
    local cb_environment env;
    (void)value, (void)budget;
    uint group = (uint)get_group_id(0), n = (uint)get_num_groups(0);
    uint item = (uint)get_local_id(0), errors = 0;
    uint rounds = mode == CB_LAUNCH_MEASURE ? operations : 0;
    cb_barrier_state b = cb_barrier_start(launch, words + place, group, n);
    if (mode == CB_LAUNCH_MEASURE)
        cb_barrier_age(&b, CB_AGE);
    CB_WORKGROUP_BARRIER;
    if (item == 0)
        b.failed = !cb_primitive_begin(launch, d, &groups[group], &env, mode, quiet);
    for (uint r = 1; r <= rounds; r++) {
        global cb_shared cb_u32 *phase = data + (size_t)(r % 2) * n * CB_WG_SIZE;
        phase[group * CB_WG_SIZE + item] = r;
        cb_global_barrier(b);
        errors += phase[((group + r) % n) * CB_WG_SIZE + item] != r;
    }
    atomic_add((volatile global uint *)&groups[group].errors, errors);
    if (item == 0 && !b.failed)
        cb_primitive_end(&groups[group], rounds);
}
