/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule of limits: from when one has come to pass until there is another, no fork leads beyond
 * it, and no run begins beyond it once it has been seen. As in models/members.pml: LIMIT, and
 * that the scheduler acts on what the host wrote last, in models/limits.pml: LIMIT.
 */
#include <stdlib.h>

#include "runtime/trace/rules.h"

/* A time in which the cooperative kernel may have so many workgroups. */
struct span {
    uint64_t from, until;
    uint32_t most;
};

struct limits {
    struct cb_trace_verdict *verdict;
    struct span *spans;
    size_t n;
};

/* By the scheduler's ring, whose order is that of the events. */
static void note_limits(struct limits *l)
{
    const struct cb_trace *trace = l->verdict->trace;
    const coop_trace_event *ring = cb_trace_ring(trace, trace->workers);
    uint32_t most = trace->workers;
    for (uint32_t i = 0; i < cb_trace_length(trace, trace->workers); i++) {
        const coop_trace_event *e = &ring[i];
        if (e->kind == COOP_EVENT_LIMIT) {
            most = e->a;
            if (l->n > 0 && l->spans[l->n - 1].until == UINT64_MAX)
                l->spans[l->n - 1].until = e->time;
        } else if (e->kind == COOP_EVENT_LIMITED) {
            l->spans[l->n++] = (struct span){e->time, UINT64_MAX, e->a};
            if (e->b > most || e->a != most)
                cb_trace_violation(l->verdict, false, "LIMIT", e->time,
                                   "M was said to have come down to %u, and was %u", most, e->b);
        } else if (e->kind == COOP_EVENT_RETURN && e->b > most) {
            cb_trace_violation(l->verdict, false, "LIMIT", e->time,
                               "a run came back with %u workgroups instead of %u at most", e->b,
                               most);
        } else if (e->kind == COOP_EVENT_START && e->b > most) {
            cb_trace_violation(l->verdict, false, "LIMIT", e->time,
                               "run %u began with %u workgroups instead of %u at most", e->a, e->b,
                               most);
        }
    }
}

/* The last that begins before a time; NULL: none. */
static const struct span *span_at(const struct limits *l, uint64_t time)
{
    size_t low = 0, high = l->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cb_trace_earlier(l->verdict, l->spans[middle].from, time))
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &l->spans[low - 1] : NULL;
}

static void check_forks(struct limits *l, uint32_t slot)
{
    const coop_trace_event *ring = cb_trace_ring(l->verdict->trace, slot);
    for (uint32_t i = 0; i < cb_trace_length(l->verdict->trace, slot); i++) {
        const coop_trace_event *e = &ring[i];
        const struct span *s = e->kind == COOP_EVENT_FORK ? span_at(l, e->time) : NULL;
        uint32_t after = (e->b >> 16) + (e->b & 0xffffu);
        if (s && after > s->most && cb_trace_earlier(l->verdict, e->time, s->until))
            cb_trace_violation(l->verdict, false, "LIMIT", e->time,
                               "workgroup %u forked: M became %u, and may be %u at most", slot,
                               after, s->most);
    }
}

bool cb_trace_check_limits(struct cb_trace_verdict *verdict)
{
    const struct cb_trace *trace = verdict->trace;
    struct limits l = {.verdict = verdict};
    l.spans = calloc((size_t)cb_trace_length(trace, trace->workers) + 1, sizeof *l.spans);
    if (!l.spans)
        return false;
    note_limits(&l);
    for (uint32_t i = 0; i < trace->workers; i++)
        check_forks(&l, i);
    free(l.spans);
    return true;
}
