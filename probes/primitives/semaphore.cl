/* SPDX-License-Identifier: Apache-2.0
 *
 * Semaphores (SO'11 Fig. 3): CB_SEMAPHORE names the one, CB_WG_SIZE the work-items a workgroup.
 */
#include "common.clh"
#include "semaphore.clh"

/* A wait directly followed by a post. */
kernel __attribute__((reqd_work_group_size(CB_WG_SIZE, 1, 1))) void
semaphore_timed(CB_PRIMITIVE_ARGUMENTS)
{
    local cb_environment env;
    (void)data;
    if (get_local_id(0) == 0) {
        global cb_primitive_group *self = &groups[get_group_id(0)];
        cb_semaphore s = {launch, words + place, value};
        bool ok = cb_primitive_begin(launch, d, self, &env, mode, quiet);
        uint done = 0;
        while (done < operations && cb_budget_left(self, done, budget) && ok && cb_sem_wait(&s) &&
               cb_sem_post(&s))
            done++;
        if (ok)
            cb_primitive_end(self, done);
    }
}

/* Takes `permits`, noting the wait for the first. */
static inline bool cb_checked_wait(cb_semaphore *s, uint permits, global cb_primitive_group *self)
{
    ulong asked = cb_clock();
    if (!cb_sem_wait(s))
        return false;
    ulong waited = cb_elapsed(cb_clock(), asked);
    self->waited += waited;
    self->longest = max(self->longest, waited);
    for (uint i = 1; i < permits; i++)
        if (!cb_sem_wait(s))
            return false;
    return true;
}

static inline bool cb_checked_post(cb_semaphore *s, uint permits)
{
    for (uint i = 0; i < permits; i++)
        if (!cb_sem_post(s))
            return false;
    return true;
}

/* Work-item 0, inside. A reader may not be one too many; the writer must be alone, and must see the
 * mark that every reader has left. */
static inline uint cb_checked_enter(global cb_shared cb_u32 *data, uint permits, uint value)
{
    uint inside = cb_fetch_add_relaxed(CB_ATOMIC(data[CB_DATA_INSIDE]), permits);
    uint errors = inside + permits > value;
    if (get_group_id(0) == 0) {
        uint marks = 0;
        for (uint g = 0; g < get_num_groups(0); g++)
            marks += data[CB_DATA_ITEMS + CB_WG_SIZE + g];
        errors += marks != cb_load_relaxed(CB_ATOMIC(data[CB_DATA_ENTRIES]));
        cb_add_relaxed(CB_ATOMIC(data[CB_DATA_ROUND]), 1);
    } else {
        data[CB_DATA_ITEMS + CB_WG_SIZE + get_group_id(0)]++;
        cb_add_relaxed(CB_ATOMIC(data[CB_DATA_ENTRIES]), 1);
    }
    return errors;
}

/* Readers and a writer: workgroup 0 takes all permits, and each of its work-items then writes the
 * round to a word of its own; the others take one and read the same word. All plain accesses,
 * ordered by the semaphore alone; the workgroups inside at the same time are counted. */
kernel __attribute__((reqd_work_group_size(CB_WG_SIZE, 1, 1))) void
semaphore_checked(CB_PRIMITIVE_ARGUMENTS)
{
    local cb_environment env;
    (void)budget;
    local uint inside;
    uint item = (uint)get_local_id(0), errors = 0;
    uint count = mode == CB_LAUNCH_MEASURE ? operations : 0;
    uint permits = get_group_id(0) == 0 ? value : 1;
    global cb_primitive_group *self = &groups[get_group_id(0)];
    cb_semaphore s = {launch, words + place, value};
    if (item == 0 && get_group_id(0) == 0 && mode == CB_LAUNCH_MEASURE)
        cb_sem_age(&s, CB_AGE);
    if (item == 0)
        inside = cb_primitive_begin(launch, d, self, &env, mode, quiet);
    for (uint i = 0; i < count; i++) {
        if (item == 0 && inside) {
            inside = cb_checked_wait(&s, permits, self);
            errors += inside ? cb_checked_enter(data, permits, value) : 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (inside && get_group_id(0) == 0)
            data[CB_DATA_ITEMS + item]++;
        if (inside && get_group_id(0) != 0)
            errors += data[CB_DATA_ITEMS + item] != cb_load_relaxed(CB_ATOMIC(data[CB_DATA_ROUND]));
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (item == 0 && inside) {
            cb_add_relaxed(CB_ATOMIC(data[CB_DATA_INSIDE]), (uint)-permits);
            inside = cb_checked_post(&s, permits);
            self->operations++;
        }
    }
    atomic_add((volatile global uint *)&self->errors, errors);
}
