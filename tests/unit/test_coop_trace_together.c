/* SPDX-License-Identifier: Apache-2.0
 *
 * The check of the traces of megakernels of several kernels: made up, random, broken, and cut off.
 */
#include "coop_trace_model.h"
#include "tests/unit/unit.h"

#define KERNELS 2

/* --- Events that say whose they are ----------------------------------------------------------- */

static uint32_t slot_of[KERNELS][MAX_WORKERS]; /* of an id */

static void put(uint32_t ring, uint32_t who, uint32_t kind, uint32_t a, uint32_t b)
{
    record(ring, kind, a, b);
    m.rings[ring][m.counts[ring] - 1].who = who;
}

static void act(uint32_t kernel, uint32_t id, uint32_t kind, uint32_t a, uint32_t b)
{
    put(slot_of[kernel][id], COOP_WHO(kernel, id), kind, a, b);
}

static void schedule(uint32_t kernel, uint32_t kind, uint32_t a, uint32_t b)
{
    put(m.workers, COOP_WHO(kernel, 0), kind, a, b);
}

static bool taken[MAX_WORKERS];                        /* slots, of a random trace */
static uint32_t task_slots[MAX_WORKERS], n_task_slots; /* of the task that runs */

/* Whose workers they were last does not matter. */
static void put_shares(uint32_t kind)
{
    for (uint32_t i = 0; i < n_task_slots; i++)
        put(task_slots[i], COOP_WHO(cb_random_below(&dice, KERNELS), 77), kind, m.task, i);
}

static void begin_task(void)
{
    m.task = (m.task + 1) & 0xffffu;
    schedule(0, COOP_EVENT_SEEN, m.task, n_task_slots);
    schedule(1, COOP_EVENT_GATHERED, m.task, 0);
    put_shares(COOP_EVENT_TASK_BEGIN);
}

static void end_task(void)
{
    put_shares(COOP_EVENT_TASK_END);
    schedule(0, COOP_EVENT_DONE, m.task, 0);
    while (n_task_slots > 0)
        taken[task_slots[--n_task_slots]] = false;
}

/* --- A trace by hand -------------------------------------------------------------------------- */

static void begin(uint32_t kernel, uint32_t run, uint32_t groups, const uint32_t slots[])
{
    schedule(kernel, COOP_EVENT_START, run, groups);
    for (uint32_t id = 0; id < groups; id++) {
        slot_of[kernel][id] = slots[id];
        act(kernel, id, COOP_EVENT_JOIN, 0, COOP_FROM_START);
    }
}

static void finish(uint32_t kernel, uint32_t run, uint32_t groups)
{
    for (uint32_t id = 0; id < groups; id++)
        act(kernel, id, COOP_EVENT_FINISH, run, 0);
    schedule(kernel, COOP_EVENT_ENDED, run, groups);
}

static void resize(uint32_t kernel, uint32_t number, uint32_t before, uint32_t after)
{
    for (uint32_t id = 0; id < before; id++)
        act(kernel, id, COOP_EVENT_ARRIVE, number, COOP_BARRIER_RESIZES);
    for (uint32_t id = 0; id < before && id < after; id++)
        act(kernel, id, COOP_EVENT_LEAVE, number, before << 16 | after);
    for (uint32_t id = after; id < before; id++)
        act(kernel, id, COOP_EVENT_RETIRE, number, after);
}

static void do_task(uint32_t one, uint32_t other)
{
    task_slots[n_task_slots++] = one;
    task_slots[n_task_slots++] = other;
    begin_task();
    end_task();
}

/* Five slots, of which slot 2 is in the pool at first. Id 1 of kernel 1 leaves slot 4, and comes
 * back in slot 2; a later run has three workgroups, in slots that both kernels had. Kernel 0 may
 * have two workgroups, kernel 1 three. */
static void build_together(void)
{
    reset(5);
    begin(0, 0, 2, (uint32_t[]){3, 1});
    begin(1, 0, 2, (uint32_t[]){0, 4});
    resize(0, 0, 2, 2);
    resize(1, 0, 2, 1);
    do_task(2, 4);
    resize(1, 1, 1, 2);
    act(1, 0, COOP_EVENT_FORK, 1, 1u << 16 | 1);
    slot_of[1][1] = 2;
    act(1, 1, COOP_EVENT_JOIN, 1, 0);
    for (uint32_t k = 0; k < KERNELS; k++) {
        schedule(k, COOP_EVENT_LIMIT, 2 + k, 0);
        schedule(k, COOP_EVENT_LIMITED, 2 + k, 2);
    }
    resize(1, 2, 2, 2);
    finish(1, 0, 2);
    do_task(4, 0);
    resize(0, 1, 2, 2);
    finish(0, 0, 2);
    begin(1, 1, 3, (uint32_t[]){4, 1, 3});
    finish(1, 1, 3);
}

/* --- Random kernels, woven into one trace ----------------------------------------------------- */

static coop_trace_event strands[8 * MAX_EVENTS];
static size_t n_strands;

/* Tasks are drawn while the kernels are woven together, and there are no children. */
static bool is_of_kernel(uint32_t kind)
{
    return kind < COOP_EVENT_TASK_BEGIN || kind == COOP_EVENT_START || kind == COOP_EVENT_WISH ||
           kind == COOP_EVENT_ENDED;
}

/* Returns how many ids it has. */
static uint32_t run_alone(uint32_t kernel)
{
    reset(1 + cb_random_below(&dice, 10));
    m.now += cb_random_below(&dice, 100 * STEP);
    m.version = cb_random_below(&dice, 0x10000);
    m.shrinking_versions = cb_random_below(&dice, FOR_EACH + 1);
    for (uint32_t runs = 1 + cb_random_below(&dice, 3); runs > 0; runs--)
        random_run(cb_random_below(&dice, 2));
    for (uint32_t id = 0; id <= m.workers; id++)
        for (uint32_t i = 0; i < m.counts[id]; i++) {
            coop_trace_event *e = &strands[n_strands];
            *e = m.rings[id][i];
            e->who = COOP_WHO(kernel, id < m.workers ? id : MAX_WORKERS);
            n_strands += is_of_kernel(e->kind);
        }
    return m.workers;
}

static int compare_times(const void *a, const void *b)
{
    const coop_trace_event *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

/* There is a free one. */
static uint32_t take_slot(void)
{
    uint32_t slot = cb_random_below(&dice, m.workers);
    while (taken[slot])
        slot = (slot + 1) % m.workers;
    taken[slot] = true;
    return slot;
}

/* Into the slots as they are free. */
static void weave(const coop_trace_event *e)
{
    uint32_t kernel = COOP_WHO_KERNEL(e->who), id = COOP_WHO_ID(e->who);
    if (e->kind == COOP_EVENT_JOIN)
        slot_of[kernel][id] = take_slot();
    if (id == MAX_WORKERS)
        schedule(kernel, e->kind, e->a, e->b);
    else
        act(kernel, id, e->kind, e->a, e->b);
    if (e->kind == COOP_EVENT_KILL || e->kind == COOP_EVENT_RETIRE || e->kind == COOP_EVENT_FINISH)
        taken[slot_of[kernel][id]] = false;
}

/* Tasks have slots that the kernels never need all. */
static void random_together(void)
{
    n_strands = 0;
    uint32_t ids = run_alone(0) + run_alone(1), spare = 1 + cb_random_below(&dice, 4);
    qsort(strands, n_strands, sizeof *strands, compare_times);
    reset(ids + spare);
    m.task = cb_random_below(&dice, 2) ? 0xfffc : 0;
    for (size_t i = 0; i < n_strands; i++) {
        weave(&strands[i]);
        bool changes = cb_random_below(&dice, 10) == 0;
        if (changes && n_task_slots > 0) {
            end_task();
        } else if (changes) {
            for (uint32_t k = 1 + cb_random_below(&dice, spare); k > 0; k--)
                task_slots[n_task_slots++] = take_slot();
            begin_task();
        }
    }
    if (n_task_slots > 0)
        end_task();
}

/* --- Asking the check ------------------------------------------------------------------------- */

static char text[512], same[512]; /* what the check said last */

static bool check_kernels(uint32_t kernels, uint32_t capacity)
{
    struct cb_trace trace = make_trace(capacity);
    text[0] = '\0';
    bool ok = cb_trace_check_together(&trace, kernels, text, sizeof text);
    free_trace(&trace);
    return ok;
}

static void accepts_together(uint32_t capacity)
{
    if (!check_kernels(KERNELS, capacity))
        fail_msg("a valid trace, cut off after %u events, was refused: %s", capacity, text);
}

static void refuses_together(const char *rule, const char *says, const char *ends)
{
    bool ok = check_kernels(KERNELS, MAX_EVENTS);
    const char *end = text + strlen(text) - (strlen(text) < strlen(ends) ? 0 : strlen(ends));
    if (ok || strncmp(text, rule, strlen(rule)) != 0 || !strstr(text, says) || strcmp(end, ends))
        fail_msg("got \"%s\", expected %s: \"%s\" ... \"%s\"", text, rule, says, ends);
}

/* --- Valid traces ----------------------------------------------------------------------------- */

TEST(valid)
{
    reset(3); /* nothing has happened */
    accepts_together(MAX_EVENTS);
    build_together();
    for (uint32_t capacity = 0; capacity < 40; capacity++)
        accepts_together(capacity);
}

TEST(random)
{
    for (int i = 0; i < 500; i++) {
        random_together();
        accepts_together(MAX_EVENTS);
        accepts_together(cb_random_below(&dice, 100));
    }
}

/* A megakernel of one kernel: its ids are its slots, and the answer is that of the other check; but
 * for the rule of slots, since random traces give tasks any. */
TEST(one_kernel)
{
    int judged = 0;
    for (int i = 0; i < 300; i++) {
        uint32_t capacity = i % 3 ? MAX_EVENTS : 20;
        random_trace();
        if (i % 2) /* breaks it */
            m.rings[0][cb_random_below(&dice, m.counts[0])].kind = COOP_EVENT_FINISH;
        const bool ok = check_kernels(1, capacity);
        if (strncmp(text, "SLOTS", 5) == 0)
            continue;
        judged++;
        assert_int_equal(check(capacity, same, sizeof same), ok);
        assert_string_equal(text, same);
    }
    assert_in_range(judged, 1, 300);
}

/* --- What parts find: each breaks a valid trace, and says when -------------------------------- */

static uint64_t leave_too_soon(void)
{
    return event(0, COOP_EVENT_LEAVE, 0)->time = event(0, COOP_EVENT_ARRIVE, 0)->time + 1;
}

static uint64_t leave_too_soon_in_other(void)
{
    return event(3, COOP_EVENT_LEAVE, 1)->time = event(3, COOP_EVENT_ARRIVE, 1)->time + 1;
}

/* All that slot 4 does in kernel 1 before the first task. */
static uint64_t have_id_twice(void)
{
    for (uint32_t i = 0; m.rings[4][i].kind != COOP_EVENT_TASK_BEGIN; i++)
        m.rings[4][i].who = COOP_WHO(1, 0);
    return event(4, COOP_EVENT_JOIN, 0)->time;
}

static uint64_t come_back_before_leaving(void)
{
    const uint64_t joined = event(2, COOP_EVENT_JOIN, 0)->time;
    event(4, COOP_EVENT_RETIRE, 0)->time = joined + SLACK + 1;
    return joined;
}

/* The limits of the kernels change places. */
static uint64_t begin_beyond_limit(void)
{
    for (uint32_t i = 0; i < m.counts[5]; i++)
        if (m.rings[5][i].kind == COOP_EVENT_LIMIT || m.rings[5][i].kind == COOP_EVENT_LIMITED)
            m.rings[5][i].who ^= COOP_WHO(1, 0);
    return event(5, COOP_EVENT_START, 2)->time;
}

static uint64_t do_share_twice(void)
{
    event(0, COOP_EVENT_TASK_BEGIN, 0)->b = event(0, COOP_EVENT_TASK_END, 0)->b = 0;
    return event(0, COOP_EVENT_TASK_BEGIN, 0)->time;
}

static uint64_t never_do_share(void)
{
    delete_event(0, COOP_EVENT_TASK_BEGIN, 0);
    delete_event(0, COOP_EVENT_TASK_END, 0);
    return event(5, COOP_EVENT_DONE, 1)->time;
}

static const struct {
    uint64_t (*breaks)(void);
    const char *rule, *says, *ends;
} broken[] = {
    {leave_too_soon, "BARRIER", "0 left barrier 0 before workgroup 1 had", " us (kernel 1)"},
    {leave_too_soon_in_other, "BARRIER", "0 left barrier 1 before workgroup 1", " us (kernel 0)"},
    {have_id_twice, "JOIN", "workgroup 0 joined in slot 4 while", "active in slot 0 (kernel 1)"},
    {come_back_before_leaving, "JOIN", "workgroup 1 joined in slot 2 while", "slot 4 (kernel 1)"},
    {begin_beyond_limit, "LIMIT", "run 1 began with 3 workgroups instead of 2", "most (kernel 1)"},
    {do_share_twice, "TASK", "0 began share 0 of task 2, as workgroup 4 had done", "done"},
    {never_do_share, "TASK", "task 2 was done when 1 of its 2 shares had ended", "ended"},
};

/* Whichever ring is full: up to its last event all parts are judged, and none beyond it. */
static void truncate_broken(uint64_t when)
{
    uint32_t found = 0;
    for (uint32_t capacity = 1; capacity < 30; capacity++) {
        struct cb_trace trace = make_trace(capacity);
        bool is_judged = when + SLACK < cb_trace_seen_until(&trace);
        free_trace(&trace);
        if (check_kernels(KERNELS, capacity) == is_judged)
            fail_msg("cut off after %u events: %s", capacity, is_judged ? "not found" : text);
        found += is_judged;
    }
    assert_in_range(found, 1, 28);
}

TEST(broken)
{
    for (size_t i = 0; i < CB_COUNTOF(broken); i++) {
        build_together();
        uint64_t when = broken[i].breaks();
        refuses_together(broken[i].rule, broken[i].says, broken[i].ends);
        truncate_broken(when);
    }
}

/* --- What slots and ids tell ------------------------------------------------------------------ */

TEST(slots_and_ids)
{
    build_together();
    insert_after(0, event(0, COOP_EVENT_JOIN, 0), COOP_EVENT_TASK_BEGIN, 1, 0);
    refuses_together("TASK", "slot 0 began a share of task 1 while it was in kernel 1", "1");

    build_together();
    insert_after(3, event(3, COOP_EVENT_JOIN, 0), COOP_EVENT_JOIN, 0, COOP_FROM_START);
    (event(3, COOP_EVENT_JOIN, 0) + 1)->who = COOP_WHO(1, 2);
    refuses_together("TASK", "slot 3 joined kernel 1 while it was in kernel 0", "0");

    build_together();
    event(0, COOP_EVENT_ARRIVE, 1)->who = COOP_WHO(1, 5); /* would be the scheduler's ring */
    refuses_together("TRACE", "slot 0 is workgroup 5 of kernel 1, which", "there is not");
    event(0, COOP_EVENT_ARRIVE, 1)->who = COOP_WHO(KERNELS, 0);
    refuses_together("TRACE", "workgroup 0 of kernel 2, which", "there is not");
    event(0, COOP_EVENT_ARRIVE, 1)->who = COOP_WHO(0, 0);
    refuses_together("JOIN", "slot 0 acted as workgroup 0 of kernel 0", "without having joined");

    build_together();
    delete_event(4, COOP_EVENT_TASK_END, 1);
    refuses_together("TASK", "slot 4 joined kernel 1 within a share of task 2", "");

    build_together(); /* times of two slots may differ a little */
    event(4, COOP_EVENT_RETIRE, 0)->time = event(0, COOP_EVENT_FORK, 0)->time + 2;
    accepts_together(MAX_EVENTS);
}

/* Some rule needs each event that workers note but these, whatever slots the ids are in. */
TEST(each_event_is_missed)
{
    for (int i = 0; i < 1000; i++) {
        random_together();
        uint32_t slot = cb_random_below(&dice, m.workers), n = m.counts[slot];
        uint32_t place = cb_random_below(&dice, n + 1);
        coop_trace_event *e = &m.rings[slot][place], gone = *e;
        if (place == n || gone.kind == COOP_EVENT_PHASE || gone.kind == COOP_EVENT_OFFER)
            continue;
        memmove(e, e + 1, (--m.counts[slot] - place) * sizeof *e);
        if (check_kernels(KERNELS, MAX_EVENTS))
            fail_msg("trace %d: no event %u of slot %u (kind %u)", i, place, slot, gone.kind);
    }
}

ALL_TESTS(seed_random, NULL)
