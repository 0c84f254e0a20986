/* SPDX-License-Identifier: Apache-2.0
 *
 * Queues (SO'11, future work): CB_QUEUE names the one, CB_WG_SIZE the work-items a workgroup;
 * `value` are its slots, fewer than workgroups, so that it is full at times.
 */
#include "common.clh"
#include "queue.clh"

/* An enqueue directly followed by a dequeue, of whatever comes. */
kernel __attribute__((reqd_work_group_size(CB_WG_SIZE, 1, 1))) void
queue_timed(CB_PRIMITIVE_ARGUMENTS)
{
    local cb_environment env;
    (void)data;
    if (get_local_id(0) == 0) {
        global cb_primitive_group *self = &groups[get_group_id(0)];
        cb_queue q = cb_queue_start(launch, words + place, value);
        bool ok = cb_primitive_begin(launch, d, self, &env, mode, quiet);
        uint done = 0, got;
        while (done < operations && cb_budget_left(self, done, budget) && ok &&
               cb_enqueue(&q, done) && cb_dequeue(&q, &got))
            done++;
        if (ok)
            cb_primitive_end(self, done);
    }
}

/* What goes with an element. */
static inline uint cb_checked_payload(uint element)
{
    return element * 2654435761u + 1;
}

/* Work-item 0 of a workgroup: what it gives and takes in a round. The element that it took; by its
 * ticket, it is noted in the order in which elements came out. */
static inline bool cb_checked_pass(cb_queue *q, bool gives, bool takes, uint element,
                                   global cb_shared cb_u32 *order, uint first, uint total,
                                   local uint *got)
{
    uint out = 0;
    if (gives && !cb_enqueue(q, element))
        return false;
    if (takes && !cb_dequeue(q, &out))
        return false;
    if (takes && q->ticket - first < total)
        order[q->ticket - first] = out;
    *got = min(out, total - 1);
    return true;
}

/* Workgroups of even number give, the others take; the last does both if it is without another.
 * Elements are numbered, a giver's one after the other. The last work-item writes a payload for the
 * element before it comes in, or reads that of the one that came out, plain accesses both. */
kernel __attribute__((reqd_work_group_size(CB_WG_SIZE, 1, 1))) void
queue_checked(CB_PRIMITIVE_ARGUMENTS)
{
    local cb_environment env;
    (void)budget;
    local uint going, got;
    uint item = (uint)get_local_id(0), group = (uint)get_group_id(0), errors = 0;
    uint n = (uint)get_num_groups(0), count = mode == CB_LAUNCH_MEASURE ? operations : 0;
    uint total = count * ((n + 1) / 2), first = CB_AGE & ~(value - 1);
    bool gives = group % 2 == 0, takes = !gives || group + 1 == n;
    bool last_item = item == CB_WG_SIZE - 1;
    global cb_shared cb_u32 *order = data + CB_DATA_ITEMS, *payload = order + total;
    cb_queue q = cb_queue_start(launch, words + place, value);
    if (item == 0 && group == 0 && mode == CB_LAUNCH_MEASURE)
        cb_queue_age(&q, first);
    if (item == 0)
        going = cb_primitive_begin(launch, d, &groups[group], &env, mode, quiet);
    for (uint i = 0; i < count; i++) {
        uint element = group / 2 * count + i;
        if (last_item && gives)
            payload[element] = cb_checked_payload(element);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (item == 0 && going) {
            going = cb_checked_pass(&q, gives, takes, element, order, first, total, &got);
            groups[group].operations += going;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (last_item && going && takes)
            errors += payload[got] != cb_checked_payload(got);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    atomic_add((volatile global uint *)&groups[group].errors, errors);
}
