/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of FSE'17, Sec. 3.1: what has to begin and end with what, and which event is for which
 * rules. Members: members.c. Barriers: barriers.c. Children: children.c. As in models/packets.pml:
 * RUN, CHILD, models/whole.pml: RUN, TASK, models/together.pml: TASK and models/members.pml: JOIN,
 * FORK, BARRIER. No model: TRACE, of events that no workgroup of this runtime has.
 */
#include "runtime/trace/replay.h"

/* --- Beginning and end ------------------------------------------------------------------------ */

static enum replay_step start(struct replay *r, const coop_trace_event *e)
{
    if (r->running)
        return cb_replay_refuse(r, "RUN", e, "run %u began before run %u had ended", e->a, r->run);
    if (r->ran && e->a != r->run + 1)
        return cb_replay_refuse(r, "RUN", e, "run %u followed run %u", e->a, r->run);
    if (e->b == 0 || e->b > r->trace->workers)
        return cb_replay_refuse(r, "RUN", e,
                                "run %u began with %u workgroups; there are %u workers", e->a, e->b,
                                r->trace->workers);
    for (uint32_t id = 0; id < e->b; id++)
        if (r->rings[id].state != POOL)
            return cb_replay_wait(r, "RUN", e, "run %u began while workgroup %u was active", e->a,
                                  id);
    for (uint32_t id = 0; id < e->b; id++)
        cb_replay_call(r, id, COOP_FROM_START, 0, e);
    r->running = r->ran = r->progress = true;
    r->has_version = r->has_number = false;
    r->run = e->a;
    r->groups = e->b;
    r->unversioned = r->finished = 0;
    r->barrier = (struct replay_barrier){0};
    return TAKEN;
}

static enum replay_step finish(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    if (e->a != r->run)
        return cb_replay_refuse(r, "RUN", e, "workgroup %u finished run %u during run %u", slot,
                                e->a, r->run);
    if (r->finished == 0 || e->time > r->last_time) {
        r->last = slot;
        r->last_time = e->time;
    }
    r->finished++;
    r->rings[slot].state = FINISHED;
    r->progress = true;
    return TAKEN;
}

static enum replay_step end(struct replay *r, const coop_trace_event *e)
{
    uint32_t finished = 0, missing = 0;
    if (!r->running || e->a != r->run)
        return cb_replay_refuse(r, "RUN", e, "run %u ended, but had not begun", e->a);
    if (cb_replay_is_away(r))
        return cb_replay_refuse(r, "RUN", e, "run %u ended while it was away", e->a);
    for (uint32_t id = r->trace->workers; id-- > 0;)
        if (r->rings[id].state == FINISHED)
            finished++;
        else if (r->rings[id].state != POOL)
            missing = id;
    if (finished < r->groups)
        return cb_replay_wait(r, "RUN", e, "run %u ended before workgroup %u had finished", e->a,
                              missing);
    if (cb_trace_earlier(r->verdict, e->time, r->last_time))
        return cb_replay_refuse(r, "RUN", e, "run %u ended before workgroup %u had finished at %s",
                                e->a, r->last, cb_trace_time(r->verdict, r->last_time).text);
    if (e->b != r->groups)
        return cb_replay_refuse(r, "RUN", e, "run %u ended with an M of %u instead of %u", e->a,
                                e->b, r->groups);
    for (uint32_t id = 0; id < r->trace->workers; id++)
        if (r->rings[id].state == FINISHED)
            r->rings[id].state = POOL;
    r->running = false;
    r->progress = true;
    return TAKEN;
}

/* --- Events ----------------------------------------------------------------------------------- */

static enum replay_step run_task(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    struct replay_ring *s = &r->rings[slot];
    bool begins = e->kind == COOP_EVENT_TASK_BEGIN;
    if (cb_replay_is_active(s))
        return cb_replay_refuse(
            r, "TASK", e,
            "slot %u ran a share of task %u while it was active in the cooperative kernel", slot,
            e->a);
    if (begins && s->task)
        return cb_replay_refuse(r, "TASK", e,
                                "slot %u began a share of task %u within one of task %u", slot,
                                e->a, s->task->a);
    if (!begins && (!s->task || s->task->a != e->a || s->task->b != e->b))
        return cb_replay_refuse(r, "TASK", e,
                                "slot %u ended share %u of task %u, which it had not begun", slot,
                                e->b, e->a);
    s->task = begins ? e : NULL;
    return TAKEN;
}

/* An event of a workgroup that has joined. */
static enum replay_step act(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    const struct replay_ring *s = &r->rings[slot];
    if (!cb_replay_is_active(s))
        return cb_replay_refuse(r, "JOIN", e,
                                "workgroup %u acted in the cooperative kernel (event %u) "
                                "without having joined",
                                slot, e->kind);
    if (s->awaits && e->kind != COOP_EVENT_AWAITED)
        return cb_replay_refuse(r, "CHILD", e,
                                "workgroup %u went on (event %u) while it waited for its children",
                                slot, e->kind);
    if (e->kind == COOP_EVENT_LEAVE || e->kind == COOP_EVENT_RETIRE)
        return cb_replay_depart(r, slot, e);
    if (e->kind == COOP_EVENT_OFFER)
        return TAKEN;
    if (s->state != ACTIVE && e->kind == COOP_EVENT_ARRIVE &&
        cb_replay_same_number(e->a, s->number))
        return cb_replay_refuse(r, "BARRIER", e, "workgroup %u arrived at barrier %u twice", slot,
                                e->a);
    if (s->state != ACTIVE)
        return cb_replay_refuse(r, "BARRIER", e,
                                "workgroup %u went on (event %u) without leaving barrier %u", slot,
                                e->kind, s->number);
    if (s->to_fork > 0 && e->kind != COOP_EVENT_FORK)
        return cb_replay_refuse(r, "FORK", e,
                                "workgroup %u went on without forking the %u that barrier %u "
                                "added",
                                slot, s->to_fork, s->number);
    switch (e->kind) {
    case COOP_EVENT_KILL:
        return cb_replay_kill(r, slot, e);
    case COOP_EVENT_FORK:
        return cb_replay_fork(r, slot, e);
    case COOP_EVENT_ARRIVE:
        return cb_replay_arrive(r, slot, e);
    case COOP_EVENT_FINISH:
        return finish(r, slot, e);
    case COOP_EVENT_AWAIT:
    case COOP_EVENT_AWAITED:
        return cb_replay_await(r, slot, e);
    default: /* COOP_EVENT_PHASE */
        return TAKEN;
    }
}

static enum replay_step act_as_worker(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    if (e->kind < COOP_EVENT_JOIN || e->kind > COOP_EVENT_AWAITED)
        return cb_replay_refuse(r, "TRACE", e, "workgroup %u has an event of kind %u", slot,
                                e->kind);
    if (e->kind == COOP_EVENT_CHILD_END || e->kind == COOP_EVENT_CHILD_BEGIN ||
        r->rings[slot].child)
        return cb_replay_child(r, slot, e);
    if (e->kind == COOP_EVENT_JOIN)
        return cb_replay_join(r, slot, e);
    if (e->kind == COOP_EVENT_TASK_BEGIN || e->kind == COOP_EVENT_TASK_END)
        return run_task(r, slot, e);
    return act(r, slot, e);
}

static enum replay_step act_as_scheduler(struct replay *r, const coop_trace_event *e)
{
    if (e->kind < COOP_EVENT_START || e->kind > COOP_EVENT_RETURN)
        return cb_replay_refuse(r, "TRACE", e, "the scheduler has an event of kind %u", e->kind);
    if (e->kind == COOP_EVENT_START)
        return start(r, e);
    if (e->kind == COOP_EVENT_RETURN)
        return cb_replay_return(r, e);
    return e->kind == COOP_EVENT_ENDED ? end(r, e) : TAKEN;
}

enum replay_step cb_trace_step(struct replay *r, uint32_t ring)
{
    const coop_trace_event *e = cb_trace_ring(r->trace, ring) + r->rings[ring].next;
    enum replay_step step =
        ring < r->trace->workers ? act_as_worker(r, ring, e) : act_as_scheduler(r, e);
    if (step == TAKEN)
        r->rings[ring].next++;
    r->rings[ring].waits = step == WAITS;
    r->rings[ring].refused = step == REFUSED;
    return step;
}
