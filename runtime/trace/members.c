/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of FSE'17, Sec. 3.1, as the inference rules KILL and FORK of its extended version state
 * them, and those of other semantics: which workgroups join and are killed. As in
 * models/members.pml: KILL, FORK, JOIN, models/any.pml: KILL, FORK, JOIN, TASK,
 * models/together.pml: JOIN, models/whole.pml: JOIN, models/packets.pml: JOIN and models/early.pml:
 * JOIN.
 */
#include "runtime/trace/replay.h"

#define VERSION_BITS COOP_VERSION_MASK

/* --- Joining ---------------------------------------------------------------------------------- */

void cb_replay_call(struct replay *r, uint32_t slot, uint32_t from, uint32_t passed,
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

/* With COOP_ANY a fork does not say which ids: any that nobody has. */
static enum replay_step join_any(struct replay *r, uint32_t id, const coop_trace_event *e)
{
    struct replay_ring *s = &r->rings[id],
                       *from = e->b < r->trace->workers ? &r->rings[e->b] : NULL;
    if (s->state != POOL || !from || from->forked == 0 || e->a != from->forked_version)
        return cb_replay_wait(r, "JOIN", e,
                              "workgroup %u joined from workgroup %u, which had not forked so many "
                              "by change %u of M",
                              id, e->b, e->a);
    if (cb_trace_earlier(r->verdict, e->time, from->forked_at))
        return cb_replay_refuse(r, "JOIN", e, "workgroup %u joined before the fork at %s", id,
                                cb_trace_time(r->verdict, from->forked_at).text);
    from->forked--;
    s->passed = from->forked_passed;
    s->state = ACTIVE;
    r->progress = true;
    return TAKEN;
}

enum replay_step cb_replay_join(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    struct replay_ring *s = &r->rings[slot];
    if (s->task)
        return cb_replay_refuse(r, "TASK", e,
                                "workgroup %u joined while it ran share %u of task %u", slot,
                                s->task->b, s->task->a);
    if (cb_replay_is_active(s))
        return cb_replay_refuse(r, "JOIN", e, "workgroup %u joined while it was active", slot);
    if (cb_replay_is_any(r) && e->b != COOP_FROM_START)
        return join_any(r, slot, e);
    if (s->state != CALLED && cb_replay_is_away(r))
        return cb_replay_wait(r, "JOIN", e,
                              "workgroup %u joined while run %u was away, and nothing had brought "
                              "it back",
                              slot, r->run);
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

bool cb_replay_is_next(const struct replay *r, uint32_t version)
{
    return changes_until(r, version) == 1;
}

void cb_replay_change(struct replay *r, uint32_t groups, uint32_t version)
{
    r->groups = groups;
    r->version = version;
    r->unversioned = 0;
    r->progress = true;
}

enum replay_step cb_replay_kill(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    const bool any = cb_replay_is_any(r);
    if (slot == 0 && !any)
        return cb_replay_refuse(r, "KILL", e, "workgroup 0 was killed: it never may be");
    if (!cb_replay_is_next(r, e->a))
        return cb_replay_wait(
            r, "KILL", e,
            "workgroup %u was killed by change %u of M, but no change led from %u there", slot,
            e->a, r->version);
    if (r->groups == 1)
        return cb_replay_refuse(r, "KILL", e, "workgroup %u was killed: it was the last", slot);
    if (slot != r->groups - 1 && !any)
        return cb_replay_refuse(
            r, "KILL", e, "workgroup %u was killed while M was %u: only the highest, %u, may be",
            slot, r->groups, r->groups - 1);
    if (e->b != r->groups)
        return cb_replay_refuse(r, "KILL", e,
                                "workgroup %u was killed when it saw an M of %u, which was %u",
                                slot, e->b, r->groups);
    r->rings[slot].state = POOL;
    cb_replay_change(r, r->groups - 1, e->a);
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

static void note_fork(struct replay *r, struct replay_ring *s, const coop_trace_event *e)
{
    s->forked = REPLAY_LOW(e->b);
    s->forked_version = e->a;
    s->forked_passed = s->passed;
    s->forked_at = e->time;
    cb_replay_change(r, r->groups + s->forked, e->a);
}

/* Forks any ids: those of the workgroups that join say which. */
static enum replay_step fork_any(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    const uint32_t before = REPLAY_HIGH(e->b), k = REPLAY_LOW(e->b);
    if (k == 0 || before != r->groups || before + k > r->trace->workers)
        return cb_replay_refuse(r, "FORK", e,
                                "workgroup %u forked %u when it saw an M of %u, which was %u; "
                                "there are %u workers",
                                slot, k, before, r->groups, r->trace->workers);
    if (r->rings[slot].forked > 0)
        return cb_replay_wait(r, "FORK", e,
                              "workgroup %u forked again while %u that it had forked were missing",
                              slot, r->rings[slot].forked);
    note_fork(r, &r->rings[slot], e);
    return TAKEN;
}

enum replay_step cb_replay_fork(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    struct replay_ring *s = &r->rings[slot];
    if (s->to_fork > 0 && REPLAY_LOW(e->b) != s->to_fork)
        return cb_replay_refuse(r, "FORK", e, "workgroup %u forked %u after a barrier that adds %u",
                                slot, REPLAY_LOW(e->b), s->to_fork);
    if (!cb_replay_is_next(r, e->a))
        return cb_replay_wait(
            r, "FORK", e, "workgroup %u forked by change %u of M, but no change led from %u there",
            slot, e->a, r->version);
    if (cb_replay_is_any(r))
        return fork_any(r, slot, e);
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
        cb_replay_call(r, id, slot, s->passed, e);
    s->to_fork = 0;
    cb_replay_change(r, r->groups + REPLAY_LOW(e->b), e->a);
    return TAKEN;
}

/* --- Versions that no event says -------------------------------------------------------------- */

bool cb_trace_must_wait(const struct replay *r, uint32_t ring)
{
    const coop_trace_event *e = cb_trace_ring(r->trace, ring) + r->rings[ring].next;
    if (e->kind == COOP_EVENT_LEAVE)
        return r->rings[ring].state == ARRIVED && r->barrier.arrived < r->groups;
    return e->kind == COOP_EVENT_KILL && !cb_replay_is_next(r, e->a);
}

/* How many changes of M lead to the one that a ring waits with; 0: it waits with another event. */
static uint32_t changes_until_next(const struct replay *r, uint32_t ring)
{
    const struct replay_ring *s = &r->rings[ring];
    if (!s->waits)
        return 0;
    const coop_trace_event *e = cb_trace_ring(r->trace, ring) + s->next;
    bool is_change =
        e->kind == COOP_EVENT_KILL || e->kind == COOP_EVENT_FORK || e->kind == COOP_EVENT_RETURN;
    return is_change ? changes_until(r, e->a) : 0;
}

bool cb_trace_skip_versions(struct replay *r)
{
    uint32_t least = 1 + r->unversioned;
    bool found = false;
    for (uint32_t i = 0; i <= r->trace->workers && r->unversioned > 0; i++) {
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
