/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of COOP_WHOLE: at a resizing barrier all workgroups may leave. The run is then away:
 * nobody acts in it until the scheduler brings it back, which it does once all that left are in the
 * pool, and those that begin have workgroup 0's state. It comes back before it ends. As in
 * models/whole.pml: RUN.
 */
#include "runtime/trace/replay.h"

/* Others may have read a later M, if they left by an earlier barrier. */
bool cb_replay_leaves_whole(const struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    return r->trace->semantics == COOP_WHOLE && e->kind == COOP_EVENT_RETIRE && slot == 0;
}

static enum replay_step check_return(struct replay *r, const coop_trace_event *e)
{
    if (r->trace->semantics != COOP_WHOLE)
        return cb_replay_refuse(r, "RUN", e, "a run came back, and by these semantics none leaves");
    if (e->b == 0 || e->b > r->trace->workers)
        return cb_replay_refuse(r, "RUN", e,
                                "the run came back with %u workgroups; there are %u workers", e->b,
                                r->trace->workers);
    if (!cb_replay_is_away(r))
        return cb_replay_wait(r, "RUN", e, "the run came back while M was %u", r->groups);
    for (uint32_t id = 0; id < r->trace->workers; id++)
        if (r->rings[id].state != POOL)
            return cb_replay_wait(r, "RUN", e, "the run came back while workgroup %u was active",
                                  id);
    if (cb_trace_earlier(r->verdict, e->time, r->retired_time))
        return cb_replay_refuse(r, "RUN", e, "the run came back before workgroup %u had left at %s",
                                r->retired, cb_trace_time(r->verdict, r->retired_time).text);
    return cb_replay_is_next(r, e->a - r->unversioned)
               ? TAKEN
               : cb_replay_wait(r, "RUN", e,
                                "the run came back by change %u of M, which is not the next after "
                                "%u and %u of barriers",
                                e->a, r->version, r->unversioned);
}

enum replay_step cb_replay_return(struct replay *r, const coop_trace_event *e)
{
    enum replay_step step = check_return(r, e);
    if (step != TAKEN)
        return step;
    for (uint32_t id = 0; id < e->b; id++)
        cb_replay_call(r, id, 0, r->rings[0].passed, e);
    cb_replay_change(r, e->b, e->a);
    return TAKEN;
}

/* Unless something else tells more: a task that has not ended, an event out of place. */
void cb_replay_check_away(struct replay *r)
{
    bool other = false;
    for (uint32_t i = 0; i <= r->trace->workers; i++)
        other = other || r->rings[i].task || r->rings[i].waits || r->rings[i].refused;
    if (cb_replay_is_away(r) && !other)
        cb_trace_violation(r->verdict, true, "RUN", r->retired_time,
                           "run %u has left the device, and never came back", r->run);
}
