/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of FSE'17, Sec. 3.1, as the inference rules KILL, FORK, BARRIER and RESIZING-BARRIER of
 * its extended version state them.
 */
#include "runtime/coop_trace_replay.h"

#include <stdarg.h>

#define ROUND_BITS   0xfffu /* barriers are numbered at least modulo this + 1 */
#define VERSION_BITS COOP_VERSION_MASK
#define LOW(word)    ((word)&0xffffu)
#define HIGH(word)   ((word) >> 16)

static enum step __attribute__((format(printf, 4, 5)))
refuse(struct replay *r, const char *rule, const coop_trace_event *e, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cb_trace_violation(r->verdict, false, rule, e->time, "%s", text);
    return REFUSED;
}

static enum step __attribute__((format(printf, 4, 5)))
wait_for(struct replay *r, const char *rule, const coop_trace_event *e, const char *format, ...)
{
    char text[256];
    if (!r->explains)
        return WAITS;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cb_trace_violation(r->verdict, true, rule, e->time, "%s", text);
    return WAITS;
}

static bool is_active(const struct ring *s)
{
    return s->place == ACTIVE || s->place == ARRIVED || s->place == RELEASED;
}

/* --- Joining ---------------------------------------------------------------------------------- */

static void call(struct replay *r, uint32_t slot, uint32_t from, uint32_t passed,
                 const coop_trace_event *e)
{
    struct ring *s = &r->rings[slot];
    s->place = CALLED;
    s->from = from;
    s->version = e->a;
    s->called = e->time;
    s->passed = passed;
}

/* The version of a run's beginning is what the first to join says. */
static bool is_version_called(struct replay *r, const struct ring *s, uint32_t version)
{
    if (s->from != COOP_FROM_START)
        return version == s->version;
    if (!r->has_version)
        r->version = r->first_version = version;
    r->has_version = true;
    return version == r->first_version;
}

static enum step join(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    struct ring *s = &r->rings[slot];
    if (s->task)
        return refuse(r, "TASK", e, "workgroup %u joined while it ran share %u of task %u", slot,
                      s->task->b, s->task->a);
    if (is_active(s))
        return refuse(r, "JOIN", e, "workgroup %u joined while it was active", slot);
    if (s->place != CALLED)
        return wait_for(r, "JOIN", e, "workgroup %u joined without a fork or a start of it", slot);
    if (e->b != s->from)
        return refuse(r, "JOIN", e,
                      "workgroup %u joined from workgroup %u, but %u had forked it (%u: the start)",
                      slot, e->b, s->from, COOP_FROM_START);
    if (!is_version_called(r, s, e->a))
        return refuse(r, "JOIN", e, "workgroup %u joined with version %u of M instead of %u", slot,
                      e->a, s->from == COOP_FROM_START ? r->first_version : s->version);
    if (cb_trace_earlier(r->verdict, e->time, s->called))
        return refuse(r, "JOIN", e, "workgroup %u joined before the fork or the start of it at %s",
                      slot, cb_trace_time(r->verdict, s->called).text);
    s->place = ACTIVE;
    return TAKEN;
}

/* --- Kill and fork: they form one chain by their versions ---------------------------------------
 */

static bool is_next_version(const struct replay *r, uint32_t version)
{
    uint32_t changes = (version - r->version) & VERSION_BITS;
    return changes >= 1 && changes <= 1 + r->unversioned;
}

static void change_groups(struct replay *r, uint32_t groups, uint32_t version)
{
    r->groups = groups;
    r->version = version;
    r->unversioned = 0;
    r->progress = true;
}

static enum step be_killed(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    if (slot == 0)
        return refuse(r, "KILL", e, "workgroup 0 was killed: it never may be");
    if (!is_next_version(r, e->a))
        return wait_for(
            r, "KILL", e,
            "workgroup %u was killed by change %u of M, but no change led from %u there", slot,
            e->a, r->version);
    if (slot != r->groups - 1)
        return refuse(r, "KILL", e,
                      "workgroup %u was killed while M was %u: only the highest, %u, may be", slot,
                      r->groups, r->groups - 1);
    if (e->b != r->groups)
        return refuse(r, "KILL", e, "workgroup %u was killed when it saw an M of %u, which was %u",
                      slot, e->b, r->groups);
    r->rings[slot].place = POOL;
    change_groups(r, r->groups - 1, e->a);
    return TAKEN;
}

static enum step check_ids(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    uint32_t first = HIGH(e->b), k = LOW(e->b), end = first + k;
    if (k == 0)
        return refuse(r, "FORK", e, "workgroup %u forked nobody", slot);
    if (end > r->trace->workers)
        return refuse(r, "FORK", e, "workgroup %u forked ids %u to %u, but there are %u workers",
                      slot, first, end - 1, r->trace->workers);
    if (first < r->groups)
        return refuse(r, "FORK", e, "workgroup %u forked ids %u to %u while id %u was active", slot,
                      first, end - 1, first);
    if (first > r->groups)
        return refuse(r, "FORK", e, "workgroup %u forked ids %u to %u while M was %u", slot, first,
                      end - 1, r->groups);
    for (uint32_t id = first; id < end; id++)
        if (r->rings[id].place != POOL) /* it has not retired yet */
            return wait_for(r, "FORK", e, "workgroup %u forked ids %u to %u while id %u was active",
                            slot, first, end - 1, id);
    return TAKEN;
}

static enum step fork_groups(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    struct ring *s = &r->rings[slot];
    if (s->to_fork > 0 && LOW(e->b) != s->to_fork)
        return refuse(r, "FORK", e, "workgroup %u forked %u after a barrier that adds %u", slot,
                      LOW(e->b), s->to_fork);
    if (!is_next_version(r, e->a))
        return wait_for(r, "FORK", e,
                        "workgroup %u forked by change %u of M, but no change led from %u there",
                        slot, e->a, r->version);
    enum step step = check_ids(r, slot, e);
    if (step != TAKEN)
        return step;
    for (uint32_t id = HIGH(e->b); id < HIGH(e->b) + LOW(e->b); id++)
        call(r, id, slot, s->passed, e);
    s->to_fork = 0;
    change_groups(r, r->groups + LOW(e->b), e->a);
    return TAKEN;
}

/* --- Barriers --------------------------------------------------------------------------------- */

static bool same_number(uint32_t a, uint32_t b)
{
    return ((a ^ b) & ROUND_BITS) == 0;
}

static const char *barrier_name(uint32_t kind)
{
    return kind & COOP_BARRIER_RESIZES ? "resizing" : "global";
}

static enum step arrive(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    struct ring *s = &r->rings[slot];
    struct barrier *barrier = &r->barrier;
    if (!r->has_number)
        r->number = e->a - s->passed;
    r->has_number = true;
    if (!same_number(e->a, r->number + s->passed))
        return refuse(r, "BARRIER", e, "workgroup %u arrived at barrier %u instead of %u", slot,
                      e->a, (r->number + s->passed) & ROUND_BITS);
    if (barrier->arrived > 0 && barrier->kind != e->b)
        return refuse(r, "BARRIER", e,
                      "workgroup %u arrived at barrier %u as a %s one, others as a %s one", slot,
                      e->a, barrier_name(e->b), barrier_name(barrier->kind));
    if (barrier->arrived == 0 || e->time > barrier->last_time) {
        barrier->last = slot;
        barrier->last_time = e->time;
    }
    barrier->kind = e->b;
    barrier->arrived++;
    s->number = e->a;
    s->place = ARRIVED;
    r->progress = barrier->arrived >= r->groups;
    return TAKEN;
}

static uint32_t first_missing(const struct replay *r)
{
    uint32_t id = 0;
    while (id + 1 < r->groups && r->rings[id].place == ARRIVED)
        id++;
    return id;
}

/* All have arrived: M changes, for growing with the fork that workgroup 0 does next. */
static void release_all(struct replay *r, uint32_t after)
{
    struct barrier barrier = r->barrier;
    barrier.before = r->groups;
    barrier.after = after;
    for (uint32_t id = 0; id < r->groups; id++) {
        r->rings[id].place = RELEASED;
        r->rings[id].barrier = barrier;
    }
    r->barrier.arrived = 0;
    if (after > r->groups)
        r->rings[0].to_fork = after - r->groups;
    if (after < r->groups)
        r->unversioned++;
    r->groups = after < r->groups ? after : r->groups;
    r->progress = true;
}

/* The first to go on says what M becomes; not who is killed, which may have read a later one. */
static enum step pass(struct replay *r, uint32_t slot, const coop_trace_event *e, uint32_t after)
{
    if (r->barrier.arrived < r->groups)
        return wait_for(r, "BARRIER", e,
                        "workgroup %u left barrier %u before workgroup %u had arrived", slot, e->a,
                        first_missing(r));
    if (after == 0 || after > r->trace->workers)
        return refuse(r, "BARRIER", e, "M is %u after barrier %u; there are %u workers", after,
                      e->a, r->trace->workers);
    if (!(r->barrier.kind & COOP_BARRIER_RESIZES) && after != r->groups)
        return refuse(r, "BARRIER", e, "global barrier %u changed M from %u to %u", e->a, r->groups,
                      after);
    if (e->kind == COOP_EVENT_RETIRE)
        return wait_for(r, "BARRIER", e,
                        "workgroup %u was killed by barrier %u, from which nobody went on", slot,
                        e->a);
    release_all(r, after);
    return TAKEN;
}

static enum step check_departure(struct replay *r, uint32_t slot, const coop_trace_event *e,
                                 uint32_t before, uint32_t after)
{
    const struct barrier *barrier = &r->rings[slot].barrier;
    if (cb_trace_earlier(r->verdict, e->time, barrier->last_time))
        return refuse(r, "BARRIER", e,
                      "workgroup %u left barrier %u before workgroup %u had arrived at %s", slot,
                      e->a, barrier->last, cb_trace_time(r->verdict, barrier->last_time).text);
    if (before != barrier->before)
        return refuse(r, "BARRIER", e, "workgroup %u saw an M of %u at barrier %u, which was %u",
                      slot, before, e->a, barrier->before);
    bool retires = e->kind == COOP_EVENT_RETIRE;
    bool late = retires && after < barrier->after && barrier->kind & COOP_BARRIER_LATE;
    if (after != barrier->after && !late)
        return refuse(r, "BARRIER", e,
                      "workgroup %u left barrier %u with an M' of %u, others with %u", slot, e->a,
                      after, barrier->after);
    if (retires != (slot >= barrier->after))
        return refuse(r, "BARRIER", e, "workgroup %u %s barrier %u, after which M is %u", slot,
                      retires ? "was killed by" : "went on after", e->a, barrier->after);
    return TAKEN;
}

static enum step depart(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    struct ring *s = &r->rings[slot];
    bool retires = e->kind == COOP_EVENT_RETIRE;
    uint32_t after = retires ? e->b : LOW(e->b);
    if (s->place == ACTIVE || !same_number(e->a, s->number))
        return refuse(r, "BARRIER", e, "workgroup %u left barrier %u without having arrived", slot,
                      e->a);
    if (s->place == ARRIVED) {
        enum step step = pass(r, slot, e, after);
        if (step != TAKEN)
            return step;
    }
    if (check_departure(r, slot, e, retires ? s->barrier.before : HIGH(e->b), after) != TAKEN)
        return REFUSED;
    s->passed++;
    s->place = retires ? POOL : ACTIVE;
    r->progress = r->progress || retires;
    return TAKEN;
}

/* --- Beginning and end ------------------------------------------------------------------------ */

static enum step start(struct replay *r, const coop_trace_event *e)
{
    if (r->running)
        return refuse(r, "RUN", e, "run %u began before run %u had ended", e->a, r->run);
    if (r->ran && e->a != r->run + 1)
        return refuse(r, "RUN", e, "run %u followed run %u", e->a, r->run);
    if (e->b == 0 || e->b > r->trace->workers)
        return refuse(r, "RUN", e, "run %u began with %u workgroups; there are %u workers", e->a,
                      e->b, r->trace->workers);
    for (uint32_t id = 0; id < e->b; id++)
        if (r->rings[id].place != POOL)
            return wait_for(r, "RUN", e, "run %u began while workgroup %u was active", e->a, id);
    for (uint32_t id = 0; id < e->b; id++)
        call(r, id, COOP_FROM_START, 0, e);
    r->running = r->ran = r->progress = true;
    r->has_version = r->has_number = false;
    r->run = e->a;
    r->groups = e->b;
    r->unversioned = r->finished = 0;
    r->barrier = (struct barrier){0};
    return TAKEN;
}

static enum step finish(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    if (e->a != r->run)
        return refuse(r, "RUN", e, "workgroup %u finished run %u during run %u", slot, e->a,
                      r->run);
    if (r->finished == 0 || e->time > r->last_time) {
        r->last = slot;
        r->last_time = e->time;
    }
    r->finished++;
    r->rings[slot].place = FINISHED;
    r->progress = true;
    return TAKEN;
}

static enum step end(struct replay *r, const coop_trace_event *e)
{
    uint32_t id = 0;
    if (!r->running || e->a != r->run)
        return refuse(r, "RUN", e, "run %u ended, but had not begun", e->a);
    while (id < r->groups && r->rings[id].place == FINISHED)
        id++;
    if (id < r->groups)
        return wait_for(r, "RUN", e, "run %u ended before workgroup %u had finished", e->a, id);
    if (cb_trace_earlier(r->verdict, e->time, r->last_time))
        return refuse(r, "RUN", e, "run %u ended before workgroup %u had finished at %s", e->a,
                      r->last, cb_trace_time(r->verdict, r->last_time).text);
    if (e->b != r->groups)
        return refuse(r, "RUN", e, "run %u ended with an M of %u instead of %u", e->a, e->b,
                      r->groups);
    for (id = 0; id < r->groups; id++)
        r->rings[id].place = POOL;
    r->running = false;
    r->progress = true;
    return TAKEN;
}

/* --- Events ----------------------------------------------------------------------------------- */

static enum step run_task(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    struct ring *s = &r->rings[slot];
    bool begins = e->kind == COOP_EVENT_TASK_BEGIN;
    if (is_active(s))
        return refuse(
            r, "TASK", e,
            "slot %u ran a share of task %u while it was active in the cooperative kernel", slot,
            e->a);
    if (begins && s->task)
        return refuse(r, "TASK", e, "slot %u began a share of task %u within one of task %u", slot,
                      e->a, s->task->a);
    if (!begins && (!s->task || s->task->a != e->a || s->task->b != e->b))
        return refuse(r, "TASK", e, "slot %u ended share %u of task %u, which it had not begun",
                      slot, e->b, e->a);
    s->task = begins ? e : NULL;
    return TAKEN;
}

/* An event of a workgroup that has joined. */
static enum step act(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    const struct ring *s = &r->rings[slot];
    if (!is_active(s))
        return refuse(r, "JOIN", e,
                      "workgroup %u acted in the cooperative kernel (event %u) "
                      "without having joined",
                      slot, e->kind);
    if (e->kind == COOP_EVENT_LEAVE || e->kind == COOP_EVENT_RETIRE)
        return depart(r, slot, e);
    if (e->kind == COOP_EVENT_OFFER)
        return TAKEN;
    if (s->place != ACTIVE && e->kind == COOP_EVENT_ARRIVE && same_number(e->a, s->number))
        return refuse(r, "BARRIER", e, "workgroup %u arrived at barrier %u twice", slot, e->a);
    if (s->place != ACTIVE)
        return refuse(r, "BARRIER", e, "workgroup %u went on (event %u) without leaving barrier %u",
                      slot, e->kind, s->number);
    if (s->to_fork > 0 && e->kind != COOP_EVENT_FORK)
        return refuse(r, "FORK", e,
                      "workgroup %u went on without forking the %u that barrier %u "
                      "added",
                      slot, s->to_fork, s->number);
    switch (e->kind) {
    case COOP_EVENT_KILL:
        return be_killed(r, slot, e);
    case COOP_EVENT_FORK:
        return fork_groups(r, slot, e);
    case COOP_EVENT_ARRIVE:
        return arrive(r, slot, e);
    case COOP_EVENT_FINISH:
        return finish(r, slot, e);
    default: /* COOP_EVENT_PHASE */
        return TAKEN;
    }
}

static enum step act_as_worker(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    if (e->kind < COOP_EVENT_JOIN || e->kind > COOP_EVENT_TASK_END)
        return refuse(r, "TRACE", e, "workgroup %u has an event of kind %u", slot, e->kind);
    if (e->kind == COOP_EVENT_JOIN)
        return join(r, slot, e);
    if (e->kind == COOP_EVENT_TASK_BEGIN || e->kind == COOP_EVENT_TASK_END)
        return run_task(r, slot, e);
    return act(r, slot, e);
}

static enum step act_as_scheduler(struct replay *r, const coop_trace_event *e)
{
    if (e->kind < COOP_EVENT_START || e->kind > COOP_EVENT_LIMITED)
        return refuse(r, "TRACE", e, "the scheduler has an event of kind %u", e->kind);
    if (e->kind == COOP_EVENT_START)
        return start(r, e);
    return e->kind == COOP_EVENT_ENDED ? end(r, e) : TAKEN;
}

enum step cb_trace_step(struct replay *r, uint32_t ring)
{
    const coop_trace_event *e = cb_trace_ring(r->trace, ring) + r->rings[ring].next;
    enum step step = ring < r->trace->workers ? act_as_worker(r, ring, e) : act_as_scheduler(r, e);
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
