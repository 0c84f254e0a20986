/* SPDX-License-Identifier: Apache-2.0
 *
 * The trace of a megakernel of several cooperative kernels, or of one whose ids are not slots. What
 * a slot does from joining a kernel until it leaves is a *stay*, in which it has one id. Each
 * kernel's stays, in the order in which they begin, make a trace of its own, in which a ring
 * belongs to an id and not to a slot, and tasks make one more: each of these is checked as that of
 * one kernel is. Stays, not events, are ordered by time: times of two slots may be a little wrong,
 * and an id is not given away before its last holder has left. As in models/together.pml: JOIN,
 * TASK and models/any.pml: JOIN, TASK. No model: TRACE, of kernels and ids that there are not.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/trace/rules.h"
#include "runtime/trace/trace.h"

struct stay {
    uint32_t slot, first, n; /* events of its ring */
    uint32_t who;
    /* begin: of the JOIN; end: of the last event, or UINT64_MAX: it has not left. */
    uint64_t begin, end;
};

struct together {
    const struct cb_trace *trace;
    uint32_t kernels;
    uint64_t until; /* what is later is not judged, as events may be lost */
    struct stay *stays;
    size_t n_stays;
    char *violation;
    size_t size;
};

static bool refuse(struct together *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool refuse(struct together *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(t->violation, t->size, format, list);
    va_end(list);
    return false;
}

static bool is_of_task(const coop_trace_event *e)
{
    return e->kind == COOP_EVENT_TASK_BEGIN || e->kind == COOP_EVENT_TASK_END ||
           e->kind == COOP_EVENT_SEEN || e->kind == COOP_EVENT_GATHERED ||
           e->kind == COOP_EVENT_DONE || e->kind == COOP_EVENT_WITHDRAWN;
}

/* ---- What slots do, in the order of their rings ---------------------------------------------- */

struct slot {
    uint32_t number;
    struct stay *stay;            /* that it is in; NULL: none */
    const coop_trace_event *task; /* whose share it does; NULL: none */
};

static bool begin_stay(struct together *t, struct slot *s, uint32_t i, const coop_trace_event *e)
{
    const uint32_t kernel = COOP_WHO_KERNEL(e->who);
    if (s->stay)
        return refuse(t, "TASK: slot %u joined kernel %u while it was in kernel %u", s->number,
                      kernel, COOP_WHO_KERNEL(s->stay->who));
    if (s->task)
        return refuse(t, "TASK: slot %u joined kernel %u within a share of task %u", s->number,
                      kernel, s->task->a);
    s->stay = &t->stays[t->n_stays++];
    *s->stay = (struct stay){s->number, i, 0, e->who, e->time, UINT64_MAX};
    return true;
}

static bool note_share(struct together *t, struct slot *s, const coop_trace_event *e)
{
    if (s->stay)
        return refuse(t, "TASK: slot %u began a share of task %u while it was in kernel %u",
                      s->number, e->a, COOP_WHO_KERNEL(s->stay->who));
    s->task = e->kind == COOP_EVENT_TASK_BEGIN ? e : NULL;
    return true;
}

static bool note_event(struct together *t, struct slot *s, uint32_t i, const coop_trace_event *e)
{
    const uint32_t kernel = COOP_WHO_KERNEL(e->who), id = COOP_WHO_ID(e->who);
    if (is_of_task(e))
        return note_share(t, s, e);
    if (kernel >= t->kernels || id >= t->trace->workers)
        return refuse(t, "TRACE: slot %u is workgroup %u of kernel %u, which there is not",
                      s->number, id, kernel);
    if (e->kind == COOP_EVENT_JOIN && !begin_stay(t, s, i, e))
        return false;
    if (!s->stay || e->who != s->stay->who)
        return refuse(t, "JOIN: slot %u acted as workgroup %u of kernel %u without having joined",
                      s->number, id, kernel);
    s->stay->n++;
    if (e->kind == COOP_EVENT_KILL || e->kind == COOP_EVENT_RETIRE ||
        e->kind == COOP_EVENT_FINISH) {
        s->stay->end = e->time;
        s->stay = NULL;
    }
    return true;
}

/* False: a rule was broken before events may be lost. */
static bool note_slot(struct together *t, uint32_t slot)
{
    struct slot s = {.number = slot};
    const coop_trace_event *ring = cb_trace_ring(t->trace, slot);
    for (uint32_t i = 0; i < cb_trace_length(t->trace, slot); i++)
        if (!note_event(t, &s, i, &ring[i]))
            return ring[i].time > t->until;
    return true;
}

/* ---- Stays ----------------------------------------------------------------------------------- */

static int sign(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Those of one id after each other, as they begin. */
static int compare(const void *a, const void *b)
{
    const struct stay *x = a, *y = b;
    return x->who != y->who       ? sign(x->who, y->who)
           : x->begin != y->begin ? sign(x->begin, y->begin)
           : x->slot != y->slot   ? sign(x->slot, y->slot)
                                  : sign(x->first, y->first);
}

/* An id is in one slot at a time. */
static bool check_stays(struct together *t)
{
    const uint64_t slack = t->trace->slack_ticks;
    for (size_t i = 1; i < t->n_stays; i++) {
        const struct stay *before = &t->stays[i - 1], *s = &t->stays[i];
        const uint64_t end = before->end < t->until ? before->end : t->until;
        if (s->who == before->who && s->begin < end && end - s->begin > slack)
            return refuse(t,
                          "JOIN: workgroup %u joined in slot %u while it was active in slot %u "
                          "(kernel %u)",
                          COOP_WHO_ID(s->who), s->slot, before->slot, COOP_WHO_KERNEL(s->who));
    }
    return true;
}

/* ---- The parts: a trace for each kernel, and one for tasks ----------------------------------- */

struct part {
    struct cb_trace trace;
    uint32_t *counts;
    coop_trace_event *events; /* NULL: they are being counted */
};

static void add(struct part *p, uint32_t ring, const coop_trace_event *e)
{
    if (p->events)
        p->events[(size_t)ring * p->trace.capacity + p->counts[ring]] = *e;
    p->counts[ring]++;
}

static void add_stays(const struct together *t, uint32_t kernel, struct part *p)
{
    for (size_t i = 0; i < t->n_stays; i++) {
        const struct stay *s = &t->stays[i];
        for (uint32_t k = 0; k < s->n && COOP_WHO_KERNEL(s->who) == kernel; k++)
            add(p, COOP_WHO_ID(s->who), &cb_trace_ring(t->trace, s->slot)[s->first + k]);
    }
}

/* number: of the kernel; after the last: of tasks. */
static void deal(const struct together *t, uint32_t number, struct part *p)
{
    const struct cb_trace *trace = t->trace;
    const bool tasks = number == t->kernels;
    if (!tasks)
        add_stays(t, number, p);
    for (uint32_t ring = tasks ? 0 : trace->workers; ring <= trace->workers; ring++)
        for (uint32_t i = 0; i < cb_trace_length(trace, ring); i++) {
            const coop_trace_event *e = &cb_trace_ring(trace, ring)[i];
            if (is_of_task(e) ? tasks : !tasks && COOP_WHO_KERNEL(e->who) == number)
                add(p, ring, e);
        }
}

/* Twice: to count, and to copy. */
static bool fill(struct together *t, uint32_t number, struct part *p)
{
    const size_t rings = (size_t)t->trace->workers + 1;
    uint32_t most = 0;
    p->trace = *t->trace;
    p->trace.until = t->until;
    p->trace.counts = p->counts = calloc(rings, sizeof *p->counts);
    if (!p->counts)
        return refuse(t, "TRACE: out of memory");
    deal(t, number, p);
    for (size_t r = 0; r < rings; r++) {
        most = p->counts[r] > most ? p->counts[r] : most;
        p->counts[r] = 0;
    }
    p->trace.capacity = most + 1;
    p->trace.events = p->events = calloc(rings * p->trace.capacity, sizeof *p->events);
    if (!p->events)
        return refuse(t, "TRACE: out of memory");
    deal(t, number, p);
    return true;
}

static bool check_part(struct together *t, uint32_t number)
{
    struct part p = {.counts = NULL};
    char text[400];
    bool ok = fill(t, number, &p);
    if (ok && !cb_trace_check(&p.trace, text, sizeof text))
        ok =
            number < t->kernels ? refuse(t, "%s (kernel %u)", text, number) : refuse(t, "%s", text);
    free(p.counts);
    free(p.events);
    return ok;
}

static size_t count_stays(const struct cb_trace *trace)
{
    size_t n = 0;
    for (uint32_t slot = 0; slot < trace->workers; slot++)
        n += cb_trace_count(trace, slot, COOP_EVENT_JOIN);
    return n;
}

bool cb_trace_check_together(const struct cb_trace *trace, uint32_t kernels, char *violation,
                             size_t size)
{
    struct together t = {.trace = trace,
                         .kernels = kernels,
                         .until = cb_trace_seen_until(trace),
                         .violation = violation,
                         .size = size};
    if (kernels == 1 && !cb_trace_check_slots(trace, violation, size))
        return false;
    if (kernels == 1 && trace->semantics != COOP_ANY) /* ids are slots */
        return cb_trace_check(trace, violation, size);
    t.stays = calloc(count_stays(trace) + 1, sizeof *t.stays);
    bool ok = t.stays || refuse(&t, "TRACE: out of memory");
    for (uint32_t slot = 0; slot < trace->workers && ok; slot++)
        ok = note_slot(&t, slot);
    if (ok) {
        qsort(t.stays, t.n_stays, sizeof *t.stays, compare);
        ok = check_stays(&t);
    }
    for (uint32_t part = 0; part <= kernels && ok; part++)
        ok = check_part(&t, part);
    free(t.stays);
    if (ok && size > 0)
        violation[0] = '\0'; /* of what is not judged */
    return ok;
}
