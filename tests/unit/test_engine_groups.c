/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases that are run in turns, and what a run notes.
 */
#include "fake_engine.h"
#include "tests/unit/unit.h"

/* Adds cases named by the letters, in one group, or each on its own. */
static void add_all(const char *letters, bool together)
{
    int group = together ? ++plan.groups : 0;
    for (; *letters; letters++)
        add((char[]){*letters, '\0'}, -1)->group = group;
}

TEST_WITH(cases_of_a_group_take_turns, setup, teardown)
{
    add_all("abc", true);
    for (int i = 0; i < 3; i++)
        plan.cases[i].stop.warmup = 1;
    runs_ok();
    assert_string_equal(world.run_trace, "abcabcabcabc");
    assert_string_equal(world.trace, "+a+b+c-a-b-c");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(world.rows[i].index, i);
        assert_int_equal(world.rows[i].order, i);
        assert_int_equal(world.rows[i].status, CB_OK);
        assert_int_equal(world.rows[i].warmup, 1);
        assert_int_equal(world.rows[i].n, 3);
        assert_true(world.rows[i].median == 2); /* of its own runs 1, 2, 3 */
        assert_true(world.rows[i].duration_s == 4);
        assert_string_equal(world.rows[i].stop_reason, "count");
    }
}

TEST_WITH(groups_come_one_after_the_other, setup, teardown)
{
    add_all("ab", true);
    add_all("cd", true);
    add_all("ef", false);
    runs_ok();
    assert_string_equal(world.trace, "+a+b-a-b+c+d-c-d+e-e+f-f");
}

/* A case with enough runs waits for the others. */
TEST_WITH(numbers_of_runs_may_differ, setup, teardown)
{
    add_all("abc", true);
    plan.cases[1].stop.min_runs = 1;
    plan.cases[2].stop.min_runs = 5;
    runs_ok();
    assert_string_equal(world.run_trace, "abcacaccc");
    assert_int_equal(world.rows[1].n, 1);
    assert_int_equal(world.rows[2].n, 5);
}

/* The time that --max-time bounds is the case's own. */
TEST_WITH(a_budget_is_not_used_by_others, setup, teardown)
{
    add_all("ab", true);
    for (int i = 0; i < 2; i++)
        plan.cases[i].stop =
            (struct cb_stop){.rule = CB_STOP_TIME, .min_runs = 1, .max_runs = 9, .max_time_s = 2.5};
    runs_ok();
    assert_string_equal(world.run_trace, "ababab");
    assert_string_equal(world.rows[1].stop_reason, "max_time");
}

TEST_WITH(one_that_fails_leaves_the_others, setup, teardown)
{
    world.fault = RUN_FAILS;
    world.faulty = "b";
    world.faulty_run = 1;
    add_all("abc", true);
    runs_ok();
    assert_string_equal(world.run_trace, "abcabcac");
    assert_int_equal(world.rows[0].status, CB_OK);
    assert_int_equal(world.rows[1].status, CB_TIMEOUT);
    assert_int_equal(world.rows[1].n, 0);
    assert_int_equal(world.rows[2].n, 3);
}

TEST_WITH(one_that_does_not_open_leaves_the_others, setup, teardown)
{
    world.fault = OPEN_FAILS;
    world.faulty = "a";
    add_all("ab", true);
    runs_ok();
    assert_string_equal(world.run_trace, "bbb");
    assert_string_equal(world.trace, "+a+b-a-b");
    assert_int_equal(world.rows[0].status, CB_UNSUPPORTED);
    assert_int_equal(world.rows[1].status, CB_OK);
}

/* No case is run, or opened, after the signal. */
TEST_WITH(interrupted, setup, teardown)
{
    world.fault = SIGNAL_IN_RUN;
    world.faulty = "a";
    world.faulty_run = 2;
    add_all("abc", true);
    plan.cases[1].stop.min_runs = 2;
    add_all("d", false);
    runs_ok();
    assert_string_equal(world.run_trace, "abcabca");
    assert_string_equal(world.trace, "+a+b+c-a-b-c");
    assert_int_equal(world.rows[0].status, CB_INTERRUPTED);
    assert_int_equal(world.rows[1].status, CB_OK); /* it had all its runs */
    assert_int_equal(world.rows[2].status, CB_INTERRUPTED);
    assert_string_equal(world.rows[2].reason, "interrupted");
    assert_string_equal(world.rows[3].reason, "interrupted before it started");
}

TEST_WITH(observer_fails, setup, teardown)
{
    world.rows_allowed = 1;
    add_all("abc", true);
    add_all("d", false);
    struct cb_err err = {CB_OK, ""};
    assert_int_equal(run_plan(CB_ORDER_LISTED, &err), CB_ERROR);
    assert_int_equal(world.n_rows, 1);
    assert_string_equal(world.trace, "+a+b+c-a-b-c"); /* all are closed */
}

TEST_WITH(what_a_group_needs, setup, teardown)
{
    world.fault = RUN_FAILS;
    world.faulty = "a";
    add_all("ab", false);
    add_all("cd", true);
    plan.cases[2].needs = 0;
    plan.cases[3].needs = 1;
    runs_ok();
    assert_int_equal(world.rows[2].status, CB_SKIPPED);
    assert_string_equal(world.rows[2].reason, "needs a, which ended as 'timeout'");
    assert_int_equal(world.rows[3].status, CB_OK);
    assert_string_equal(world.needed, "{\"time\":1}");
}

/* --- Notes ------------------------------------------------------------------------------------ */

TEST_WITH(a_note_is_kept_once, setup, teardown)
{
    add_all("a", false);
    runs_ok();
    assert_int_equal(world.rows[0].notes, 1);
    assert_string_equal(world.rows[0].note, "a ran");
}

/* It is not run, has no row of its own, and is there for who needs it. */
TEST_WITH(cases_that_keep_a_row, setup, teardown)
{
    cJSON *row = cJSON_Parse("{\"status\": \"ok\", \"metrics\": [{\"name\": \"time\", "
                             "\"median\": 7, \"min\": 5}]}");
    add("a", -1)->kept = row;
    add("b", 0);
    struct cb_err err = {CB_OK, ""};
    world.n_started = 1;
    assert_int_equal(run_plan(CB_ORDER_LISTED, &err), CB_OK);
    assert_int_equal(world.n_rows, 1);
    assert_string_equal(world.rows[0].id, "b");
    assert_int_equal(world.rows[0].index, 1);
    assert_int_equal(world.rows[0].order, 1);
    assert_string_equal(world.trace, "+b-b");
    assert_string_equal(world.needed, "{\"time\":7}");
    cJSON_Delete(row);
}
