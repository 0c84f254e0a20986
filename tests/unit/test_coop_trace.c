/* SPDX-License-Identifier: Apache-2.0
 *
 * The check of cooperative traces, on made-up ones: a small model of the runtime writes valid
 * traces, and each rule has to find what a test then breaks in them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/coop_trace.h"
#include "runtime/error.h"

#define MAX_WORKERS 24
#define MAX_EVENTS  4000
#define SLACK       5
#define STEP        10 /* ticks between events of the model */

/* --- Random numbers: a failing test says the seed, and COOPBENCH_TEST_SEED repeats it --------- */

static uint64_t state;

static int seed_random(void **unused)
{
    (void)unused;
    const char *given = getenv("COOPBENCH_TEST_SEED");
    state = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    print_message("COOPBENCH_TEST_SEED=%" PRIu64 "\n", state);
    return 0;
}

static uint32_t random_below(uint32_t n) /* splitmix64 */
{
    uint64_t z = (state += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return (uint32_t)((z ^ (z >> 31)) % n);
}

/* --- The model -------------------------------------------------------------------------------- */

struct model {
    uint32_t workers, groups, version, round, run, task;
    uint32_t counts[MAX_WORKERS + 1];
    coop_trace_event rings[MAX_WORKERS + 1][MAX_EVENTS];
    uint64_t now;
    uint64_t jitter;         /* times are late by up to this */
    bool shrinking_versions; /* a barrier that shrinks counts as a change of M */
};

static struct model m; /* of the test that runs */

static void reset(uint32_t workers)
{
    memset(&m, 0, sizeof m);
    m.workers = workers;
    m.now = 1000;
}

static void record(uint32_t ring, uint32_t kind, uint32_t a, uint32_t b)
{
    uint32_t n = m.counts[ring]++;
    uint64_t now = m.now + (m.jitter ? random_below((uint32_t)m.jitter + 1) : 0);
    assert_in_range(n, 0, MAX_EVENTS - 1);
    if (n > 0 && m.rings[ring][n - 1].time > now)
        now = m.rings[ring][n - 1].time;
    m.rings[ring][n] = (coop_trace_event){.time = now, .kind = kind, .a = a, .b = b};
    m.now += STEP;
}

static void change_version(void)
{
    m.version = (m.version + 1) & 0xffffu;
}

static void begin_run(uint32_t groups)
{
    record(m.workers, COOP_EVENT_START, m.run, groups);
    m.groups = groups;
    m.round = 0;
    for (uint32_t i = 0; i < groups; i++)
        record(i, COOP_EVENT_JOIN, m.version, COOP_FROM_START);
}

static void end_run(void)
{
    for (uint32_t i = 0; i < m.groups; i++)
        record(i, COOP_EVENT_FINISH, m.run, 0);
    record(m.workers, COOP_EVENT_ENDED, m.run++, m.groups);
}

static void phase(uint32_t point)
{
    for (uint32_t i = 0; i < m.groups; i++)
        record(i, COOP_EVENT_PHASE, point, 0);
}

static void kill_highest(void)
{
    change_version();
    record(m.groups - 1, COOP_EVENT_OFFER, m.groups, 1);
    record(m.groups - 1, COOP_EVENT_KILL, m.version, m.groups);
    m.groups--;
}

static void fork_from(uint32_t slot, uint32_t k)
{
    change_version();
    record(slot, COOP_EVENT_FORK, m.version, m.groups << 16 | k);
    for (uint32_t i = 0; i < k; i++)
        record(m.groups + i, COOP_EVENT_JOIN, m.version, slot);
    m.groups += k;
}

static void leave(uint32_t slot, uint32_t after)
{
    if (slot < after)
        record(slot, COOP_EVENT_LEAVE, m.round, m.groups << 16 | after);
    else
        record(slot, COOP_EVENT_RETIRE, m.round, after);
}

/* What has to come after all have arrived. */
static void pass(uint32_t after)
{
    uint32_t before = m.groups;
    for (uint32_t i = before; i-- > 0;)
        leave(i, after);
    m.round++;
    if (after < before && m.shrinking_versions)
        change_version();
    if (after > before)
        fork_from(0, after - before);
    else
        m.groups = after;
}

static void barrier(uint32_t resizing, uint32_t after)
{
    for (uint32_t i = 0; i < m.groups; i++)
        record(i, COOP_EVENT_ARRIVE, m.round, resizing);
    pass(after);
}

static void run_task(uint32_t first, uint32_t groups)
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

/* Four workgroups; two are given up at barrier 1 for a task, and come back at barrier 2. */
static void build_barriers(void)
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
static void build_offers(void)
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

static void build_runs(void)
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

/* Four workgroups; the host allows two, then three. */
static void build_limits(void)
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
static struct cb_trace make_trace(uint32_t capacity)
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
                             .slack_ticks = SLACK};
}

static void free_trace(struct cb_trace *trace)
{
    free((void *)trace->events);
}

static bool check(uint32_t capacity, char *text, size_t size)
{
    struct cb_trace trace = make_trace(capacity);
    bool ok = cb_trace_check(&trace, text, size);
    free_trace(&trace);
    return ok;
}

static void accepts(void)
{
    char text[512];
    if (!check(MAX_EVENTS, text, sizeof text))
        fail_msg("a valid trace was refused: %s", text);
}

/* The violation is one of that rule, and says so. */
static void refuses(const char *rule, const char *says)
{
    char text[512] = "";
    if (check(MAX_EVENTS, text, sizeof text))
        fail_msg("not found: %s %s", rule, says);
    if (strncmp(text, rule, strlen(rule)) != 0 || !strstr(text, says))
        fail_msg("got \"%s\", expected %s: \"%s\"", text, rule, says);
}

/* The event of that kind in a ring, counted from 0. */
static coop_trace_event *event(uint32_t ring, uint32_t kind, uint32_t nth)
{
    for (uint32_t i = 0; i < m.counts[ring]; i++)
        if (m.rings[ring][i].kind == kind && nth-- == 0)
            return &m.rings[ring][i];
    fail_msg("ring %u has no such event of kind %u", ring, kind);
    return NULL;
}

static void delete_event(uint32_t ring, uint32_t kind, uint32_t nth)
{
    coop_trace_event *e = event(ring, kind, nth);
    size_t after = m.counts[ring]-- - (size_t)(e - m.rings[ring]) - 1;
    memmove(e, e + 1, after * sizeof *e);
}

/* Behind another event, with its time. */
static void insert_after(uint32_t ring, const coop_trace_event *place, uint32_t kind, uint32_t a,
                         uint32_t b)
{
    coop_trace_event *e = &m.rings[ring][place - m.rings[ring] + 1];
    size_t after = m.counts[ring]++ - (size_t)(e - m.rings[ring]);
    memmove(e + 1, e, after * sizeof *e);
    *e = (coop_trace_event){.time = place->time, .kind = kind, .a = a, .b = b};
}

/* --- Valid traces ----------------------------------------------------------------------------- */

static void test_valid(void **unused)
{
    (void)unused;
    build_barriers();
    accepts();
    build_offers();
    accepts();
    build_runs();
    accepts();
    build_limits();
    accepts();
    reset(3); /* nothing has happened */
    accepts();
}

/* `regular`: workgroup 3 is killed where the others arrive, the last after all of them. */
static void test_valid_kill_at_barrier(void **unused)
{
    (void)unused;
    reset(4);
    begin_run(4);
    for (uint32_t i = 0; i < 3; i++)
        record(i, COOP_EVENT_ARRIVE, 0, 1);
    kill_highest();
    pass(3);
    barrier(1, 4);
    end_run();
    accepts();
}

/* All surplus workgroups leave at once: each notes it when it comes to know, whichever was first.
 */
static void test_valid_kills_at_once(void **unused)
{
    (void)unused;
    reset(5);
    begin_run(5);
    for (uint32_t i = 2; i < 5; i++)
        record(i, COOP_EVENT_OFFER, 5, 2);
    for (uint32_t i = 2; i < 5; i++)
        record(i, COOP_EVENT_KILL, m.version + 5 - i, i + 1);
    m.version += 3;
    m.groups = 2;
    run_task(2, 3);
    fork_from(1, 3);
    end_run();
    accepts();
}

/* An aborted kernel: nothing is wrong with what has happened. */
static void test_valid_without_end(void **unused)
{
    (void)unused;
    reset(3);
    begin_run(3);
    record(0, COOP_EVENT_ARRIVE, 0, 1);
    record(2, COOP_EVENT_ARRIVE, 0, 1);
    accepts();
}

/* Versions and barrier numbers wrap; workgroups note what they did in another order. */
static void test_valid_wraps(void **unused)
{
    (void)unused;
    reset(3);
    m.version = 0xfffd;
    begin_run(3);
    m.round = 4095;
    barrier(0, 3);
    m.round &= COOP_ROUND_MASK;
    kill_highest();
    kill_highest();
    fork_from(0, 2);
    kill_highest();
    barrier(0, 2);
    end_run();
    accepts();
    event(2, COOP_EVENT_KILL, 0)->time += 7 * STEP; /* suspended between the two */
    accepts();
}

static void test_valid_versions_of_shrinking(void **unused)
{
    (void)unused;
    for (int counts = 0; counts < 2; counts++) {
        reset(4);
        m.shrinking_versions = counts;
        begin_run(4);
        barrier(1, 2);
        barrier(1, 1);
        barrier(1, 4);
        barrier(1, 3);
        barrier(1, 4);
        end_run();
        accepts();
    }
}

static void test_valid_within_slack(void **unused)
{
    (void)unused;
    build_barriers();
    event(3, COOP_EVENT_LEAVE, 0)->time = event(3, COOP_EVENT_ARRIVE, 0)->time - SLACK;
    accepts();
    event(3, COOP_EVENT_LEAVE, 0)->time--;
    refuses("BARRIER", "workgroup 3 left barrier 0 before workgroup 3 had arrived");
}

static void test_valid_tasks_wrap(void **unused)
{
    (void)unused;
    reset(2);
    m.task = 0xfffe;
    for (int i = 0; i < 4; i++)
        run_task(0, 2);
    accepts();
    event(1, COOP_EVENT_TASK_BEGIN, 2)->b = event(1, COOP_EVENT_TASK_END, 2)->b = 0;
    refuses("TASK", "workgroup 1 began share 0 of task 1, as workgroup 0 had done");
}

/* A task that could not be gathered is done without having run. */
static void test_valid_task_given_up(void **unused)
{
    (void)unused;
    build_barriers();
    record(m.workers, COOP_EVENT_SEEN, 7, 3);
    record(m.workers, COOP_EVENT_DONE, 7, 0);
    accepts();
}

/* --- Random valid traces ---------------------------------------------------------------------- */

/* Workgroups arrive in any order; those that have not may fork, and the highest be killed. */
static void random_barrier(bool offers, uint32_t resizing)
{
    bool there[MAX_WORKERS] = {false};
    for (uint32_t arrived = 0; arrived < m.groups;) {
        uint32_t slot = random_below(m.groups);
        if (there[slot])
            continue;
        if (offers && slot > 0 && slot == m.groups - 1 && random_below(3) == 0) {
            kill_highest();
        } else if (offers && m.groups < m.workers && random_below(4) == 0) {
            fork_from(slot, 1 + random_below(m.workers - m.groups));
        } else {
            record(slot, COOP_EVENT_ARRIVE, m.round, resizing);
            there[slot] = true;
            arrived++;
        }
    }
    pass(resizing ? 1 + random_below(m.workers) : m.groups);
}

static void random_run(bool offers)
{
    uint32_t steps = random_below(20);
    begin_run(1 + random_below(m.workers));
    while (steps-- > 0) {
        uint32_t pool = m.workers - m.groups;
        phase(steps);
        if (offers && pool > 0 && random_below(2))
            fork_from(random_below(m.groups), 1 + random_below(pool));
        else if (offers && m.groups > 1 && random_below(2))
            kill_highest();
        else if (pool > 0 && random_below(2))
            run_task(m.groups, 1 + random_below(pool));
        else
            random_barrier(offers, offers ? 0 : random_below(2));
    }
    end_run();
}

static void random_trace(void)
{
    reset(1 + random_below(MAX_WORKERS));
    m.jitter = random_below(2) ? 3 * STEP : 0;
    m.version = random_below(0x10000);
    m.task = random_below(2) ? 0xfff0 : 0;
    bool offers = random_below(2);
    for (uint32_t runs = 1 + random_below(4); runs > 0; runs--)
        random_run(offers);
}

static void test_random(void **unused)
{
    (void)unused;
    for (int i = 0; i < 500; i++) {
        char text[512];
        random_trace();
        struct cb_trace trace = make_trace(MAX_EVENTS);
        trace.slack_ticks = m.jitter;
        bool ok = cb_trace_check(&trace, text, sizeof text);
        free_trace(&trace);
        if (!ok)
            fail_msg("random trace %d was refused: %s", i, text);
    }
}

/* --- Truncated traces ------------------------------------------------------------------------- */

static void test_truncated(void **unused)
{
    (void)unused;
    static void (*const builders[])(void) = {build_barriers, build_offers, build_runs,
                                             random_trace,   random_trace, random_trace};
    for (size_t b = 0; b < CB_COUNTOF(builders); b++) {
        builders[b]();
        for (uint32_t capacity = 0; capacity < 80; capacity++) {
            struct cb_trace trace = make_trace(capacity);
            char text[512];
            trace.slack_ticks = m.jitter > SLACK ? m.jitter : SLACK;
            if (!cb_trace_check(&trace, text, sizeof text))
                fail_msg("trace %zu, cut off after %u events, was refused: %s", b, capacity, text);
            free_trace(&trace);
        }
    }
}

/* What all rings saw is judged nevertheless. */
static void test_truncated_violation(void **unused)
{
    (void)unused;
    char text[512];
    build_barriers();
    event(2, COOP_EVENT_LEAVE, 0)->time = event(0, COOP_EVENT_ARRIVE, 0)->time - 2 * SLACK;
    assert_false(check(10, text, sizeof text));
    assert_non_null(strstr(text, "workgroup 2 left barrier 0"));
    assert_true(check(3, text, sizeof text));
}

/* --- Violations ------------------------------------------------------------------------------- */

static void test_sentence(void **unused)
{
    (void)unused;
    reset(4);
    begin_run(4); /* takes the events before that from 0 to 0.4 us */
    record(1, COOP_EVENT_KILL, 1, 4);
    char text[512];
    assert_false(check(MAX_EVENTS, text, sizeof text));
    assert_string_equal(text, "KILL at 0.500 us: workgroup 1 was killed while M was 4: only the "
                              "highest, 3, may be");
    assert_false(check(MAX_EVENTS, text, 20)); /* cut off, but not beyond */
    assert_string_equal(text, "KILL at 0.500 us: w");
}

static void test_kill(void **unused)
{
    (void)unused;
    reset(3);
    begin_run(1);
    record(0, COOP_EVENT_KILL, 1, 1);
    refuses("KILL", "workgroup 0 was killed");

    build_offers();
    event(4, COOP_EVENT_KILL, 0)->b = 4;
    refuses("KILL", "workgroup 4 was killed when it saw an M of 4, which was 5");

    build_offers();
    event(3, COOP_EVENT_KILL, 0)->a += 10;
    refuses("KILL", "no change led from 2 there");

    build_offers();
    delete_event(4, COOP_EVENT_KILL, 0);
    refuses("KILL", "workgroup 3 was killed by change 3 of M");

    build_barriers(); /* while it waits at a barrier */
    insert_after(3, event(3, COOP_EVENT_ARRIVE, 0), COOP_EVENT_KILL, 1, 4);
    refuses("BARRIER", "workgroup 3 went on");
}

static void test_fork(void **unused)
{
    (void)unused;
    reset(6);
    begin_run(5);
    record(2, COOP_EVENT_FORK, 1, 4u << 16 | 2);
    refuses("FORK", "workgroup 2 forked ids 4 to 5 while id 4 was active");

    build_offers();
    event(1, COOP_EVENT_FORK, 0)->b = 4u << 16 | 1;
    refuses("FORK", "workgroup 1 forked ids 4 to 4 while M was 3");

    build_offers();
    event(1, COOP_EVENT_FORK, 0)->b = 3u << 16 | 3;
    refuses("FORK", "there are 5 workers");

    build_offers();
    event(1, COOP_EVENT_FORK, 0)->b = 3u << 16;
    refuses("FORK", "forked nobody");

    build_barriers();
    delete_event(0, COOP_EVENT_FORK, 0);
    refuses("JOIN", "workgroup 2 joined without a fork");

    build_barriers();
    insert_after(0, event(0, COOP_EVENT_LEAVE, 2), COOP_EVENT_PHASE, 1, 0);
    refuses("FORK", "went on without forking the 2 that barrier 2 added");

    build_barriers();
    event(0, COOP_EVENT_FORK, 0)->b = 2u << 16 | 1;
    refuses("FORK", "forked 1 after a barrier that adds 2");
}

static void test_join(void **unused)
{
    (void)unused;
    build_offers();
    delete_event(1, COOP_EVENT_FORK, 0);
    refuses("JOIN", "without a fork");

    build_offers();
    event(3, COOP_EVENT_JOIN, 0)->b = 2;
    refuses("JOIN", "workgroup 3 joined from workgroup 2");

    build_offers();
    event(3, COOP_EVENT_JOIN, 0)->a = 2;
    refuses("JOIN", "workgroup 3 joined with version 2 of M instead of 1");

    build_offers();
    event(2, COOP_EVENT_JOIN, 0)->a = 7;
    refuses("JOIN", "workgroup 2 joined with version 7 of M instead of 0");

    build_offers();
    event(3, COOP_EVENT_JOIN, 0)->time = event(1, COOP_EVENT_FORK, 0)->time - SLACK - 1;
    refuses("JOIN", "workgroup 3 joined before the fork");

    build_offers();
    insert_after(2, event(2, COOP_EVENT_PHASE, 0), COOP_EVENT_JOIN, 0, COOP_FROM_START);
    refuses("JOIN", "workgroup 2 joined while it was active");

    build_barriers();
    insert_after(3, event(3, COOP_EVENT_TASK_END, 0), COOP_EVENT_PHASE, 1, 0);
    refuses("JOIN", "workgroup 3 acted in the cooperative kernel");

    reset(3);
    begin_run(1);
    record(0, COOP_EVENT_FORK, 1, 1u << 16 | 1);
    refuses("JOIN", "workgroup 0 forked workgroup 1, which never joined");

    reset(3);
    record(3, COOP_EVENT_START, 0, 1);
    refuses("JOIN", "run 0 began with workgroup 0, which never joined");
}

static void test_barrier(void **unused)
{
    (void)unused;
    build_barriers();
    event(1, COOP_EVENT_LEAVE, 0)->time = event(1, COOP_EVENT_ARRIVE, 0)->time + 1;
    refuses("BARRIER", "workgroup 1 left barrier 0 before workgroup 3 had arrived");

    build_barriers();
    delete_event(2, COOP_EVENT_ARRIVE, 0);
    refuses("BARRIER", "left barrier 0 before workgroup 2 had arrived");

    build_barriers();
    insert_after(2, event(2, COOP_EVENT_PHASE, 0), COOP_EVENT_LEAVE, 0, 4u << 16 | 4);
    refuses("BARRIER", "workgroup 2 left barrier 0 without having arrived");

    reset(3); /* workgroup 1 never does */
    begin_run(3);
    record(0, COOP_EVENT_ARRIVE, 0, 0);
    record(2, COOP_EVENT_ARRIVE, 0, 0);
    record(2, COOP_EVENT_LEAVE, 0, 3u << 16 | 3);
    refuses("BARRIER", "workgroup 2 left barrier 0 before workgroup 1 had arrived");

    build_barriers();
    insert_after(2, event(2, COOP_EVENT_ARRIVE, 0), COOP_EVENT_ARRIVE, 0, 1);
    refuses("BARRIER", "workgroup 2 arrived at barrier 0 twice");

    build_barriers();
    event(2, COOP_EVENT_ARRIVE, 1)->a = 2;
    refuses("BARRIER", "workgroup 2 arrived at barrier 2 instead of 1");

    build_barriers();
    event(2, COOP_EVENT_ARRIVE, 0)->b = 0;
    refuses("BARRIER", "workgroup 2 arrived at barrier 0 as a global one");

    build_barriers();
    insert_after(2, event(2, COOP_EVENT_ARRIVE, 0), COOP_EVENT_PHASE, 3, 0);
    refuses("BARRIER", "workgroup 2 went on");
}

static void test_resizing(void **unused)
{
    (void)unused;
    build_barriers();
    event(1, COOP_EVENT_LEAVE, 1)->b = 4u << 16 | 3;
    refuses("BARRIER", "workgroup 2 was killed by barrier 1, after which M is 3");

    build_barriers();
    event(1, COOP_EVENT_LEAVE, 0)->b = 4u << 16 | 5;
    refuses("BARRIER", "workgroup 1 left barrier 0 with an M' of 5, others with 4");

    build_barriers();
    event(0, COOP_EVENT_LEAVE, 1)->b = 3u << 16 | 2;
    refuses("BARRIER", "workgroup 0 saw an M of 3 at barrier 1, which was 4");

    build_barriers();
    coop_trace_event *stays = event(2, COOP_EVENT_RETIRE, 0);
    stays->kind = COOP_EVENT_LEAVE;
    stays->b = 4u << 16 | 2;
    refuses("BARRIER", "workgroup 2 went on after barrier 1, after which M is 2");

    build_barriers(); /* killed, but so late that M was smaller when it looked */
    event(3, COOP_EVENT_RETIRE, 0)->b = 1;
    accepts();
    event(3, COOP_EVENT_RETIRE, 0)->b = 3;
    refuses("BARRIER", "workgroup 3 left barrier 1 with an M' of 3, others with 2");

    build_barriers();
    delete_event(3, COOP_EVENT_RETIRE, 0);
    refuses("TASK", "slot 3 ran a share of task 1 while it was active");

    reset(2);
    begin_run(2);
    barrier(1, 0);
    refuses("BARRIER", "M is 0 after barrier 0");

    reset(2);
    begin_run(2);
    barrier(0, 1);
    refuses("BARRIER", "global barrier 0 changed M from 2 to 1");

    reset(2);
    begin_run(2);
    barrier(1, 1);
    end_run();
    delete_event(1, COOP_EVENT_RETIRE, 0);
    refuses("BARRIER", "workgroup 1 never left barrier 0");
}

static void test_task(void **unused)
{
    (void)unused;
    build_barriers();
    insert_after(1, event(1, COOP_EVENT_PHASE, 2), COOP_EVENT_TASK_BEGIN, 1, 2);
    refuses("TASK", "slot 1 ran a share of task 1 while it was active in the cooperative kernel");

    build_barriers();
    delete_event(3, COOP_EVENT_TASK_END, 0);
    refuses("TASK", "task 1 was done when 1 of its 2 shares had ended");
    delete_event(4, COOP_EVENT_DONE, 0);
    refuses("TASK", "workgroup 3 joined while it ran share 1 of task 1");

    build_barriers();
    event(3, COOP_EVENT_TASK_END, 0)->b = 0;
    refuses("TASK", "slot 3 ended share 0 of task 1, which it had not begun");

    build_barriers();
    event(3, COOP_EVENT_TASK_BEGIN, 0)->b = event(3, COOP_EVENT_TASK_END, 0)->b = 0;
    refuses("TASK", "workgroup 3 began share 0 of task 1, as workgroup 2 had done");

    build_barriers();
    event(3, COOP_EVENT_TASK_BEGIN, 0)->b = event(3, COOP_EVENT_TASK_END, 0)->b = 2;
    refuses("TASK", "began share 2 of task 1, which has only 2");

    build_barriers();
    event(4, COOP_EVENT_GATHERED, 0)->time += 2 * STEP;
    refuses("TASK", "workgroup 2 began share 0 of task 1, which was gathered at");

    build_barriers();
    event(4, COOP_EVENT_DONE, 0)->time -= 2 * STEP;
    refuses("TASK", "task 1 was done before workgroup 3 ended its share 1");

    build_barriers();
    event(4, COOP_EVENT_SEEN, 0)->b = 3;
    refuses("TASK", "task 1 was done when 2 of its 3 shares had ended");

    build_barriers();
    delete_event(4, COOP_EVENT_GATHERED, 0);
    refuses("TASK", "which was never gathered");

    build_barriers();
    delete_event(4, COOP_EVENT_SEEN, 0);
    refuses("TASK", "without having been seen");

    reset(2);
    record(2, COOP_EVENT_SEEN, 1, 1);
    record(2, COOP_EVENT_GATHERED, 1, 0);
    record(0, COOP_EVENT_TASK_BEGIN, 1, 0);
    refuses("TASK", "slot 0 began share 0 of task 1 and never ended it");
}

static void test_run(void **unused)
{
    (void)unused;
    build_barriers();
    event(4, COOP_EVENT_ENDED, 0)->time = event(2, COOP_EVENT_FINISH, 0)->time;
    refuses("RUN", "run 0 ended before workgroup 3 had finished");

    build_barriers();
    delete_event(3, COOP_EVENT_FINISH, 0);
    refuses("RUN", "run 0 ended before workgroup 3 had finished");

    build_barriers();
    event(4, COOP_EVENT_ENDED, 0)->b = 3;
    refuses("RUN", "run 0 ended with an M of 3 instead of 4");

    build_barriers();
    event(1, COOP_EVENT_FINISH, 0)->a = 1;
    refuses("RUN", "workgroup 1 finished run 1 during run 0");

    build_runs();
    delete_event(4, COOP_EVENT_ENDED, 0);
    refuses("RUN", "run 1 began before run 0 had ended");

    build_runs();
    event(4, COOP_EVENT_START, 1)->a = 2;
    refuses("RUN", "run 2 followed run 0");

    build_barriers();
    event(4, COOP_EVENT_START, 0)->b = 5;
    refuses("RUN", "run 0 began with 5 workgroups; there are 4 workers");
}

static void test_limit(void **unused)
{
    (void)unused;
    build_limits();
    event(4, COOP_EVENT_LIMITED, 0)->b = 3;
    refuses("LIMIT", "M was said to have come down to 2, and was 3");

    build_limits();
    event(4, COOP_EVENT_START, 1)->b = 4;
    refuses("LIMIT", "run 1 began with 4 workgroups instead of 3 at most");

    build_limits();
    event(4, COOP_EVENT_LIMIT, 1)->time = event(4, COOP_EVENT_LIMITED, 1)->time;
    refuses("LIMIT", "workgroup 0 forked: M became 3, and may be 2 at most");
    event(4, COOP_EVENT_LIMIT, 1)->time = event(0, COOP_EVENT_FORK, 0)->time + SLACK;
    accepts();

    reset(3); /* what was forked on the way down may have been */
    begin_run(1);
    record(3, COOP_EVENT_LIMIT, 2, 0);
    fork_from(0, 2);
    kill_highest();
    record(3, COOP_EVENT_LIMITED, 2, 2);
    end_run();
    accepts();
}

static void test_foreign(void **unused)
{
    (void)unused;
    build_barriers();
    event(1, COOP_EVENT_PHASE, 1)->kind = COOP_EVENT_START;
    refuses("TRACE", "workgroup 1 has an event of kind");
    build_barriers();
    event(1, COOP_EVENT_PHASE, 1)->kind = 0xdeadbeef;
    refuses("TRACE", "workgroup 1 has an event of kind");
    build_barriers();
    event(4, COOP_EVENT_WISH, 0)->kind = COOP_EVENT_NONE;
    refuses("TRACE", "the scheduler has an event of kind");
}

static bool can_be_missed(uint32_t kind)
{
    return kind == COOP_EVENT_PHASE || kind == COOP_EVENT_OFFER || kind == COOP_EVENT_WISH ||
           kind == COOP_EVENT_DONE;
}

/* Of the others, each is needed by a rule. */
static void test_each_event_is_missed(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2000; i++) {
        char text[512];
        random_trace();
        uint32_t ring = random_below(m.workers + 1), n = m.counts[ring];
        if (n == 0)
            continue;
        uint32_t k = random_below(n);
        coop_trace_event gone = m.rings[ring][k];
        if (can_be_missed(gone.kind) || (gone.kind == COOP_EVENT_ENDED && k + 1 == n))
            continue;
        memmove(&m.rings[ring][k], &m.rings[ring][k + 1], (n - k - 1) * sizeof gone);
        m.counts[ring]--;
        if (check(MAX_EVENTS, text, sizeof text))
            fail_msg("trace %d is valid without event %u of ring %u, of kind %u", i, k, ring,
                     gone.kind);
    }
}

/* Whatever a trace holds, the check comes to an end (and the sanitizers have nothing to say). */
static void test_noise(void **unused)
{
    (void)unused;
    for (int i = 0; i < 300; i++) {
        char text[64];
        random_trace();
        for (int k = 0; k < 5; k++) {
            uint32_t ring = random_below(m.workers + 1);
            if (m.counts[ring] == 0)
                continue;
            coop_trace_event *e = &m.rings[ring][random_below(m.counts[ring])];
            uint32_t *fields[] = {&e->kind, &e->a, &e->b};
            *fields[random_below(3)] = random_below(random_below(2) ? 20 : UINT32_MAX);
        }
        check(MAX_EVENTS, text, sizeof text);
        check(1 + random_below(50), text, sizeof text);
    }
}

/* --- Exports ---------------------------------------------------------------------------------- */

static char *exported(uint32_t capacity, bool perfetto)
{
    char *text = NULL;
    size_t size = 0;
    struct cb_trace trace = make_trace(capacity);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    if (perfetto)
        cb_trace_write_perfetto(out, &trace, "a \"quoted\\ title\n");
    else
        cb_trace_write_gantt(out, &trace);
    fclose(out);
    free_trace(&trace);
    return text;
}

static int count_items(const cJSON *events, const char *ph, const char *name)
{
    int n = 0;
    const cJSON *e;
    cJSON_ArrayForEach (e, events) {
        const char *is = cJSON_GetStringValue(cJSON_GetObjectItem(e, "ph"));
        const char *called = cJSON_GetStringValue(cJSON_GetObjectItem(e, "name"));
        assert_non_null(is);
        assert_non_null(called);
        n += strcmp(is, ph) == 0 && strncmp(called, name, strlen(name)) == 0;
    }
    return n;
}

static void test_perfetto(void **unused)
{
    (void)unused;
    build_barriers();
    char *text = exported(MAX_EVENTS, true);
    cJSON *document = cJSON_Parse(text);
    assert_non_null(document);
    const cJSON *events = cJSON_GetObjectItem(document, "traceEvents");
    assert_int_equal(count_items(events, "X", "phase "), 4 + 4 + 2 + 4);
    assert_int_equal(count_items(events, "X", "resizing barrier "), 4 + 4 + 2);
    assert_int_equal(count_items(events, "X", "barrier 3"), 4);
    assert_int_equal(count_items(events, "X", "task 1 share "), 2);
    assert_int_equal(count_items(events, "X", "pool"), 4);
    assert_int_equal(count_items(events, "X", "gather for task 1"), 1);
    assert_int_equal(count_items(events, "X", ""), 14 + 10 + 4 + 2 + 4 + 2);
    assert_int_equal(count_items(events, "i", "kill"), 2);
    assert_int_equal(count_items(events, "i", "fork 2"), 1);
    assert_int_equal(count_items(events, "i", "join from 0"), 2);
    assert_int_equal(count_items(events, "C", "active workgroups"), 4);
    assert_int_equal(count_items(events, "M", "thread_name"), 5);
    const cJSON *last = cJSON_GetArrayItem(events, cJSON_GetArraySize(events) - 1);
    assert_string_equal(
        cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(last, "args"), "name")),
        "a \"quoted\\ title\n");
    cJSON_Delete(document);
    free(text);
}

static void test_perfetto_of_any(void **unused)
{
    (void)unused;
    for (int i = 0; i < 100; i++) {
        random_trace();
        char *text = exported(random_below(60), true);
        cJSON *document = cJSON_Parse(text);
        assert_non_null(document);
        cJSON_Delete(document);
        free(text);
    }
    reset(2);
    char *text = exported(0, true);
    cJSON *document = cJSON_Parse(text);
    assert_non_null(document);
    cJSON_Delete(document);
    free(text);
}

static void test_gantt(void **unused)
{
    (void)unused;
    reset(2); /* events are 0.1 us apart */
    begin_run(2);
    barrier(1, 1);
    run_task(1, 1);
    fork_from(0, 1);
    end_run();
    char *text = exported(MAX_EVENTS, false);
    assert_string_equal(text, "# slot\tstart_ms\tend_ms\tkind\n"
                              "0\t0.000300\t0.000600\t1\n"
                              "0\t0.000100\t0.001500\t0\n"
                              "1\t0.000200\t0.000500\t0\n"
                              "1\t0.000400\t0.000500\t1\n"
                              "1\t0.000500\t0.001000\t3\n"
                              "1\t0.001000\t0.001100\t2\n"
                              "1\t0.001400\t0.001600\t0\n"
                              "\n\n# time_ms\tactive_workgroups\n"
                              "0\t0\n"
                              "0.000000\t2\n"
                              "0.000600\t1\n"
                              "0.001300\t2\n"
                              "0.001700\t0\n"
                              "\n\n# time_ms\tslot\tkind\n"
                              "0.001300\t0\t1\n"
                              "0.000500\t1\t0\n"
                              "0.001400\t1\t1\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_valid_kill_at_barrier),
        cmocka_unit_test(test_valid_kills_at_once),
        cmocka_unit_test(test_valid_without_end),
        cmocka_unit_test(test_valid_wraps),
        cmocka_unit_test(test_valid_versions_of_shrinking),
        cmocka_unit_test(test_valid_within_slack),
        cmocka_unit_test(test_valid_tasks_wrap),
        cmocka_unit_test(test_valid_task_given_up),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_truncated_violation),
        cmocka_unit_test(test_sentence),
        cmocka_unit_test(test_kill),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_join),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_resizing),
        cmocka_unit_test(test_task),
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_foreign),
        cmocka_unit_test(test_each_event_is_missed),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_perfetto),
        cmocka_unit_test(test_perfetto_of_any),
        cmocka_unit_test(test_gantt),
    };
    return cmocka_run_group_tests(tests, seed_random, NULL);
}
