/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/spans.h"

#include <stdlib.h>

/* --- What a workgroup does from one event to another ------------------------------------------ */

/* Whether an event begins something, and so ends what was before. awaits: its children. */
static bool begins(uint32_t kind, bool awaits, enum cb_trace_activity *activity)
{
    switch (kind) {
    case COOP_EVENT_JOIN:
    case COOP_EVENT_LEAVE:
    case COOP_EVENT_AWAITED:
        *activity = CB_TRACE_JOINED;
        return true;
    case COOP_EVENT_PHASE:
        *activity = CB_TRACE_PHASE;
        return true;
    case COOP_EVENT_ARRIVE:
        *activity = CB_TRACE_BARRIER;
        return true;
    case COOP_EVENT_AWAIT:
        *activity = CB_TRACE_AWAIT;
        return true;
    case COOP_EVENT_CHILD_BEGIN:
        *activity = CB_TRACE_CHILD;
        return true;
    case COOP_EVENT_CHILD_END:
        *activity = awaits ? CB_TRACE_AWAIT : CB_TRACE_POOL;
        return true;
    case COOP_EVENT_TASK_BEGIN:
        *activity = CB_TRACE_TASK;
        return true;
    case COOP_EVENT_KILL:
    case COOP_EVENT_RETIRE:
    case COOP_EVENT_FINISH:
    case COOP_EVENT_TASK_END:
        *activity = CB_TRACE_POOL;
        return true;
    default:
        return false;
    }
}

uint64_t cb_trace_last(const struct cb_trace *trace)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i <= trace->workers; i++) {
        uint32_t length = cb_trace_length(trace, i);
        const coop_trace_event *ring = cb_trace_ring(trace, i);
        if (length > 0 && ring[length - 1].time > last)
            last = ring[length - 1].time;
    }
    return last;
}

/* Past the end of a full ring, nothing is known of its workgroup. */
static uint64_t end_of_ring(const struct cb_trace *trace, uint32_t slot, uint64_t last)
{
    uint32_t length = cb_trace_length(trace, slot);
    return cb_trace_is_full(trace, slot) ? cb_trace_ring(trace, slot)[length - 1].time : last;
}

void cb_trace_visit_spans(const struct cb_trace *trace, uint32_t slot, uint64_t last,
                          void (*visit)(void *self, const struct cb_trace_span *span), void *self)
{
    const coop_trace_event *ring = cb_trace_ring(trace, slot);
    struct cb_trace_span span = {.slot = slot};
    enum cb_trace_activity activity = CB_TRACE_NOTHING;
    bool awaits = false;
    for (uint32_t i = 0; i < cb_trace_length(trace, slot); i++) {
        if (!begins(ring[i].kind, awaits, &activity))
            continue;
        awaits = activity == CB_TRACE_AWAIT || (awaits && activity == CB_TRACE_CHILD);
        span.next = &ring[i];
        span.end = ring[i].time;
        if (span.begin)
            visit(self, &span);
        span.begin = &ring[i];
        span.activity = activity;
    }
    span.next = NULL;
    if (span.begin && span.activity != CB_TRACE_POOL) { /* a pool at the end is no news */
        span.end = end_of_ring(trace, slot, last);
        visit(self, &span);
    }
}

/* --- Active workgroups over time -------------------------------------------------------------- */

struct change {
    uint64_t time;
    int64_t by;
};

/* By how many workgroups an event changes M. Differences, since those at the same time can then be
 * added in any order. */
static int64_t change_by(uint32_t slot, const coop_trace_event *e)
{
    switch (e->kind) {
    case COOP_EVENT_START:
    case COOP_EVENT_RETURN:
        return e->b;
    case COOP_EVENT_RETIRE: /* all leave when workgroup 0 retires */
        return slot == 0 ? -(int64_t)(e->b >> 16) : 0;
    case COOP_EVENT_ENDED:
        return -(int64_t)e->b;
    case COOP_EVENT_KILL:
        return -1;
    case COOP_EVENT_FORK:
        return e->b & 0xffffu;
    case COOP_EVENT_LEAVE: { /* one for all; growing has an event of its own */
        int64_t by = (int64_t)(e->b & 0xffffu) - (int64_t)(e->b >> 16);
        return slot == 0 && by < 0 ? by : 0;
    }
    default:
        return 0;
    }
}

static int compare_changes(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

static size_t find_changes(const struct cb_trace *trace, struct change *out)
{
    uint64_t until = cb_trace_seen_until(trace);
    size_t n = 0;
    for (uint32_t i = 0; i <= trace->workers; i++) {
        const coop_trace_event *ring = cb_trace_ring(trace, i);
        for (uint32_t k = 0; k < cb_trace_length(trace, i); k++) {
            int64_t by = ring[k].time <= until ? change_by(i, &ring[k]) : 0;
            if (by != 0 && out)
                out[n] = (struct change){ring[k].time, by};
            n += by != 0;
        }
    }
    return n;
}

void cb_trace_visit_groups(const struct cb_trace *trace,
                           void (*visit)(void *self, uint64_t time, int64_t groups), void *self)
{
    size_t n = find_changes(trace, NULL);
    struct change *changes = malloc((n + 1) * sizeof *changes);
    int64_t groups = 0;
    if (!changes)
        return;
    find_changes(trace, changes);
    qsort(changes, n, sizeof *changes, compare_changes);
    for (size_t i = 0; i < n; i++) {
        groups += changes[i].by;
        if (i + 1 == n || changes[i + 1].time > changes[i].time)
            visit(self, changes[i].time, groups);
    }
    free(changes);
}
