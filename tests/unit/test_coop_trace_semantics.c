/* SPDX-License-Identifier: Apache-2.0
 *
 * The check of traces by the rules of other semantics than the paper's.
 */
#include "coop_trace_model.h"
#include "tests/unit/unit.h"

/* ---- some: a fork brings back half of those that are missing --------------------------------- */

static void build_some(uint32_t second)
{
    reset(8);
    m.semantics = COOP_SOME;
    begin_run(3);
    fork_from(1, 3); /* of five */
    phase(1);
    kill_highest();
    barrier(1, 5);
    fork_from(0, second); /* of three */
    barrier(1, 4);
    end_run();
}

TEST(some)
{
    for (uint32_t second = 1; second <= 2; second++) {
        build_some(second);
        accepts();
    }
}

/* The last that is missing may come back alone. */
TEST(some_of_one)
{
    reset(2);
    m.semantics = COOP_SOME;
    begin_run(1);
    fork_from(0, 1);
    end_run();
    accepts();
}

TEST(some_forks_too_many)
{
    build_some(3);
    refuses("FORK", "workgroup 0 forked 3 of 3 that are missing: half of them at most");
    m.semantics = COOP_HIGHEST; /* where it may */
    accepts();
}

/* ---- any: each workgroup may be killed ------------------------------------------------------- */

static uint32_t active[MAX_WORKERS]; /* ids; as many as M */

static void begin_any(uint32_t workers, uint32_t groups)
{
    if (m.workers == 0)
        reset(workers);
    m.semantics = COOP_ANY;
    begin_run(groups);
    for (uint32_t i = 0; i < groups; i++)
        active[i] = i;
}

static void kill_any(uint32_t id)
{
    uint32_t i = 0;
    change_version();
    record(id, COOP_EVENT_OFFER, m.groups, 1);
    record(id, COOP_EVENT_KILL, m.version, m.groups);
    while (active[i] != id)
        i++;
    active[i] = active[--m.groups];
}

/* k of those that are free, from the highest. */
static void fork_any(uint32_t from, uint32_t k)
{
    bool taken[MAX_WORKERS] = {false};
    change_version();
    record(from, COOP_EVENT_FORK, m.version, m.groups << 16 | k);
    for (uint32_t i = 0; i < m.groups; i++)
        taken[active[i]] = true;
    for (uint32_t id = m.workers; id-- > 0 && k > 0;) {
        if (taken[id])
            continue;
        record(id, COOP_EVENT_JOIN, m.version, from);
        active[m.groups++] = id;
        k--;
    }
}

static void barrier_any(void)
{
    for (uint32_t i = 0; i < m.groups; i++)
        record(active[i], COOP_EVENT_ARRIVE, m.round, 0);
    for (uint32_t i = m.groups; i-- > 0;)
        record(active[i], COOP_EVENT_LEAVE, m.round, m.groups << 16 | m.groups);
    m.round++;
}

static void end_any(void)
{
    for (uint32_t i = 0; i < m.groups; i++)
        record(active[i], COOP_EVENT_FINISH, m.run, 0);
    record(m.workers, COOP_EVENT_ENDED, m.run++, m.groups);
}

/* Six workers; ids 0 and 2 leave, 5 and 4 come. */
static void build_any(void)
{
    m.workers = 0;
    begin_any(6, 4);
    barrier_any();
    kill_any(0);
    kill_any(2);
    fork_any(3, 2);
    barrier_any();
    kill_any(5);
    end_any();
    begin_any(6, 2);
    fork_any(1, 1);
    end_any();
}

TEST(any)
{
    build_any();
    accepts();
    m.semantics = COOP_HIGHEST;
    refuses("KILL", "workgroup 0 was killed: it never may be");
}

static void random_any(void)
{
    m.workers = 0;
    const uint32_t workers = 2 + cb_random_below(&dice, MAX_WORKERS - 2);
    for (uint32_t runs = 1 + cb_random_below(&dice, 3); runs > 0; runs--) {
        begin_any(workers, 1 + cb_random_below(&dice, workers));
        m.jitter = cb_random_below(&dice, 2) ? STEP : 0;
        for (uint32_t steps = cb_random_below(&dice, 40); steps > 0; steps--) {
            const uint32_t one = active[cb_random_below(&dice, m.groups)],
                           missing = workers - m.groups, what = cb_random_below(&dice, 5);
            if (what < 2 && m.groups > 1)
                kill_any(one);
            else if (what < 4 && missing > 0)
                fork_any(one, 1 + cb_random_below(&dice, missing));
            else
                barrier_any();
        }
        end_any();
    }
}

TEST(any_random)
{
    for (int i = 0; i < 500; i++) {
        random_any();
        accepts();
    }
}

/* All but these is needed by a rule. */
TEST(any_event_is_missed)
{
    for (int i = 0; i < 1000; i++) {
        char text[512];
        random_any();
        uint32_t ring = cb_random_below(&dice, m.workers), n = m.counts[ring];
        uint32_t place = cb_random_below(&dice, n + 1);
        coop_trace_event *e = &m.rings[ring][place], gone = *e;
        if (place == n || gone.kind == COOP_EVENT_OFFER)
            continue;
        memmove(e, e + 1, (--m.counts[ring] - place) * sizeof *e);
        if (check(MAX_EVENTS, text, sizeof text))
            fail_msg("trace %d: no event %u of id %u (kind %u)", i, place, ring, gone.kind);
    }
}

TEST(any_broken)
{
    build_any();
    event(2, COOP_EVENT_KILL, 0)->b = 2;
    refuses("KILL", "workgroup 2 was killed when it saw an M of 2, which was 3");

    build_any();
    event(3, COOP_EVENT_FORK, 0)->b = 2u << 16 | 5;
    refuses("FORK", "workgroup 3 forked 5 when it saw an M of 2, which was 2; there are 6 workers");

    build_any();
    event(3, COOP_EVENT_FORK, 0)->b = 2u << 16 | 1;
    refuses("JOIN", "joined from workgroup 3, which had not forked so many by change 3 of M");

    build_any();
    event(5, COOP_EVENT_JOIN, 0)->b = 1;
    refuses("JOIN", "workgroup 5 joined from workgroup 1, which had not forked so many");

    build_any();
    delete_event(5, COOP_EVENT_KILL, 0);
    refuses("RUN", "run 0 ended before workgroup 5 had finished");

    m.workers = 0;
    begin_any(3, 2);
    kill_any(0);
    kill_any(1);
    refuses("KILL", "workgroup 1 was killed: it was the last");

    m.workers = 0;
    begin_any(3, 2);
    fork_any(0, 1);
    record(1, COOP_EVENT_JOIN, m.version, 0);
    refuses("JOIN", "workgroup 1 joined while it was active");
}

ALL_TESTS(seed_random, NULL)
