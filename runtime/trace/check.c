/* SPDX-License-Identifier: Apache-2.0
 *
 * The queue of the replay: the next events of all rings, the earliest first. What a trace lacks at
 * its end: models/any.pml: JOIN, models/packets.pml: TASK, models/places.pml: CHILD and
 * models/members.pml: FORK, BARRIER.
 */
#include <stdlib.h>

#include "runtime/trace/replay.h"

/* A ring whose next event can be tried, and its time: events lie far apart in memory. */
struct entry {
    uint64_t time;
    uint32_t ring;
};

struct queue {
    struct replay *replay;
    struct entry *heap;
    uint32_t n;
    uint32_t *waiting; /* rings whose next event needs others first */
    uint32_t n_waiting;
};

static bool has_more(const struct replay *r, uint32_t ring)
{
    return r->rings[ring].next < cb_trace_length(r->trace, ring);
}

static void push(struct queue *q, uint32_t ring)
{
    const coop_trace_event *events = cb_trace_ring(q->replay->trace, ring);
    struct entry entry = {events[q->replay->rings[ring].next].time, ring};
    uint32_t i = q->n++;
    for (; i > 0 && entry.time < q->heap[(i - 1) / 2].time; i = (i - 1) / 2)
        q->heap[i] = q->heap[(i - 1) / 2];
    q->heap[i] = entry;
}

static uint32_t pop(struct queue *q)
{
    uint32_t ring = q->heap[0].ring, i = 0;
    struct entry last = q->heap[--q->n];
    for (uint32_t child; (child = 2 * i + 1) < q->n; i = child) {
        child += child + 1 < q->n && q->heap[child + 1].time < q->heap[child].time;
        if (last.time <= q->heap[child].time)
            break;
        q->heap[i] = q->heap[child];
    }
    q->heap[i] = last;
    return ring;
}

/* Back to the queue with those that may go on now. Thousands may wait to be killed, one after the
 * other.
 */
static void wake(struct queue *q)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < q->n_waiting; i++) {
        if (cb_trace_must_wait(q->replay, q->waiting[i]))
            q->waiting[n++] = q->waiting[i];
        else
            push(q, q->waiting[i]);
    }
    q->n_waiting = n;
}

static void try_next(struct queue *q)
{
    struct replay *r = q->replay;
    uint32_t ring = pop(q);
    r->progress = false;
    enum replay_step step = cb_trace_step(r, ring);
    if (step == TAKEN && has_more(r, ring))
        push(q, ring);
    if (step == WAITS)
        q->waiting[q->n_waiting++] = ring;
    if (step == TAKEN && r->progress)
        wake(q);
}

static void try_all(struct queue *q)
{
    while (q->n > 0)
        try_next(q);
}

/* What a ring, at its end or at an event that waits in vain, should have gone on with. */
static void check_end(struct replay *r, uint32_t slot)
{
    struct cb_trace_verdict *verdict = r->verdict;
    const struct replay_ring *s = &r->rings[slot];
    if (s->waits || s->refused)
        return;
    if (s->state == CALLED && s->from == COOP_FROM_START)
        cb_trace_violation(verdict, true, "JOIN", s->called,
                           "run %u began with workgroup %u, which never joined", r->run, slot);
    else if (s->state == CALLED)
        cb_trace_violation(verdict, true, "JOIN", s->called,
                           "workgroup %u forked workgroup %u, which never joined", s->from, slot);
    if (s->forked > 0)
        cb_trace_violation(verdict, true, "JOIN", s->forked_at,
                           "workgroup %u forked %u more than have joined", slot, s->forked);
    if (s->task)
        cb_trace_violation(verdict, true, "TASK", s->task->time,
                           "slot %u began share %u of task %u and never ended it", slot, s->task->b,
                           s->task->a);
    if (s->child)
        cb_trace_violation(verdict, true, "CHILD", s->child->time,
                           "workgroup %u began share %u of the child at place %u and never ended "
                           "it",
                           slot, COOP_CHILD_SHARE(s->child->b), s->child->a);
    if (s->to_fork > 0 && s->state == ACTIVE)
        cb_trace_violation(verdict, true, "FORK", s->barrier.last_time,
                           "workgroup %u never forked the %u that barrier %u added", slot,
                           s->to_fork, s->number);
    if (s->state == RELEASED && !r->running)
        cb_trace_violation(verdict, true, "BARRIER", s->barrier.last_time,
                           "workgroup %u never left barrier %u", slot, s->number);
}

static void replay_all(struct queue *q)
{
    struct replay *r = q->replay;
    for (uint32_t i = 0; i <= r->trace->workers; i++)
        if (has_more(r, i))
            push(q, i);
    try_all(q);
    while (cb_trace_skip_versions(r)) {
        wake(q);
        try_all(q);
    }
    r->explains = true;
    for (uint32_t i = 0; i < q->n_waiting; i++)
        cb_trace_step(r, q->waiting[i]);
    for (uint32_t i = 0; i < r->trace->workers && r->verdict->complete; i++)
        check_end(r, i);
    if (r->verdict->complete)
        cb_replay_check_away(r);
}

bool cb_trace_check_kernel(struct cb_trace_verdict *verdict)
{
    const struct cb_trace *trace = verdict->trace;
    size_t rings = (size_t)trace->workers + 1;
    struct replay replay = {.verdict = verdict, .trace = trace};
    struct queue queue = {.replay = &replay};
    replay.rings = calloc(rings, sizeof *replay.rings);
    queue.heap = calloc(rings, sizeof *queue.heap);
    queue.waiting = calloc(rings, sizeof *queue.waiting);
    bool ok = replay.rings && queue.heap && queue.waiting;
    if (ok)
        replay_all(&queue);
    free(queue.waiting);
    free(queue.heap);
    free(replay.rings);
    return ok;
}
