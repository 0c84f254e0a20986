/* SPDX-License-Identifier: Apache-2.0
 *
 * Mutexes (SO'11 Fig. 2): CB_MUTEX names the one, CB_WG_SIZE the work-items a workgroup,
 * CB_SECTION the increments of one plain counter between lock and unlock: each a read and a write
 * of global memory.
 */
#include "common.clh"
#include "mutex.clh"

/* The counter lies before the lock: what a lock guards belongs near it, and on a GPU the two may
 * else be at opposite ends. It is volatile only to keep the compiler from folding increments.
 * CB_SECTION is no argument, because the branches of a loop are not to be measured. */
kernel __attribute__((reqd_work_group_size(CB_WG_SIZE, 1, 1))) void
mutex_timed(CB_PRIMITIVE_ARGUMENTS)
{
    local cb_environment env;
    (void)data;
    if (get_local_id(0) == 0) {
        global cb_primitive_group *self = &groups[get_group_id(0)];
        volatile global cb_u32 *counter = words + place;
        cb_mutex m = cb_mutex_start(launch, words + place + CB_LINE_WORDS, value);
        bool ok = cb_primitive_begin(launch, d, self, &env, mode, quiet);
        uint done = 0;
        while (done < operations && cb_budget_left(self, done, budget) && ok && cb_lock(&m)) {
            for (uint i = 0; i < CB_SECTION; i++)
                *counter = *counter + 1;
            cb_unlock(&m);
            done++;
        }
        if (ok)
            cb_primitive_end(self, done);
    }
}

/* Work-item 0: asks for the mutex, and notes how long it waited and whether somebody who asked
 * later came first (an upper bound: between the note and the lock's own ticket others may slip in).
 */
static inline bool cb_checked_lock(cb_mutex *m, global cb_shared cb_u32 *data,
                                   global cb_primitive_group *self)
{
    uint request = cb_fetch_add_relaxed(CB_ATOMIC(data[CB_DATA_REQUESTS]), 1);
    ulong asked = cb_clock();
    if (!cb_lock(m))
        return false;
    ulong waited = cb_elapsed(cb_clock(), asked);
    self->waited += waited;
    self->longest = max(self->longest, waited);
    self->overtaken += request < data[CB_DATA_GRANTED];
    data[CB_DATA_GRANTED] = max(request, data[CB_DATA_GRANTED]);
    return true;
}

/* The section belongs to all work-items of the holder: each finds the number of the section in a
 * word of its own, written by the same work-item of the previous holder, and adds one; all plain
 * accesses. A stale or lost one shows in the next section, or in the end. */
kernel __attribute__((reqd_work_group_size(CB_WG_SIZE, 1, 1))) void
mutex_checked(CB_PRIMITIVE_ARGUMENTS)
{
    local cb_environment env;
    (void)budget;
    local uint held;
    uint item = (uint)get_local_id(0), errors = 0;
    uint count = mode == CB_LAUNCH_MEASURE ? operations : 0;
    global cb_primitive_group *self = &groups[get_group_id(0)];
    cb_mutex m = cb_mutex_start(launch, words + place + CB_LINE_WORDS, value);
    if (item == 0 && get_group_id(0) == 0 && mode == CB_LAUNCH_MEASURE)
        cb_mutex_age(&m, CB_AGE);
    if (item == 0)
        held = cb_primitive_begin(launch, d, self, &env, mode, quiet);
    for (uint i = 0; i < count; i++) {
        if (item == 0 && held)
            held = cb_checked_lock(&m, data, self);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (held) {
            errors += data[CB_DATA_ITEMS + item] != data[CB_DATA_SECTIONS];
            data[CB_DATA_ITEMS + item]++;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (item == 0 && held) {
            data[CB_DATA_SECTIONS]++;
            cb_unlock(&m);
            self->operations++;
        }
    }
    atomic_add((volatile global uint *)&self->errors, errors);
}
