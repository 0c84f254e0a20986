/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of FSE'17, Sec. 3.1, as the inference rules KILL and FORK of its extended version state
 * them, and what has to begin and end with what. Barriers: barriers.c. Children: children.c.
 */
#include "runtime/trace/replay.h"

#define VERSION_BITS COOP_VERSION_MASK

/* --- Joining ---------------------------------------------------------------------------------- */

static void call(struct replay *r, uint32_t slot, uint32_t from, uint32_t passed,
                 const coop_trace_event *e)
{
    struct replay_ring *s = &r->rings[slot];
    s->state = CALLED;
    s->from = from;
    s->version = e->a;
    s->called = e->time;
    s->passed = passed;
}

/* The version of a run's beginning is what the first to join says. */
static bool is_version_called(struct replay *r, const struct replay_ring *s, uint32_t version)
{
    if (s->from != COOP_FROM_START)
        return version == s->version;
    if (!r->has_version)
        r->version = r->first_version = version;
    r->has_version = true;
    return version == r->first_version;
}

static enum replay_step join(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    struct replay_ring *s = &r->rings[slot];
    if (s->task)
        return cb_replay_refuse(r, "TASK", e,
                                "workgroup %u joined while it ran share %u of task %u", slot,
                                s->task->b, s->task->a);
    if (cb_replay_is_active(s))
        return cb_replay_refuse(r, "JOIN", e, "workgroup %u joined while it was active", slot);
    if (s->state != CALLED)
        return cb_replay_wait(r, "JOIN", e, "workgroup %u joined without a fork or a start of it",
                              slot);
    if (e->b != s->from)
        return cb_replay_refuse(
            r, "JOIN", e,
            "workgroup %u joined from workgroup %u, but %u had forked it (%u: the start)", slot,
            e->b, s->from, COOP_FROM_START);
    if (!is_version_called(r, s, e->a))
        return cb_replay_refuse(r, "JOIN", e,
                                "workgroup %u joined with version %u of M instead of %u", slot,
                                e->a, s->from == COOP_FROM_START ? r->first_version : s->version);
    if (cb_trace_earlier(r->verdict, e->time, s->called))
        return cb_replay_refuse(r, "JOIN", e,
                                "workgroup %u joined before the fork or the start of it at %s",
                                slot, cb_trace_time(r->verdict, s->called).text);
    s->state = ACTIVE;
    return TAKEN;
}

/* --- Kill and fork: they form one chain by their versions ------------------------------------- */

static uint32_t changes_until(const struct replay *r, uint32_t version)
{
    return (version - r->version) & VERSION_BITS;
}

static bool is_next_version(const struct replay *r, uint32_t version)
{
    return changes_until(r, version) == 1;
}

static void change_groups(struct replay *r, uint32_t groups, uint32_t version)
{
    r->groups = groups;
    r->version = version;
    r->unversioned = 0;
    r->progress = true;
}

static enum replay_step be_killed(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    if (slot == 0)
        return cb_replay_refuse(r, "KILL", e, "workgroup 0 was killed: it never may be");
    if (!is_next_version(r, e->a))
        return cb_replay_wait(
            r, "KILL", e,
            "workgroup %u was killed by change %u of M, but no change led from %u there", slot,
            e->a, r->version);
    if (slot != r->groups - 1)
        return cb_replay_refuse(
            r, "KILL", e, "workgroup %u was killed while M was %u: only the highest, %u, may be",
            slot, r->groups, r->groups - 1);
    if (e->b != r->groups)
        return cb_replay_refuse(r, "KILL", e,
                                "workgroup %u was killed when it saw an M of %u, which was %u",
                                slot, e->b, r->groups);
    r->rings[slot].state = POOL;
    change_groups(r, r->groups - 1, e->a);
    return TAKEN;
}

static enum replay_step check_ids(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    uint32_t first = REPLAY_HIGH(e->b), k = REPLAY_LOW(e->b), end = first + k;
    if (k == 0)
        return cb_replay_refuse(r, "FORK", e, "workgroup %u forked nobody", slot);
    if (end > r->trace->workers)
        return cb_replay_refuse(r, "FORK", e,
                                "workgroup %u forked ids %u to %u, but there are %u workers", slot,
                                first, end - 1, r->trace->workers);
    if (first < r->groups)
        return cb_replay_refuse(r, "FORK", e,
                                "workgroup %u forked ids %u to %u while id %u was active", slot,
                                first, end - 1, first);
    if (first > r->groups)
        return cb_replay_refuse(r, "FORK", e, "workgroup %u forked ids %u to %u while M was %u",
                                slot, first, end - 1, r->groups);
    for (uint32_t id = first; id < end; id++)
        if (r->rings[id].state != POOL) /* it has not retired yet */
            return cb_replay_wait(r, "FORK", e,
                                  "workgroup %u forked ids %u to %u while id %u was active", slot,
                                  first, end - 1, id);
    return TAKEN;
}

static enum replay_step fork_groups(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    struct replay_ring *s = &r->rings[slot];
    if (s->to_fork > 0 && REPLAY_LOW(e->b) != s->to_fork)
        return cb_replay_refuse(r, "FORK", e, "workgroup %u forked %u after a barrier that adds %u",
                                slot, REPLAY_LOW(e->b), s->to_fork);
    if (!is_next_version(r, e->a))
        return cb_replay_wait(
            r, "FORK", e, "workgroup %u forked by change %u of M, but no change led from %u there",
            slot, e->a, r->version);
    const uint32_t missing = r->trace->workers - r->groups;
    if (r->trace->semantics == COOP_SOME && REPLAY_LOW(e->b) > (missing + 1) / 2)
        return cb_replay_refuse(r, "FORK", e,
                                "workgroup %u forked %u of %u that are missing: half of them at "
                                "most",
                                slot, REPLAY_LOW(e->b), missing);
    enum replay_step step = check_ids(r, slot, e);
    if (step != TAKEN)
        return step;
    for (uint32_t id = REPLAY_HIGH(e->b); id < REPLAY_HIGH(e->b) + REPLAY_LOW(e->b); id++)
        call(r, id, slot, s->passed, e);
    s->to_fork = 0;
    change_groups(r, r->groups + REPLAY_LOW(e->b), e->a);
    return TAKEN;
}

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
        call(r, id, COOP_FROM_START, 0, e);
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
    uint32_t id = 0;
    if (!r->running || e->a != r->run)
        return cb_replay_refuse(r, "RUN", e, "run %u ended, but had not begun", e->a);
    while (id < r->groups && r->rings[id].state == FINISHED)
        id++;
    if (id < r->groups)
        return cb_replay_wait(r, "RUN", e, "run %u ended before workgroup %u had finished", e->a,
                              id);
    if (cb_trace_earlier(r->verdict, e->time, r->last_time))
        return cb_replay_refuse(r, "RUN", e, "run %u ended before workgroup %u had finished at %s",
                                e->a, r->last, cb_trace_time(r->verdict, r->last_time).text);
    if (e->b != r->groups)
        return cb_replay_refuse(r, "RUN", e, "run %u ended with an M of %u instead of %u", e->a,
                                e->b, r->groups);
    for (id = 0; id < r->groups; id++)
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
        return be_killed(r, slot, e);
    case COOP_EVENT_FORK:
        return fork_groups(r, slot, e);
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
        return join(r, slot, e);
    if (e->kind == COOP_EVENT_TASK_BEGIN || e->kind == COOP_EVENT_TASK_END)
        return run_task(r, slot, e);
    return act(r, slot, e);
}

static enum replay_step act_as_scheduler(struct replay *r, const coop_trace_event *e)
{
    if (e->kind < COOP_EVENT_START || e->kind > COOP_EVENT_LIMITED)
        return cb_replay_refuse(r, "TRACE", e, "the scheduler has an event of kind %u", e->kind);
    if (e->kind == COOP_EVENT_START)
        return start(r, e);
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

bool cb_trace_must_wait(const struct replay *r, uint32_t ring)
{
    const coop_trace_event *e = cb_trace_ring(r->trace, ring) + r->rings[ring].next;
    return e->kind == COOP_EVENT_KILL && !is_next_version(r, e->a);
}

/* How many changes of M lead to the one that a ring waits with; 0: it waits with another event. */
static uint32_t changes_until_next(const struct replay *r, uint32_t ring)
{
    const struct replay_ring *s = &r->rings[ring];
    if (!s->waits)
        return 0;
    const coop_trace_event *e = cb_trace_ring(r->trace, ring) + s->next;
    bool is_change = e->kind == COOP_EVENT_KILL || e->kind == COOP_EVENT_FORK;
    return is_change ? changes_until(r, e->a) : 0;
}

bool cb_trace_skip_versions(struct replay *r)
{
    uint32_t least = 1 + r->unversioned;
    bool found = false;
    for (uint32_t i = 0; i < r->trace->workers && r->unversioned > 0; i++) {
        uint32_t changes = changes_until_next(r, i);
        if (changes == 0 || changes > least)
            continue;
        least = changes;
        found = true;
    }
    if (!found || least == 1)
        return false;
    r->version = (r->version + least - 1) & VERSION_BITS;
    r->unversioned -= least - 1;
    return true;
}
