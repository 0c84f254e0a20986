/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule of slots, in a megakernel of one kernel: it has those that tasks leave to it. A task has
 * the highest slots that are free together (COOP_ANY: as many as it has workgroups) from when it
 * left the line until it is done; if it is withdrawn, those that had been sent for. Each wish of
 * the scheduler, and each run, is for what the limit and the tasks allow (COOP_SOME: or a part;
 * COOP_WHOLE: at most). As in models/withdraw.pml: SLOTS.
 */
#include "runtime/trace/rules.h"

struct held {
    uint32_t number, first, groups; /* of a task, its slots; COOP_ANY: first means nothing */
};

struct slots {
    struct cb_trace_verdict *verdict;
    uint32_t workers, most, semantics;
    struct held held[COOP_LANES];
    uint32_t n;
};

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Slots that tasks leave to the kernel. */
static uint32_t left(const struct slots *s)
{
    uint32_t lowest = s->workers;
    for (uint32_t i = 0; i < s->n; i++)
        lowest = s->semantics == COOP_ANY ? lowest - s->held[i].groups
                                          : smaller(lowest, s->held[i].first);
    return lowest;
}

static bool are_free(const struct slots *s, uint32_t first, uint32_t end)
{
    bool free = true;
    for (uint32_t i = 0; i < s->n && free; i++)
        free = end <= s->held[i].first || s->held[i].first + s->held[i].groups <= first;
    return free;
}

/* The first of the highest slots that are free together; more than there are: none. */
static uint32_t find(const struct slots *s, uint32_t groups)
{
    uint32_t found = s->workers + 1;
    for (uint32_t i = 0; i <= s->n; i++) {
        const uint32_t end = i < s->n ? s->held[i].first : s->workers;
        const bool fits = end >= groups && are_free(s, end - groups, end);
        if (fits && (found > s->workers || end - groups > found))
            found = end - groups;
    }
    return found;
}

static void take_task(struct slots *s, const coop_trace_event *e)
{
    const bool any = s->semantics == COOP_ANY;
    const uint32_t first = any ? 0 : find(s, e->b);
    if (s->n == COOP_LANES || first > s->workers || (any && e->b > left(s)))
        cb_trace_violation(s->verdict, false, "SLOTS", e->time,
                           "task %u left the line for %u slots, which were not free", e->a, e->b);
    else
        s->held[s->n++] = (struct held){e->a, first, e->b};
}

static void withdraw_task(struct slots *s, struct held *h, const coop_trace_event *e)
{
    const uint32_t kept = smaller(COOP_KEPT_GROUPS(e->b), h->groups); /* more: rule TASK */
    h->first += h->groups - kept;
    h->groups = kept;
    if (COOP_KEPT_LEFT(e->b) != left(s))
        cb_trace_violation(s->verdict, false, "SLOTS", e->time,
                           "task %u was withdrawn and kept %u, so that %u slots were left to the "
                           "kernel instead of %u",
                           e->a, kept, COOP_KEPT_LEFT(e->b), left(s));
}

/* The last with this number: numbers wrap. */
static struct held *find_held(struct slots *s, uint32_t number)
{
    for (uint32_t i = s->n; i-- > 0;)
        if (s->held[i].number == number)
            return &s->held[i];
    return NULL;
}

/* Whether the kernel may be asked to have so many workgroups. */
static void check_groups(const struct slots *s, const coop_trace_event *e, uint32_t groups)
{
    const uint32_t least = s->semantics == COOP_WHOLE ? 0 : 1, allowed = smaller(s->most, left(s)),
                   reach = allowed > least ? allowed : least;
    const bool exact = s->semantics == COOP_HIGHEST || s->semantics == COOP_ANY ||
                       (s->semantics == COOP_SOME && e->kind == COOP_EVENT_START);
    if (exact ? groups != reach : groups > reach)
        cb_trace_violation(s->verdict, false, "SLOTS", e->time,
                           "the kernel was to have %u workgroups instead of %u%s", groups, reach,
                           exact ? "" : " at most");
}

static void note(struct slots *s, const coop_trace_event *e)
{
    struct held *h = find_held(s, e->a);
    if (e->kind == COOP_EVENT_SEEN)
        take_task(s, e);
    else if (e->kind == COOP_EVENT_WITHDRAWN && h)
        withdraw_task(s, h, e);
    else if (e->kind == COOP_EVENT_DONE && h)
        *h = s->held[--s->n];
    else if (e->kind == COOP_EVENT_LIMIT)
        s->most = e->a;
    else if (e->kind == COOP_EVENT_WISH)
        check_groups(s, e, e->a);
    else if (e->kind == COOP_EVENT_START)
        check_groups(s, e, e->b);
}

bool cb_trace_check_slots(const struct cb_trace *trace, char *violation, size_t size)
{
    struct cb_trace_verdict verdict = cb_trace_verdict_on(trace, violation, size);
    const coop_trace_event *ring = cb_trace_ring(trace, trace->workers);
    struct slots s = {&verdict, trace->workers, trace->workers, trace->semantics, .n = 0};
    for (uint32_t i = 0; i < cb_trace_length(trace, trace->workers); i++)
        note(&s, &ring[i]);
    return !verdict.broken;
}
