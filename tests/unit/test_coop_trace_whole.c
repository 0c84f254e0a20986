/* SPDX-License-Identifier: Apache-2.0
 *
 * The check of traces of kernels that may leave as a whole, and come back (COOP_WHOLE).
 */
#include "coop_trace_model.h"
#include "runtime/trace/spans.h"
#include "tests/unit/unit.h"

/* All that there are. */
static void leave_whole(void)
{
    for (uint32_t i = 0; i < m.groups; i++)
        record(i, COOP_EVENT_ARRIVE, m.round, COOP_BARRIER_RESIZES);
    for (uint32_t i = 0; i < m.groups; i++)
        record(i, COOP_EVENT_RETIRE, m.round, i == 0 ? m.groups << 16 : 0);
    m.round++;
    change_version();
    m.groups = 0;
}

static void come_back(uint32_t groups)
{
    change_version();
    record(m.workers, COOP_EVENT_RETURN, m.version, groups);
    for (uint32_t i = 0; i < groups; i++)
        record(i, COOP_EVENT_JOIN, m.version, 0);
    m.groups = groups;
}

/* Four workgroups, of which one leaves before the others; a task has all slots; three come back. */
static void build_whole(void)
{
    m.semantics = COOP_WHOLE;
    m.shrinking_versions = ONCE;
    begin_run(4);
    phase(0);
    barrier(1, 3);
    phase(1);
    leave_whole();
    run_task(0, 4);
    come_back(3);
    phase(2);
    barrier(1, 4);
    phase(3);
    end_run();
}

static void reset_whole(void)
{
    reset(4);
    build_whole();
}

TEST(whole)
{
    reset_whole();
    begin_run(2);
    leave_whole();
    come_back(1);
    leave_whole();
    come_back(4);
    end_run();
    accepts();
}

/* Each barrier that kills changes M once, so that the change that brings a run back is known. */
TEST(whole_comes_back_by_a_change_of_before)
{
    reset_whole();
    event(4, COOP_EVENT_RETURN, 0)->a--;
    refuses("RUN", "the run came back by change 2 of M, which is not the next after 1 and 1 of "
                   "barriers");
}

/* A workgroup that an earlier barrier killed may read that there is none any more. */
TEST(whole_late)
{
    reset_whole();
    for (uint32_t i = 0; i < 4; i++)
        event(i, COOP_EVENT_ARRIVE, 0)->b |= COOP_BARRIER_LATE;
    event(3, COOP_EVENT_RETIRE, 0)->b = 0;
    accepts();
}

TEST(whole_limit)
{
    reset(3);
    m.semantics = COOP_WHOLE;
    begin_run(2);
    record(3, COOP_EVENT_LIMIT, 0, 0);
    leave_whole();
    record(3, COOP_EVENT_LIMITED, 0, 0);
    record(3, COOP_EVENT_LIMIT, 2, 0);
    come_back(2);
    record(3, COOP_EVENT_LIMITED, 2, 2);
    end_run();
    accepts();
    event(3, COOP_EVENT_LIMIT, 1)->a = 1;
    event(3, COOP_EVENT_LIMITED, 1)->a = 1;
    refuses("LIMIT", "a run came back with 2 workgroups instead of 1 at most");
}

TEST(whole_stays)
{
    reset_whole();
    coop_trace_event *stays = event(1, COOP_EVENT_RETIRE, 0);
    stays->kind = COOP_EVENT_LEAVE;
    stays->b = 3u << 16 | 0;
    refuses("BARRIER", "workgroup 1 went on after barrier 1, after which M is 0");

    reset_whole();
    delete_event(2, COOP_EVENT_RETIRE, 0);
    refuses("TASK", "slot 2 ran a share of task 1 while it was active");

    reset_whole();
    event(0, COOP_EVENT_RETIRE, 0)->b = 4u << 16;
    refuses("BARRIER", "workgroup 0 saw an M of 4 at barrier 1, which was 3");

    reset_whole();
    m.semantics = COOP_HIGHEST; /* where workgroup 0 never leaves */
    if (check(MAX_EVENTS, (char[512]){0}, 512))
        fail_msg("a run that left was accepted");
}

TEST(whole_joins_while_away)
{
    reset_whole();
    delete_event(4, COOP_EVENT_RETURN, 0);
    refuses("JOIN", "joined while run 0 was away, and nothing had brought it back");

    reset_whole();
    const coop_trace_event *task = event(1, COOP_EVENT_TASK_END, 0);
    insert_after(1, task, COOP_EVENT_PHASE, 1, 0);
    refuses("JOIN", "workgroup 1 acted in the cooperative kernel");

    reset_whole(); /* the third of three */
    event(4, COOP_EVENT_RETURN, 0)->b = 2;
    refuses("JOIN", "workgroup 2 joined without a fork or a start of it");
}

TEST(whole_joins_with_another_state)
{
    reset_whole();
    event(1, COOP_EVENT_JOIN, 1)->b = 2;
    refuses("JOIN", "workgroup 1 joined from workgroup 2, but 0 had forked it");

    reset_whole();
    event(0, COOP_EVENT_JOIN, 1)->b = COOP_FROM_START;
    refuses("JOIN", "workgroup 0 joined from workgroup 65535, but 0 had forked it");

    reset_whole();
    event(2, COOP_EVENT_JOIN, 1)->a--;
    refuses("JOIN", "workgroup 2 joined with version");

    reset_whole(); /* of the barrier before */
    event(1, COOP_EVENT_ARRIVE, 2)->a = 1;
    refuses("BARRIER", "workgroup 1 arrived at barrier 1 instead of 2");
}

TEST(whole_returns_too_soon)
{
    reset_whole();
    event(4, COOP_EVENT_RETURN, 0)->time = event(2, COOP_EVENT_RETIRE, 0)->time - SLACK - 1;
    refuses("RUN", "the run came back before workgroup 2 had left");

    reset_whole();
    m.semantics = COOP_WHOLE;
    const coop_trace_event *begun = event(4, COOP_EVENT_START, 0);
    insert_after(4, begun, COOP_EVENT_RETURN, 1, 4);
    refuses("RUN", "the run came back");
}

TEST(whole_never_returns)
{
    reset(2);
    m.semantics = COOP_WHOLE;
    begin_run(2);
    leave_whole();
    run_task(0, 2);
    refuses("RUN", "run 0 has left the device, and never came back");

    record(2, COOP_EVENT_ENDED, 0, 0);
    refuses("RUN", "run 0 ended while it was away");
}

struct steps {
    int64_t groups[8];
    int n;
};

static void note_groups(void *self, uint64_t time, int64_t groups)
{
    struct steps *s = self;
    (void)time;
    assert_in_range(s->n, 0, 7);
    s->groups[s->n++] = groups;
}

/* M over time, for pictures. */
TEST(whole_groups)
{
    reset_whole();
    struct cb_trace trace = make_trace(MAX_EVENTS);
    struct steps steps = {.n = 0};
    cb_trace_visit_groups(&trace, note_groups, &steps);
    free_trace(&trace);
    const int64_t expected[] = {4, 3, 0, 3, 4, 0};
    assert_int_equal(steps.n, 6);
    assert_memory_equal(steps.groups, expected, sizeof expected);
}

ALL_TESTS(seed_random, NULL)
