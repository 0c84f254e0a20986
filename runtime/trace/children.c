/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules of children. Of one workgroup, by the replay: it does shares in the pool, or while it waits
 * for its own children, and nothing else within one. Of several: each share is done once, a
 * workgroup goes on after its children have ended, and the end of a run comes after that of all.
 * Ends are noted before they count, so that this is certain. As in models/places.pml: CHILD and
 * models/packets.pml: CHILD, RUN.
 */
#include <stdlib.h>

#include "runtime/trace/replay.h"

/* ---- Of one workgroup ------------------------------------------------------------------------ */

static enum replay_step begin_share(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    struct replay_ring *s = &r->rings[slot];
    uint32_t share = COOP_CHILD_SHARE(e->b), shares = COOP_CHILD_SHARES(e->b);
    if (s->task)
        return cb_replay_refuse(
            r, "CHILD", e,
            "workgroup %u began share %u of the child at place %u within one of task %u", slot,
            share, e->a, s->task->a);
    if (cb_replay_is_active(s) && !s->awaits)
        return cb_replay_refuse(r, "CHILD", e,
                                "workgroup %u began share %u of the child at place %u while it was "
                                "active and waited for no children",
                                slot, share, e->a);
    if (share >= shares)
        return cb_replay_refuse(
            r, "CHILD", e,
            "workgroup %u began share %u of the child at place %u, which has only %u", slot, share,
            e->a, shares);
    s->child = e;
    return TAKEN;
}

enum replay_step cb_replay_child(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    struct replay_ring *s = &r->rings[slot];
    if (s->child && e->kind != COOP_EVENT_CHILD_END)
        return cb_replay_refuse(
            r, "CHILD", e,
            "workgroup %u went on (event %u) within share %u of the child at place %u", slot,
            e->kind, COOP_CHILD_SHARE(s->child->b), s->child->a);
    if (e->kind == COOP_EVENT_CHILD_BEGIN)
        return begin_share(r, slot, e);
    if (!s->child || s->child->a != e->a || s->child->b != e->b)
        return cb_replay_refuse(r, "CHILD", e,
                                "workgroup %u ended share %u of the child at place %u, which it "
                                "had not begun",
                                slot, COOP_CHILD_SHARE(e->b), e->a);
    s->child = NULL;
    return TAKEN;
}

enum replay_step cb_replay_await(struct replay *r, uint32_t slot, const coop_trace_event *e)
{
    struct replay_ring *s = &r->rings[slot];
    bool begins = e->kind == COOP_EVENT_AWAIT;
    if (begins && e->a == 0)
        return cb_replay_refuse(r, "CHILD", e, "workgroup %u waited for no children", slot);
    if (!begins && !s->awaits)
        return cb_replay_refuse(
            r, "CHILD", e, "workgroup %u went on from children that it did not wait for", slot);
    s->awaits = begins;
    return TAKEN;
}

/* ---- Of several ------------------------------------------------------------------------------ */

struct share {
    uint32_t slot;
    const coop_trace_event *begin;
    uint64_t end; /* UINT64_MAX: none is known */
};

struct children {
    struct cb_trace_verdict *verdict;
    struct share *shares;
    size_t n;
};

static void note_shares(struct children *c, uint32_t slot)
{
    const coop_trace_event *ring = cb_trace_ring(c->verdict->trace, slot);
    struct share *open = NULL; /* that the next CHILD_END ends */
    for (uint32_t i = 0; i < cb_trace_length(c->verdict->trace, slot); i++) {
        if (ring[i].kind == COOP_EVENT_CHILD_BEGIN) {
            open = &c->shares[c->n++];
            *open = (struct share){slot, &ring[i], UINT64_MAX};
        } else if (ring[i].kind == COOP_EVENT_CHILD_END && open) {
            open->end = ring[i].time;
            open = NULL;
        }
    }
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Orders shares of each place, by roots, numbers of shares, and shares: an equal share comes again
 * with another child. */
static int compare_places(const void *a, const void *b)
{
    const coop_trace_event *x = ((const struct share *)a)->begin;
    const coop_trace_event *y = ((const struct share *)b)->begin;
    int by_place = compare(x->a, y->a), by_share = compare(x->b, y->b);
    return by_place ? by_place : by_share ? by_share : compare(x->time, y->time);
}

static int compare_roots(const void *a, const void *b)
{
    const coop_trace_event *x = ((const struct share *)a)->begin;
    const coop_trace_event *y = ((const struct share *)b)->begin;
    int by_root = compare(COOP_CHILD_ROOT(x->b), COOP_CHILD_ROOT(y->b));
    return by_root ? by_root : compare(x->time, y->time);
}

static bool are_same_share(const struct share *s, const struct share *t)
{
    return s->begin->a == t->begin->a && s->begin->b == t->begin->b;
}

/* Whether they are of children with the same place, root, and number of shares. */
static bool are_alike(const struct share *s, const struct share *t)
{
    return s->begin->a == t->begin->a && (s->begin->b ^ t->begin->b) <= COOP_CHILD_SHARE(~0u);
}

static void check_overlap(struct children *c, const struct share *s, const struct share *previous)
{
    const coop_trace_event *begin = s->begin;
    if (are_same_share(s, previous) && cb_trace_earlier(c->verdict, begin->time, previous->end))
        cb_trace_violation(c->verdict, false, "CHILD", begin->time,
                           "workgroup %u began share %u of the child at place %u, which workgroup "
                           "%u had begun and not ended",
                           s->slot, COOP_CHILD_SHARE(begin->b), begin->a, previous->slot);
}

/* Checks that each share of children that are alike is done as often as the others. end: end of the
 * last run. */
static void check_counts(struct children *c, const coop_trace_event *end, const struct share *alike,
                         size_t n)
{
    uint32_t counts[COOP_CHILD_SHARE(~0u) + 1] = {0};
    uint32_t shares = COOP_CHILD_SHARES(alike->begin->b), one = COOP_CHILD_SHARE(alike->begin->b);
    for (size_t i = 0; i < n; i++)
        counts[COOP_CHILD_SHARE(alike[i].begin->b)]++;
    for (uint32_t share = 0; share < shares; share++)
        if (counts[share] != counts[one])
            cb_trace_violation(c->verdict, true, "CHILD", end->time,
                               "of children at place %u with %u shares, share %u was begun %u "
                               "times, share %u %u times",
                               alike->begin->a, shares, one, counts[one], share, counts[share]);
}

/* The end of the last run, and so of all the kernel's children; NULL: the trace has not all. */
static const coop_trace_event *last_end(const struct cb_trace_verdict *verdict)
{
    const struct cb_trace *trace = verdict->trace;
    const coop_trace_event *ring = cb_trace_ring(trace, trace->workers), *end = NULL;
    for (uint32_t i = 0; i < cb_trace_length(trace, trace->workers) && verdict->complete; i++)
        if (ring[i].kind == COOP_EVENT_START || ring[i].kind == COOP_EVENT_ENDED)
            end = ring[i].kind == COOP_EVENT_ENDED ? &ring[i] : NULL;
    return end;
}

static void check_places(struct children *c)
{
    const coop_trace_event *end = last_end(c->verdict);
    qsort(c->shares, c->n, sizeof *c->shares, compare_places);
    for (size_t first = 0, next; first < c->n; first = next) {
        const struct share *alike = &c->shares[first];
        for (next = first + 1; next < c->n && are_alike(alike, &c->shares[next]); next++)
            check_overlap(c, &c->shares[next], &c->shares[next - 1]);
        if (end && COOP_CHILD_ROOT(alike->begin->b) < c->verdict->trace->workers)
            check_counts(c, end, alike, next - first);
    }
}

/* Whether an event, of which all of these are the cause, comes before the end of one that has begun
 * before it. */
static void check_ended(struct children *c, const struct share *shares, size_t n, uint32_t ring,
                        enum coop_event kind)
{
    const coop_trace_event *events = cb_trace_ring(c->verdict->trace, ring);
    const struct share *last = NULL; /* to end, of those that have begun */
    size_t begun = 0;
    for (uint32_t i = 0; i < cb_trace_length(c->verdict->trace, ring); i++) {
        const coop_trace_event *e = &events[i];
        if (e->kind != kind)
            continue;
        for (; begun < n && cb_trace_earlier(c->verdict, shares[begun].begin->time, e->time);
             begun++)
            if (!last || shares[begun].end > last->end)
                last = &shares[begun];
        if (!last || !cb_trace_earlier(c->verdict, e->time, last->end))
            continue;
        uint32_t share = COOP_CHILD_SHARE(last->begin->b), place = last->begin->a;
        if (kind == COOP_EVENT_ENDED)
            cb_trace_violation(c->verdict, false, "RUN", e->time,
                               "run %u ended before workgroup %u had ended share %u of the child "
                               "at place %u",
                               e->a, last->slot, share, place);
        else
            cb_trace_violation(c->verdict, false, "CHILD", e->time,
                               "workgroup %u went on before workgroup %u had ended share %u of "
                               "its child at place %u",
                               ring, last->slot, share, place);
    }
}

/* Those of other roots than workgroups of the kernel concern neither. */
static void check_roots(struct children *c)
{
    const struct cb_trace *trace = c->verdict->trace;
    qsort(c->shares, c->n, sizeof *c->shares, compare_roots);
    for (size_t first = 0, next; first < c->n; first = next) {
        uint32_t root = COOP_CHILD_ROOT(c->shares[first].begin->b);
        next = first + 1;
        while (next < c->n && COOP_CHILD_ROOT(c->shares[next].begin->b) == root)
            next++;
        if (root >= trace->workers)
            return;
        check_ended(c, &c->shares[first], next - first, root, COOP_EVENT_AWAITED);
        check_ended(c, &c->shares[first], next - first, trace->workers, COOP_EVENT_ENDED);
    }
}

bool cb_trace_check_children(struct cb_trace_verdict *verdict)
{
    const struct cb_trace *trace = verdict->trace;
    size_t shares = 0;
    for (uint32_t i = 0; i < trace->workers; i++)
        shares += cb_trace_count(trace, i, COOP_EVENT_CHILD_BEGIN);
    struct children c = {.verdict = verdict, .shares = calloc(shares + 1, sizeof *c.shares)};
    if (!c.shares)
        return false;
    for (uint32_t i = 0; i < trace->workers; i++)
        note_shares(&c, i);
    check_places(&c);
    check_roots(&c);
    free(c.shares);
    return true;
}
