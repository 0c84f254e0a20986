/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules of tasks: each share is run once, after the task's workgroups have been gathered and before
 * it is reported as done; none of a task that was withdrawn, which was not gathered then. That
 * their workers are not in the cooperative kernel meanwhile is checked by the replay (kernel.c). As
 * in models/packets.pml: TASK, models/withdraw.pml: TASK and models/early.pml: TASK.
 */
#include <stdlib.h>

#include "runtime/trace/rules.h"

/* Numbers of tasks wrap; a serial number is that without wrapping. */
#define NUMBER_BITS 0xffffu

/* A task may be done after so many that were seen after it. */
#define MOST_BETWEEN 1024

struct task {
    uint64_t serial;
    const coop_trace_event *seen, *withdrawn, *gathered, *done; /* all but seen: or NULL */
    uint32_t shares;                                            /* that have ended */
};

struct share {
    uint64_t serial; /* serial of the task */
    uint32_t slot;
    const coop_trace_event *begin, *end; /* end: or NULL */
};

struct tasks {
    struct cb_trace_verdict *verdict;
    struct task *tasks;
    struct share *shares;
    size_t n_tasks, n_shares;
};

static void note_seen(struct tasks *t, const coop_trace_event *e)
{
    const struct task *last = t->n_tasks > 0 ? &t->tasks[t->n_tasks - 1] : NULL;
    uint32_t step = last ? (e->a - last->seen->a) & NUMBER_BITS : 1;
    if (step == 0 || step > NUMBER_BITS / 2)
        cb_trace_violation(t->verdict, false, "TASK", e->time,
                           "the scheduler saw task %u after task %u", e->a, last->seen->a);
    else
        t->tasks[t->n_tasks++] =
            (struct task){.serial = last ? last->serial + step : NUMBER_BITS + 1 + e->a, .seen = e};
}

/* The last one with this number, among those that may have workgroups at once. */
static struct task *find_task(const struct tasks *t, uint32_t number)
{
    for (size_t i = t->n_tasks; i-- > 0 && i + MOST_BETWEEN >= t->n_tasks;)
        if (t->tasks[i].seen->a == number)
            return &t->tasks[i];
    return NULL;
}

static void note_withdrawn(struct tasks *t, struct task *task, const coop_trace_event *e)
{
    if (task->gathered)
        cb_trace_violation(t->verdict, false, "TASK", e->time,
                           "task %u was withdrawn after it had been gathered at %s", e->a,
                           cb_trace_time(t->verdict, task->gathered->time).text);
    else if (COOP_KEPT_GROUPS(e->b) > task->seen->b)
        cb_trace_violation(t->verdict, false, "TASK", e->time,
                           "task %u was withdrawn and kept %u of its %u workgroups", e->a,
                           COOP_KEPT_GROUPS(e->b), task->seen->b);
    task->withdrawn = e;
}

static void note_task(struct tasks *t, const coop_trace_event *e)
{
    struct task *task = e->kind == COOP_EVENT_SEEN ? NULL : find_task(t, e->a);
    if (e->kind == COOP_EVENT_SEEN)
        note_seen(t, e);
    else if (!task)
        cb_trace_violation(t->verdict, false, "TASK", e->time,
                           "task %u was gathered, withdrawn or done without having been seen",
                           e->a);
    else if (e->kind == COOP_EVENT_WITHDRAWN)
        note_withdrawn(t, task, e);
    else if (e->kind == COOP_EVENT_GATHERED)
        task->gathered = e;
    else
        task->done = e;
}

/* The one next to the last task that the scheduler had seen then. */
static uint64_t serial_of(const struct tasks *t, const coop_trace_event *begin)
{
    size_t low = 0, high = t->n_tasks;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cb_trace_earlier(t->verdict, begin->time, t->tasks[middle].seen->time))
            high = middle;
        else
            low = middle + 1;
    }
    uint64_t near = low > 0 ? t->tasks[low - 1].serial : NUMBER_BITS + 1;
    uint32_t ahead = (begin->a - (uint32_t)near) & NUMBER_BITS;
    return near + ahead - (ahead > NUMBER_BITS / 2 ? NUMBER_BITS + 1 : 0);
}

static void note_shares(struct tasks *t, uint32_t slot)
{
    const coop_trace_event *ring = cb_trace_ring(t->verdict->trace, slot);
    struct share *open = NULL; /* that the next TASK_END ends */
    for (uint32_t i = 0; i < cb_trace_length(t->verdict->trace, slot); i++) {
        if (ring[i].kind == COOP_EVENT_TASK_BEGIN) {
            open = &t->shares[t->n_shares++];
            *open = (struct share){serial_of(t, &ring[i]), slot, &ring[i], NULL};
        } else if (ring[i].kind == COOP_EVENT_TASK_END && open) {
            open->end = &ring[i];
            open = NULL;
        }
    }
}

static int compare_shares(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    if (x->serial != y->serial)
        return x->serial < y->serial ? -1 : 1;
    if (x->begin->b != y->begin->b)
        return x->begin->b < y->begin->b ? -1 : 1;
    return (x->begin->time > y->begin->time) - (x->begin->time < y->begin->time);
}

static int compare_tasks(const void *a, const void *b)
{
    const struct task *x = a, *y = b;
    return (x->serial > y->serial) - (x->serial < y->serial);
}

static void check_share(struct tasks *t, struct task *task, const struct share *s)
{
    const coop_trace_event *begin = s->begin;
    if (!task || !task->gathered)
        cb_trace_violation(t->verdict, true, "TASK", begin->time,
                           "workgroup %u began share %u of task %u, which was never gathered",
                           s->slot, begin->b, begin->a);
    else if (task->withdrawn)
        cb_trace_violation(t->verdict, false, "TASK", begin->time,
                           "workgroup %u began share %u of task %u, which was withdrawn at %s",
                           s->slot, begin->b, begin->a,
                           cb_trace_time(t->verdict, task->withdrawn->time).text);
    else if (begin->b >= task->seen->b)
        cb_trace_violation(t->verdict, false, "TASK", begin->time,
                           "workgroup %u began share %u of task %u, which has only %u", s->slot,
                           begin->b, begin->a, task->seen->b);
    else if (cb_trace_earlier(t->verdict, begin->time, task->gathered->time))
        cb_trace_violation(t->verdict, false, "TASK", begin->time,
                           "workgroup %u began share %u of task %u, which was gathered at %s",
                           s->slot, begin->b, begin->a,
                           cb_trace_time(t->verdict, task->gathered->time).text);
    if (task && task->done && s->end &&
        cb_trace_earlier(t->verdict, task->done->time, s->end->time))
        cb_trace_violation(t->verdict, false, "TASK", task->done->time,
                           "task %u was done before workgroup %u ended its share %u at %s",
                           begin->a, s->slot, begin->b,
                           cb_trace_time(t->verdict, s->end->time).text);
}

static void check_shares(struct tasks *t)
{
    qsort(t->shares, t->n_shares, sizeof *t->shares, compare_shares);
    for (size_t i = 0; i < t->n_shares; i++) {
        const struct share *s = &t->shares[i], *previous = i > 0 ? s - 1 : NULL;
        const struct task key = {.serial = s->serial};
        struct task *task = bsearch(&key, t->tasks, t->n_tasks, sizeof *t->tasks, compare_tasks);
        check_share(t, task, s);
        if (previous && previous->serial == s->serial && previous->begin->b == s->begin->b)
            cb_trace_violation(t->verdict, false, "TASK", s->begin->time,
                               "workgroup %u began share %u of task %u, as workgroup %u had done",
                               s->slot, s->begin->b, s->begin->a, previous->slot);
        else if (task && s->end)
            task->shares++;
    }
}

/* A task that was done without having been gathered was given up. */
static void check_done(struct tasks *t)
{
    for (size_t i = 0; i < t->n_tasks; i++) {
        const struct task *task = &t->tasks[i];
        if (task->done && task->gathered && !task->withdrawn && task->shares != task->seen->b)
            cb_trace_violation(t->verdict, true, "TASK", task->done->time,
                               "task %u was done when %u of its %u shares had ended", task->seen->a,
                               task->shares, task->seen->b);
    }
}

bool cb_trace_check_tasks(struct cb_trace_verdict *verdict)
{
    const struct cb_trace *trace = verdict->trace;
    const coop_trace_event *scheduler = cb_trace_ring(trace, trace->workers);
    size_t shares = 0, tasks = cb_trace_count(trace, trace->workers, COOP_EVENT_SEEN);
    for (uint32_t i = 0; i < trace->workers; i++)
        shares += cb_trace_count(trace, i, COOP_EVENT_TASK_BEGIN);
    struct tasks t = {.verdict = verdict,
                      .tasks = calloc(tasks + 1, sizeof *t.tasks),
                      .shares = calloc(shares + 1, sizeof *t.shares)};
    bool ok = t.tasks && t.shares;
    if (ok) {
        for (uint32_t i = 0; i < cb_trace_length(trace, trace->workers); i++)
            if (scheduler[i].kind == COOP_EVENT_SEEN || scheduler[i].kind == COOP_EVENT_GATHERED ||
                scheduler[i].kind == COOP_EVENT_DONE || scheduler[i].kind == COOP_EVENT_WITHDRAWN)
                note_task(&t, &scheduler[i]);
        for (uint32_t i = 0; i < trace->workers; i++)
            note_shares(&t, i);
        check_shares(&t);
        check_done(&t);
    }
    free(t.tasks);
    free(t.shares);
    return ok;
}
