/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules BARRIER and RESIZING-BARRIER: nobody goes on before all have arrived, and all that go
 * on agree on what M becomes. As in models/members.pml: BARRIER, models/any.pml: BARRIER,
 * models/together.pml: BARRIER, models/whole.pml: BARRIER and models/early.pml: BARRIER.
 */
#include "runtime/trace/replay.h"

#define ROUND_BITS 0xfffu /* barriers are numbered at least modulo this + 1 */

bool cb_replay_same_number(uint32_t a, uint32_t b)
{
    return ((a ^ b) & ROUND_BITS) == 0;
}

static const char *barrier_name(uint32_t kind)
{
    return kind & COOP_BARRIER_RESIZES ? "resizing" : "global";
}

enum replay_step cb_replay_arrive(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    struct replay_ring *s = &r->rings[slot];
    struct replay_barrier *barrier = &r->barrier;
    if (!r->has_number)
        r->number = e->a - s->passed;
    r->has_number = true;
    if (!cb_replay_same_number(e->a, r->number + s->passed))
        return cb_replay_refuse(r, "BARRIER", e, "workgroup %u arrived at barrier %u instead of %u",
                                slot, e->a, (r->number + s->passed) & ROUND_BITS);
    if (barrier->arrived > 0 && barrier->kind != e->b)
        return cb_replay_refuse(
            r, "BARRIER", e, "workgroup %u arrived at barrier %u as a %s one, others as a %s one",
            slot, e->a, barrier_name(e->b), barrier_name(barrier->kind));
    if (barrier->arrived == 0 || e->time > barrier->last_time) {
        barrier->last = slot;
        barrier->last_time = e->time;
    }
    barrier->kind = e->b;
    barrier->arrived++;
    s->number = e->a;
    s->state = ARRIVED;
    r->progress = barrier->arrived >= r->groups;
    return TAKEN;
}

/* Looked for only once it is told: departures are tried before the last arrival again and again. */
static uint32_t first_missing(const struct replay *r)
{
    uint32_t id = 0;
    while (r->explains && id + 1 < r->groups && r->rings[id].state == ARRIVED)
        id++;
    return id;
}

/* All have arrived: M changes, for growing with the fork that workgroup 0 does next. */
static void release_all(struct replay *r, uint32_t after)
{
    struct replay_barrier barrier = r->barrier;
    barrier.before = r->groups;
    barrier.after = after;
    for (uint32_t id = 0; id < r->trace->workers; id++)
        if (r->rings[id].state == ARRIVED) {
            r->rings[id].state = RELEASED;
            r->rings[id].barrier = barrier;
        }
    r->barrier.arrived = 0;
    if (after > r->groups)
        r->rings[0].to_fork = after - r->groups;
    if (after < r->groups)
        r->unversioned += r->trace->semantics == COOP_WHOLE ? 1 : r->groups - after;
    r->groups = after < r->groups ? after : r->groups;
    r->progress = true;
}

/* The first to go on says what M becomes; not a killed one, which may have read a later one. */
static enum replay_step pass(struct replay *r, uint32_t slot, const coop_trace_event *e,
                             uint32_t after)
{
    if (r->barrier.arrived < r->groups)
        return cb_replay_wait(r, "BARRIER", e,
                              "workgroup %u left barrier %u before workgroup %u had arrived", slot,
                              e->a, first_missing(r));
    const bool whole = cb_replay_leaves_whole(r, slot, e);
    if ((after == 0 && r->trace->semantics != COOP_WHOLE) || after > r->trace->workers)
        return cb_replay_refuse(r, "BARRIER", e, "M is %u after barrier %u; there are %u workers",
                                after, e->a, r->trace->workers);
    if (!(r->barrier.kind & COOP_BARRIER_RESIZES) && after != r->groups)
        return cb_replay_refuse(r, "BARRIER", e, "global barrier %u changed M from %u to %u", e->a,
                                r->groups, after);
    if (e->kind == COOP_EVENT_RETIRE && !whole)
        return cb_replay_wait(r, "BARRIER", e,
                              "workgroup %u was killed by barrier %u, from which nobody went on",
                              slot, e->a);
    release_all(r, after);
    return TAKEN;
}

static enum replay_step check_departure(struct replay *r, uint32_t slot, const coop_trace_event *e,
                                        uint32_t before, uint32_t after)
{
    const struct replay_barrier *barrier = &r->rings[slot].barrier;
    if (cb_trace_earlier(r->verdict, e->time, barrier->last_time))
        return cb_replay_refuse(
            r, "BARRIER", e, "workgroup %u left barrier %u before workgroup %u had arrived at %s",
            slot, e->a, barrier->last, cb_trace_time(r->verdict, barrier->last_time).text);
    if (before != barrier->before)
        return cb_replay_refuse(r, "BARRIER", e,
                                "workgroup %u saw an M of %u at barrier %u, which was %u", slot,
                                before, e->a, barrier->before);
    bool retires = e->kind == COOP_EVENT_RETIRE;
    bool late = retires && after < barrier->after && barrier->kind & COOP_BARRIER_LATE;
    if (after != barrier->after && !late)
        return cb_replay_refuse(r, "BARRIER", e,
                                "workgroup %u left barrier %u with an M' of %u, others with %u",
                                slot, e->a, after, barrier->after);
    if (retires != (slot >= barrier->after && !cb_replay_is_any(r)))
        return cb_replay_refuse(r, "BARRIER", e, "workgroup %u %s barrier %u, after which M is %u",
                                slot, retires ? "was killed by" : "went on after", e->a,
                                barrier->after);
    return TAKEN;
}

enum replay_step cb_replay_depart(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    struct replay_ring *s = &r->rings[slot];
    bool retires = e->kind == COOP_EVENT_RETIRE, whole = cb_replay_leaves_whole(r, slot, e);
    uint32_t after = retires && !whole ? e->b : REPLAY_LOW(e->b);
    if (s->state == ACTIVE || !cb_replay_same_number(e->a, s->number))
        return cb_replay_refuse(r, "BARRIER", e,
                                "workgroup %u left barrier %u without having arrived", slot, e->a);
    if (s->state == ARRIVED) {
        enum replay_step step = pass(r, slot, e, after);
        if (step != TAKEN)
            return step;
    }
    uint32_t before = retires && !whole ? s->barrier.before : REPLAY_HIGH(e->b);
    if (check_departure(r, slot, e, before, after) != TAKEN)
        return REFUSED;
    s->passed++;
    s->state = retires ? POOL : ACTIVE;
    if (retires && e->time > r->retired_time) {
        r->retired = slot;
        r->retired_time = e->time;
    }
    r->progress = r->progress || retires;
    return TAKEN;
}
