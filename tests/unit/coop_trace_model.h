/* SPDX-License-Identifier: Apache-2.0
 *
 * A small model of the cooperative runtime that writes valid traces, for tests of what reads them.
 */
#pragma once

#include <stdio.h>
#include <string.h>

#include "random_fixture.h"
#include "runtime/host/error.h"
#include "runtime/trace/trace.h"

#define MAX_WORKERS 24
#define MAX_EVENTS  4000
#define SLACK       5
#define STEP        10 /* ticks between events of the model */

/* --- The model -------------------------------------------------------------------------------- */

struct model {
    uint32_t workers, groups, version, round, run, task;
    uint32_t semantics; /* COOP_HIGHEST, ... */
    uint32_t counts[MAX_WORKERS + 1];
    coop_trace_event rings[MAX_WORKERS + 1][MAX_EVENTS];
    uint64_t now;
    uint64_t jitter;                                   /* times are late by up to this */
    enum { NEVER, ONCE, FOR_EACH } shrinking_versions; /* M changes with a barrier that shrinks */
};

static struct model m; /* of the test that runs */

static inline void reset(uint32_t workers)
{
    memset(&m, 0, sizeof m);
    m.workers = workers;
    m.now = 1000;
}

static inline void record(uint32_t ring, uint32_t kind, uint32_t a, uint32_t b)
{
    uint32_t n = m.counts[ring]++;
    uint64_t now = m.now + (m.jitter ? cb_random_below(&dice, (uint32_t)m.jitter + 1) : 0);
    assert_in_range(n, 0, MAX_EVENTS - 1);
    if (n > 0 && m.rings[ring][n - 1].time > now)
        now = m.rings[ring][n - 1].time;
    m.rings[ring][n] = (coop_trace_event){.time = now, .kind = kind, .a = a, .b = b};
    m.now += STEP;
}

static inline void change_versions(uint32_t changes)
{
    m.version = (m.version + changes) & 0xffffu;
}

static inline void change_version(void)
{
    change_versions(1);
}

static inline void begin_run(uint32_t groups)
{
    record(m.workers, COOP_EVENT_START, m.run, groups);
    m.groups = groups;
    m.round = 0;
    for (uint32_t i = 0; i < groups; i++)
        record(i, COOP_EVENT_JOIN, m.version, COOP_FROM_START);
}

static inline void end_run(void)
{
    for (uint32_t i = 0; i < m.groups; i++)
        record(i, COOP_EVENT_FINISH, m.run, 0);
    record(m.workers, COOP_EVENT_ENDED, m.run++, m.groups);
}

static inline void phase(uint32_t point)
{
    for (uint32_t i = 0; i < m.groups; i++)
        record(i, COOP_EVENT_PHASE, point, 0);
}

static inline void kill_highest(void)
{
    change_version();
    record(m.groups - 1, COOP_EVENT_OFFER, m.groups, 1);
    record(m.groups - 1, COOP_EVENT_KILL, m.version, m.groups);
    m.groups--;
}

static inline void fork_from(uint32_t slot, uint32_t k)
{
    change_version();
    record(slot, COOP_EVENT_FORK, m.version, m.groups << 16 | k);
    for (uint32_t i = 0; i < k; i++)
        record(m.groups + i, COOP_EVENT_JOIN, m.version, slot);
    m.groups += k;
}

static inline void leave(uint32_t slot, uint32_t after)
{
    if (slot < after)
        record(slot, COOP_EVENT_LEAVE, m.round, m.groups << 16 | after);
    else
        record(slot, COOP_EVENT_RETIRE, m.round, after);
}

/* Lets the workgroups go on after all have arrived. */
static inline void pass(uint32_t after)
{
    uint32_t before = m.groups;
    for (uint32_t i = before; i-- > 0;)
        leave(i, after);
    m.round++;
    if (after < before)
        change_versions(m.shrinking_versions == FOR_EACH ? before - after : m.shrinking_versions);
    if (after > before)
        fork_from(0, after - before);
    else
        m.groups = after;
}

static inline void barrier(uint32_t resizing, uint32_t after)
{
    for (uint32_t i = 0; i < m.groups; i++)
        record(i, COOP_EVENT_ARRIVE, m.round, resizing);
    pass(after);
}

static inline void run_task(uint32_t first, uint32_t groups)
{
    uint32_t task = m.task = (m.task + 1) & 0xffffu;
    record(m.workers, COOP_EVENT_WISH, first, 0);
    record(m.workers, COOP_EVENT_SEEN, task, groups);
    record(m.workers, COOP_EVENT_GATHERED, task, 0);
    for (uint32_t i = 0; i < groups; i++)
        record(first + i, COOP_EVENT_TASK_BEGIN, task, i);
    for (uint32_t i = 0; i < groups; i++)
        record(first + i, COOP_EVENT_TASK_END, task, i);
    record(m.workers, COOP_EVENT_DONE, task, 0);
}

/* which: COOP_SHARE_OF_CHILD. */
static inline void begin_share(uint32_t slot, uint32_t place, uint32_t which)
{
    record(slot, COOP_EVENT_CHILD_BEGIN, place, which);
}

static inline void end_share(uint32_t slot, uint32_t place, uint32_t which)
{
    record(slot, COOP_EVENT_CHILD_END, place, which);
}

static inline void do_share(uint32_t slot, uint32_t place, uint32_t which)
{
    begin_share(slot, place, which);
    end_share(slot, place, which);
}

/* A child of one share. */
static inline uint32_t only_share(uint32_t root)
{
    return COOP_SHARE_OF_CHILD(root, 1, 0);
}

/* Four workgroups; two are given up at barrier 1 for a task, and come back at barrier 2. */
static inline void build_barriers(void)
{
    reset(4);
    begin_run(4);
    phase(0);
    barrier(1, 4);
    phase(1);
    barrier(1, 2);
    run_task(2, 2);
    phase(1);
    barrier(1, 4);
    phase(2);
    barrier(0, 4);
    end_run();
}

/* Three workgroups that offer and fork, a task meanwhile, and a barrier at the end. */
static inline void build_offers(void)
{
    reset(5);
    begin_run(3);
    phase(0);
    fork_from(1, 2);
    phase(1);
    kill_highest();
    kill_highest();
    kill_highest();
    run_task(2, 3);
    phase(1);
    fork_from(1, 1);
    fork_from(2, 2);
    kill_highest();
    barrier(0, 4);
    end_run();
}

static inline void build_runs(void)
{
    build_barriers();
    begin_run(2);
    phase(0);
    fork_from(1, 1);
    run_task(3, 1);
    end_run();
    begin_run(1);
    end_run();
}

/* Two workgroups, and one in the pool; the first waits for its children, the second does not. */
static inline void build_children(void)
{
    reset(3);
    begin_run(2);
    phase(0);
    begin_share(2, 17, only_share(1));
    record(0, COOP_EVENT_AWAIT, 2, 0);
    do_share(0, 0, COOP_SHARE_OF_CHILD(0, 2, 0));
    end_share(2, 17, only_share(1));
    begin_share(2, 0, COOP_SHARE_OF_CHILD(0, 2, 1));
    do_share(0, 1, only_share(0));
    end_share(2, 0, COOP_SHARE_OF_CHILD(0, 2, 1));
    record(0, COOP_EVENT_AWAITED, 0, 0);
    phase(1);
    run_task(2, 1);
    for (uint32_t i = 0; i < 2; i++)
        record(i, COOP_EVENT_FINISH, m.run, 0);
    begin_share(2, 17, only_share(1));
    do_share(1, 18, only_share(1));
    end_share(2, 17, only_share(1));
    record(3, COOP_EVENT_ENDED, m.run++, m.groups);
}

/* Four workgroups; the host allows two, then three. */
static inline void build_limits(void)
{
    reset(4);
    begin_run(4);
    barrier(1, 4);
    record(m.workers, COOP_EVENT_LIMIT, 2, 0);
    barrier(1, 3);
    barrier(1, 2);
    record(m.workers, COOP_EVENT_LIMITED, 2, 2);
    phase(1);
    run_task(2, 2);
    phase(1);
    record(m.workers, COOP_EVENT_LIMIT, 3, 0);
    barrier(1, 3);
    record(m.workers, COOP_EVENT_LIMITED, 3, 3);
    end_run();
    begin_run(3);
    barrier(1, 3);
    end_run();
}

/* --- Asking the check ------------------------------------------------------------------------- */

/* The model's rings, cut off after `capacity` events. To be freed by free_trace(). */
static inline struct cb_trace make_trace(uint32_t capacity)
{
    uint32_t rings = m.workers + 1;
    coop_trace_event *events = calloc((size_t)rings * capacity + 1, sizeof *events);
    assert_non_null(events);
    for (uint32_t i = 0; i < rings; i++)
        for (uint32_t k = 0; k < m.counts[i] && k < capacity; k++)
            events[(size_t)i * capacity + k] = m.rings[i][k];
    return (struct cb_trace){.workers = m.workers,
                             .capacity = capacity,
                             .counts = m.counts,
                             .events = events,
                             .ns_per_tick = 10,
                             .slack_ticks = SLACK,
                             .semantics = m.semantics};
}

static inline void free_trace(struct cb_trace *trace)
{
    free((void *)trace->events);
}

static inline bool check(uint32_t capacity, char *text, size_t size)
{
    struct cb_trace trace = make_trace(capacity);
    bool ok = cb_trace_check(&trace, text, size);
    free_trace(&trace);
    return ok;
}

static inline void accepts(void)
{
    char text[512];
    if (!check(MAX_EVENTS, text, sizeof text))
        fail_msg("a valid trace was refused: %s", text);
}

/* The violation is one of that rule, and says so. */
static inline void refuses(const char *rule, const char *says)
{
    char text[512] = "";
    if (check(MAX_EVENTS, text, sizeof text))
        fail_msg("not found: %s %s", rule, says);
    if (strncmp(text, rule, strlen(rule)) != 0 || !strstr(text, says))
        fail_msg("got \"%s\", expected %s: \"%s\"", text, rule, says);
}

/* The event of that kind in a ring, counted from 0. */
static inline coop_trace_event *event(uint32_t ring, uint32_t kind, uint32_t nth)
{
    for (uint32_t i = 0; i < m.counts[ring]; i++)
        if (m.rings[ring][i].kind == kind && nth-- == 0)
            return &m.rings[ring][i];
    fail_msg("ring %u has no such event of kind %u", ring, kind);
    return NULL;
}

static inline void delete_event(uint32_t ring, uint32_t kind, uint32_t nth)
{
    coop_trace_event *e = event(ring, kind, nth);
    size_t after = m.counts[ring]-- - (size_t)(e - m.rings[ring]) - 1;
    memmove(e, e + 1, after * sizeof *e);
}

/* Behind another event, with its time. */
static inline void insert_after(uint32_t ring, const coop_trace_event *place, uint32_t kind,
                                uint32_t a, uint32_t b)
{
    coop_trace_event *e = &m.rings[ring][place - m.rings[ring] + 1];
    size_t after = m.counts[ring]++ - (size_t)(e - m.rings[ring]);
    memmove(e + 1, e, after * sizeof *e);
    *e = (coop_trace_event){.time = place->time, .kind = kind, .a = a, .b = b};
}

/* --- Random valid traces ---------------------------------------------------------------------- */

/* Workgroups arrive in any order; those that have not may fork, and the highest be killed. */
static inline void random_barrier(bool offers, uint32_t resizing)
{
    bool there[MAX_WORKERS] = {false};
    for (uint32_t arrived = 0; arrived < m.groups;) {
        uint32_t slot = cb_random_below(&dice, m.groups);
        if (there[slot])
            continue;
        if (offers && slot > 0 && slot == m.groups - 1 && cb_random_below(&dice, 3) == 0) {
            kill_highest();
        } else if (offers && m.groups < m.workers && cb_random_below(&dice, 4) == 0) {
            fork_from(slot, 1 + cb_random_below(&dice, m.workers - m.groups));
        } else {
            record(slot, COOP_EVENT_ARRIVE, m.round, resizing);
            there[slot] = true;
            arrived++;
        }
    }
    pass(resizing ? 1 + cb_random_below(&dice, m.workers) : m.groups);
}

/* A workgroup waits for children, whose shares it does beside one of the pool. */
static inline void random_children(void)
{
    uint32_t root = cb_random_below(&dice, m.groups), shares = cb_random_below(&dice, 20);
    uint32_t pool = m.workers - m.groups;
    uint32_t other = pool > 0 ? m.groups + cb_random_below(&dice, pool) : root;
    record(root, COOP_EVENT_AWAIT, 1, 0);
    for (uint32_t i = 0; i < shares; i++) {
        uint32_t place = 16 * root + cb_random_below(&dice, 15);
        if (other != root)
            begin_share(other, place + 1, only_share(root));
        do_share(root, place, only_share(root));
        if (other != root)
            end_share(other, place + 1, only_share(root));
    }
    record(root, COOP_EVENT_AWAITED, 0, 0);
}

static inline void random_run(bool offers)
{
    uint32_t steps = cb_random_below(&dice, 20);
    begin_run(1 + cb_random_below(&dice, m.workers));
    while (steps-- > 0) {
        uint32_t pool = m.workers - m.groups;
        phase(steps);
        if (offers && pool > 0 && cb_random_below(&dice, 2))
            fork_from(cb_random_below(&dice, m.groups), 1 + cb_random_below(&dice, pool));
        else if (offers && m.groups > 1 && cb_random_below(&dice, 2))
            kill_highest();
        else if (pool > 0 && cb_random_below(&dice, 2))
            run_task(m.groups, 1 + cb_random_below(&dice, pool));
        else if (cb_random_below(&dice, 3) == 0)
            random_children();
        else
            random_barrier(offers, cb_random_below(&dice, 2));
    }
    end_run();
}

static inline void random_trace(void)
{
    reset(1 + cb_random_below(&dice, MAX_WORKERS));
    m.jitter = cb_random_below(&dice, 2) ? 3 * STEP : 0;
    m.version = cb_random_below(&dice, 0x10000);
    m.shrinking_versions = cb_random_below(&dice, FOR_EACH + 1);
    m.task = cb_random_below(&dice, 2) ? 0xfff0 : 0;
    bool offers = cb_random_below(&dice, 2);
    for (uint32_t runs = 1 + cb_random_below(&dice, 4); runs > 0; runs--)
        random_run(offers);
}
