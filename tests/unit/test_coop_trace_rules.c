/* SPDX-License-Identifier: Apache-2.0
 *
 * The check of cooperative traces: each rule has to find what a test breaks in a valid one.
 */
#include "coop_trace_model.h"
#include "tests/unit/unit.h"

TEST(sentence)
{
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

TEST(kill)
{
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

    reset(4); /* a barrier removes two, and M has changed three times */
    m.shrinking_versions = FOR_EACH;
    begin_run(4);
    barrier(1, 2);
    change_version();
    barrier(1, 4);
    refuses("FORK", "no change led from 0 there");

    for (int counts = NEVER; counts <= FOR_EACH; counts++) { /* the lower one first, after it */
        reset(5);
        m.shrinking_versions = counts;
        begin_run(5);
        barrier(1, 3);
        record(1, COOP_EVENT_KILL, m.version + 1, 2);
        record(2, COOP_EVENT_KILL, m.version + 2, 3);
        refuses("KILL", "workgroup 1 was killed while M was 3: only the highest, 2, may be");
    }

    build_offers();
    delete_event(4, COOP_EVENT_KILL, 0);
    refuses("KILL", "workgroup 3 was killed by change 3 of M");

    build_barriers(); /* while it waits at a barrier */
    insert_after(3, event(3, COOP_EVENT_ARRIVE, 0), COOP_EVENT_KILL, 1, 4);
    refuses("BARRIER", "workgroup 3 went on");
}

TEST(fork)
{
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

TEST(join)
{
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

TEST(barrier)
{
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

TEST(resizing)
{
    build_barriers();
    event(1, COOP_EVENT_LEAVE, 1)->b = 4u << 16 | 3;
    refuses("BARRIER", "workgroup 3 left barrier 1 with an M' of 2, others with 3");

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
    refuses("BARRIER", "workgroup 3 left barrier 1 with an M' of 1, others with 2");
    for (uint32_t i = 0; i < 4; i++)
        event(i, COOP_EVENT_ARRIVE, 1)->b = COOP_BARRIER_RESIZES | COOP_BARRIER_LATE;
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

TEST(task)
{
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

/* The first task is done while the second runs, or after it. */
static void build_two_tasks(bool first_ends_first)
{
    reset(2);
    for (uint32_t task = 1; task <= 2; task++)
        record(2, COOP_EVENT_SEEN, task, 1);
    for (uint32_t task = 1; task <= 2; task++) {
        record(2, COOP_EVENT_GATHERED, task, 0);
        record(2 - task, COOP_EVENT_TASK_BEGIN, task, 0);
    }
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t task = first_ends_first ? 1 + i : 2 - i;
        record(2 - task, COOP_EVENT_TASK_END, task, 0);
        record(2, COOP_EVENT_DONE, task, 0);
    }
}

TEST(tasks_at_once)
{
    for (int i = 0; i < 2; i++) {
        build_two_tasks(i);
        accepts();
    }
    event(2, COOP_EVENT_DONE, 0)->a = 2;
    event(2, COOP_EVENT_DONE, 1)->a = 1;
    refuses("TASK", "task 2 was done before workgroup 0 ended its share 0");

    build_two_tasks(true);
    delete_event(2, COOP_EVENT_GATHERED, 1);
    refuses("TASK", "workgroup 0 began share 0 of task 2, which was never gathered");
}

/* The first is withdrawn when the first of its two workgroups has been sent for. */
static void build_withdrawn(void)
{
    reset(2);
    record(2, COOP_EVENT_SEEN, 1, 2);
    record(2, COOP_EVENT_WITHDRAWN, 1, COOP_KEPT(1, 1));
    record(2, COOP_EVENT_SEEN, 2, 1);
    record(2, COOP_EVENT_GATHERED, 1, 0);
    record(2, COOP_EVENT_GATHERED, 2, 0);
    record(1, COOP_EVENT_TASK_BEGIN, 2, 0);
    record(1, COOP_EVENT_TASK_END, 2, 0);
    record(2, COOP_EVENT_DONE, 1, 0);
    record(2, COOP_EVENT_DONE, 2, 0);
}

TEST(withdrawn_task)
{
    build_withdrawn();
    accepts();

    event(1, COOP_EVENT_TASK_BEGIN, 0)->a = event(1, COOP_EVENT_TASK_END, 0)->a = 1;
    refuses("TASK", "workgroup 1 began share 0 of task 1, which was withdrawn at");

    build_withdrawn();
    event(2, COOP_EVENT_WITHDRAWN, 0)->b = COOP_KEPT(3, 1);
    refuses("TASK", "task 1 was withdrawn and kept 3 of its 2 workgroups");

    build_withdrawn();
    event(2, COOP_EVENT_WITHDRAWN, 0)->a = 3;
    refuses("TASK", "task 3 was gathered, withdrawn or done without having been seen");

    build_two_tasks(true);
    insert_after(2, event(2, COOP_EVENT_GATHERED, 0), COOP_EVENT_WITHDRAWN, 1, 1);
    refuses("TASK", "task 1 was withdrawn after it had been gathered at");
}

TEST(run)
{
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

TEST(limit)
{
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

TEST(foreign)
{
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

ALL_TESTS(seed_random, NULL)
