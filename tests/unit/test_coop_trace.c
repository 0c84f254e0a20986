/* SPDX-License-Identifier: Apache-2.0
 *
 * The check of cooperative traces on valid ones: made up, random, and cut off.
 */
#include "coop_trace_model.h"
#include "tests/unit/unit.h"

/* --- Valid traces ----------------------------------------------------------------------------- */

TEST(valid)
{
    build_barriers();
    accepts();
    build_offers();
    accepts();
    build_runs();
    accepts();
    build_limits();
    accepts();
    build_children();
    accepts();
    reset(3); /* nothing has happened */
    accepts();
}

/* `regular`: workgroup 3 is killed where the others arrive, the last after all of them. */
TEST(valid_kill_at_barrier)
{
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
TEST(valid_kills_at_once)
{
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
TEST(valid_without_end)
{
    reset(3);
    begin_run(3);
    record(0, COOP_EVENT_ARRIVE, 0, 1);
    record(2, COOP_EVENT_ARRIVE, 0, 1);
    accepts();
}

/* Versions and barrier numbers wrap; workgroups note what they did in another order. */
TEST(valid_wraps)
{
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

TEST(valid_versions_of_shrinking)
{
    for (int counts = NEVER; counts <= FOR_EACH; counts++) {
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

/* A barrier that removes two is one change of M, or two, or none; no event says. The next is that
 * with the lowest version, whichever is noted first. */
TEST(valid_changes_after_shrinking)
{
    for (int counts = NEVER; counts <= FOR_EACH; counts++) {
        reset(6); /* both are killed at once, and the lower one notes it first */
        m.shrinking_versions = counts;
        begin_run(5);
        barrier(1, 3);
        record(1, COOP_EVENT_KILL, m.version + 2, 2);
        record(2, COOP_EVENT_KILL, m.version + 1, 3);
        change_versions(2);
        m.groups = 1;
        end_run();
        accepts();

        reset(6); /* the first of two forks is noted last */
        m.shrinking_versions = counts;
        begin_run(5);
        barrier(1, 3);
        record(1, COOP_EVENT_FORK, m.version + 2, 4u << 16 | 1);
        record(0, COOP_EVENT_FORK, m.version + 1, 3u << 16 | 1);
        record(3, COOP_EVENT_JOIN, m.version + 1, 0);
        record(4, COOP_EVENT_JOIN, m.version + 2, 1);
        change_versions(2);
        m.groups = 5;
        end_run();
        accepts();
    }
}

/* By its time, the last kill comes before the fork, and M would be right for it: times may be wrong
 * by the slack. */
TEST(valid_change_out_of_time)
{
    for (int counts = NEVER; counts <= FOR_EACH; counts++) {
        reset(6);
        m.shrinking_versions = counts;
        begin_run(6);
        barrier(1, 2);
        fork_from(0, 1);
        kill_highest();
        kill_highest();
        end_run();
        uint64_t forked = event(0, COOP_EVENT_FORK, 0)->time;
        event(2, COOP_EVENT_JOIN, 1)->time = forked + 1;
        event(2, COOP_EVENT_OFFER, 0)->time = event(2, COOP_EVENT_KILL, 0)->time = forked + 2;
        event(1, COOP_EVENT_OFFER, 0)->time = event(1, COOP_EVENT_KILL, 0)->time = forked - 1;
        accepts();
    }
}

TEST(valid_within_slack)
{
    build_barriers();
    event(3, COOP_EVENT_LEAVE, 0)->time = event(3, COOP_EVENT_ARRIVE, 0)->time - SLACK;
    accepts();
    event(3, COOP_EVENT_LEAVE, 0)->time--;
    refuses("BARRIER", "workgroup 3 left barrier 0 before workgroup 3 had arrived");
}

TEST(valid_tasks_wrap)
{
    reset(2);
    m.task = 0xfffe;
    for (int i = 0; i < 4; i++)
        run_task(0, 2);
    accepts();
    event(1, COOP_EVENT_TASK_BEGIN, 2)->b = event(1, COOP_EVENT_TASK_END, 2)->b = 0;
    refuses("TASK", "workgroup 1 began share 0 of task 1, as workgroup 0 had done");
}

/* A task that could not be gathered is done without having run. */
TEST(valid_task_given_up)
{
    build_barriers();
    record(m.workers, COOP_EVENT_SEEN, 7, 3);
    record(m.workers, COOP_EVENT_DONE, 7, 0);
    accepts();
}

/* A workgroup of the pool that takes a share may be sent for meanwhile, and joins after it. */
TEST(valid_child_before_a_join)
{
    reset(3);
    begin_run(2);
    record(0, COOP_EVENT_FORK, 1, 2u << 16 | 1);
    do_share(2, 0, only_share(0));
    record(2, COOP_EVENT_JOIN, 1, 0);
    m.groups = 3;
    end_run();
    accepts();
}

/* A child that a task of the host submits is not the kernel's: the kernel's run may end before it.
 */
TEST(valid_children_of_tasks)
{
    reset(3);
    begin_run(1);
    begin_share(2, 33, only_share(3));
    end_run();
    record(3, COOP_EVENT_START, m.run, 3);
    end_share(2, 33, only_share(3));
    for (uint32_t i = 0; i < 3; i++)
        record(i, COOP_EVENT_JOIN, 0, COOP_FROM_START);
    m.groups = 3;
    end_run();
    accepts();
    event(2, COOP_EVENT_CHILD_BEGIN, 0)->b = event(2, COOP_EVENT_CHILD_END, 0)->b = only_share(2);
    refuses("RUN", "run 0 ended before workgroup 2 had ended share 0 of the child at place 33");
}

/* ---- Random and truncated traces ------------------------------------------------------------- */

TEST(random)
{
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

TEST(truncated)
{
    static void (*const builders[])(void) = {build_barriers, build_offers, build_runs,
                                             build_children, random_trace, random_trace,
                                             random_trace};
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

/* The check judges what all rings saw nevertheless. */
TEST(truncated_violation)
{
    char text[512];
    build_barriers();
    event(2, COOP_EVENT_LEAVE, 0)->time = event(0, COOP_EVENT_ARRIVE, 0)->time - 2 * SLACK;
    assert_false(check(10, text, sizeof text));
    assert_non_null(strstr(text, "workgroup 2 left barrier 0"));
    assert_true(check(3, text, sizeof text));
}

ALL_TESTS(seed_random, NULL)
