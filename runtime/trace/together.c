/* SPDX-License-Identifier: Apache-2.0
 *
 * The trace of a megakernel of several cooperative kernels: each kernel's events make a trace of
 * its own, in which a ring belongs to an id and not to a slot, and tasks make one more.
 */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/trace/trace.h"

/* Which of the parts an event belongs to: a kernel, or the tasks, which come after all kernels. */
static uint32_t part_of(const coop_trace_event *e, uint32_t kernels)
{
    switch (e->kind) {
    case COOP_EVENT_TASK_BEGIN:
    case COOP_EVENT_TASK_END:
    case COOP_EVENT_SEEN:
    case COOP_EVENT_GATHERED:
    case COOP_EVENT_DONE:
        return kernels;
    default:
        return COOP_WHO_KERNEL(e->who);
    }
}

/* The ring of a part that an event of a ring goes to. */
static uint32_t ring_of(const struct cb_trace *trace, const coop_trace_event *e, uint32_t ring,
                        uint32_t part, uint32_t kernels)
{
    return ring == trace->workers || part == kernels ? ring : COOP_WHO_ID(e->who);
}

struct part {
    uint32_t number, kernels;
    struct cb_trace trace;
    uint32_t *counts;
    coop_trace_event *events;
};

/* By time; an id that has moved to another slot has left the first by then. */
static int compare(const void *a, const void *b)
{
    const coop_trace_event *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

/* Puts the events of this part into its rings, or (no events yet) counts them. False: an id is
 * none.
 */
static bool deal(const struct cb_trace *from, struct part *p)
{
    for (uint32_t ring = 0; ring <= from->workers; ring++)
        for (uint32_t i = 0; i < cb_trace_length(from, ring); i++) {
            const coop_trace_event *e = &cb_trace_ring(from, ring)[i];
            if (part_of(e, p->kernels) != p->number)
                continue;
            uint32_t to = ring_of(from, e, ring, p->number, p->kernels);
            if (to > from->workers || (to == from->workers && ring != to))
                return false;
            if (p->events)
                p->events[(size_t)to * p->trace.capacity + p->counts[to]] = *e;
            p->counts[to]++;
        }
    return true;
}

/* A ring of one slot is in order, and its times may be equal. */
static void sort_rings(const struct cb_trace *from, struct part *p)
{
    for (uint32_t id = 0; id < from->workers && p->number < p->kernels; id++)
        qsort(p->events + (size_t)id * p->trace.capacity, p->counts[id], sizeof *p->events,
              compare);
}

static bool fill(const struct cb_trace *from, struct part *p, char *violation, size_t size)
{
    const size_t rings = (size_t)from->workers + 1;
    p->trace = *from;
    p->trace.until = cb_trace_seen_until(from);
    p->counts = calloc(rings, sizeof *p->counts);
    bool ok = p->counts && deal(from, p);
    uint32_t most = 0;
    for (size_t r = 0; r < rings && ok; r++) {
        most = p->counts[r] > most ? p->counts[r] : most;
        p->counts[r] = 0;
    }
    p->trace.capacity = most + 1;
    p->events = ok ? calloc(rings * p->trace.capacity, sizeof *p->events) : NULL;
    ok = p->events && deal(from, p);
    if (ok)
        sort_rings(from, p);
    else
        snprintf(violation, size, "TRACE: a workgroup's id is none, or there is no memory");
    p->trace.counts = p->counts;
    p->trace.events = p->events;
    return ok;
}

/* A slot that does a share of a task is in no kernel. */
static bool check_slot(const struct cb_trace *trace, uint32_t slot, char *violation, size_t size)
{
    uint32_t in = COOP_MOST_KERNELS;
    for (uint32_t i = 0; i < cb_trace_length(trace, slot); i++) {
        const coop_trace_event *e = &cb_trace_ring(trace, slot)[i];
        bool joins = e->kind == COOP_EVENT_JOIN, begins = e->kind == COOP_EVENT_TASK_BEGIN;
        if ((joins || begins) && in != COOP_MOST_KERNELS) {
            snprintf(violation, size, "TASK: slot %u %s %u while it was in kernel %u", slot,
                     joins ? "joined kernel" : "began a share of task",
                     joins ? COOP_WHO_KERNEL(e->who) : e->a, in);
            return false;
        }
        if (joins)
            in = COOP_WHO_KERNEL(e->who);
        if (e->kind == COOP_EVENT_KILL || e->kind == COOP_EVENT_RETIRE ||
            e->kind == COOP_EVENT_FINISH)
            in = COOP_MOST_KERNELS;
    }
    return true;
}

static bool check_part(const struct cb_trace *trace, uint32_t number, uint32_t kernels,
                       char *violation, size_t size)
{
    struct part p = {.number = number, .kernels = kernels};
    char text[400];
    bool ok = fill(trace, &p, violation, size);
    if (ok && !cb_trace_check(&p.trace, text, sizeof text)) {
        if (number < kernels)
            snprintf(violation, size, "%s (kernel %u)", text, number);
        else
            snprintf(violation, size, "%s", text);
        ok = false;
    }
    free(p.counts);
    free(p.events);
    return ok;
}

bool cb_trace_check_together(const struct cb_trace *trace, uint32_t kernels, char *violation,
                             size_t size)
{
    if (kernels == 1)
        return cb_trace_check(trace, violation, size);
    for (uint32_t slot = 0; slot < trace->workers; slot++)
        if (!check_slot(trace, slot, violation, size))
            return false;
    for (uint32_t part = 0; part <= kernels; part++)
        if (!check_part(trace, part, kernels, violation, size))
            return false;
    return true;
}
