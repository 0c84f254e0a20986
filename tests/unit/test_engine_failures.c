/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes of a case that fails, and of those that need it.
 */
#include "fake_engine.h"
#include "tests/unit/unit.h"

/* Three cases of 2 + 3 runs, the second with a fault; returns the second's row. */
static const struct seen *row_with(enum fault fault, unsigned at_run)
{
    world.fault = fault;
    world.faulty = "b";
    world.faulty_run = at_run;
    add("a", -1);
    add("b", -1);
    add("c", -1);
    for (int i = 0; i < plan.count; i++)
        plan.cases[i].stop.warmup = 2;
    runs_ok();
    assert_int_equal(world.rows[0].status, CB_OK);
    assert_null(world.rows[1].stop_reason);
    assert_int_equal(world.rows[1].n, 0);
    return &world.rows[1];
}

static void next_is_ok(void)
{
    assert_int_equal(world.rows[2].status, CB_OK);
    assert_int_equal(world.rows[2].n, 3);
    assert_string_equal(world.trace, "+a-a+b-b+c-c"); /* what failed is closed */
}

TEST_WITH(open_fails, setup, teardown)
{
    const struct seen *row = row_with(OPEN_FAILS, 0);
    assert_int_equal(row->status, CB_UNSUPPORTED);
    assert_string_equal(row->reason, "no such atomics");
    assert_int_equal(row->warmup, 0);
    assert_false(row->verified);
    next_is_ok();
}

TEST_WITH(waits_in_vain, setup, teardown)
{
    const struct seen *row = row_with(NEVER_QUIET, 0);
    assert_int_equal(row->status, CB_SKIPPED);
    assert_string_equal(row->reason, "somebody is there");
    assert_string_equal(world.trace, "+a-a+c-c"); /* it was never open */
}

TEST_WITH(run_fails, setup, teardown)
{
    const struct seen *row = row_with(RUN_FAILS, 4);
    assert_int_equal(row->status, CB_TIMEOUT);
    assert_string_equal(row->reason, "waited for ever");
    assert_int_equal(row->runs, 0);
    next_is_ok();
}

TEST_WITH(warmup_fails, setup, teardown)
{
    const struct seen *row = row_with(RUN_FAILS, 0);
    assert_int_equal(row->status, CB_TIMEOUT);
    assert_int_equal(row->runs, 0);
    assert_true(row->duration_s == 1); /* no second run */
    next_is_ok();
}

TEST_WITH(wrong_answer, setup, teardown)
{
    const struct seen *row = row_with(WRONG_ANSWER, 3);
    assert_int_equal(row->status, CB_VERIFY_FAILED);
    assert_string_equal(row->reason, "id 7 twice");
    assert_true(row->verified);
    next_is_ok();
}

TEST_WITH(time_that_cannot_be, setup, teardown)
{
    const struct seen *row = row_with(CLOCK_GOES_BACK, 3);
    assert_int_equal(row->status, CB_ERROR);
    assert_string_equal(row->reason, "time is a time that cannot be, -5 ns: a clock has been set");
    next_is_ok();
}

TEST_WITH(wrong_answer_in_warmup, setup, teardown)
{
    assert_int_equal(row_with(WRONG_ANSWER, 1)->status, CB_VERIFY_FAILED);
    next_is_ok();
}

static void all_later_rows_are_interrupted(const char *reason, const char *trace_of_opened)
{
    assert_int_equal(world.rows[1].status, CB_INTERRUPTED);
    assert_string_equal(world.rows[1].reason, reason);
    assert_int_equal(world.rows[2].status, CB_INTERRUPTED);
    assert_string_equal(world.rows[2].reason, "interrupted before it started");
    assert_int_equal(world.rows[2].n, 0);
    assert_string_equal(world.trace, trace_of_opened);
}

TEST_WITH(interrupted_in_a_run, setup, teardown)
{
    row_with(SIGNAL_IN_RUN, 3);
    all_later_rows_are_interrupted("interrupted", "+a-a+b-b");
}

TEST_WITH(interrupted_in_warmup, setup, teardown)
{
    row_with(SIGNAL_IN_RUN, 0);
    all_later_rows_are_interrupted("interrupted", "+a-a+b-b");
}

TEST_WITH(interrupted_in_open, setup, teardown)
{
    row_with(SIGNAL_IN_OPEN, 0);
    all_later_rows_are_interrupted("interrupted", "+a-a+b-b");
    assert_int_equal(world.rows[1].warmup, 0);
}

TEST_WITH(observer_fails, setup, teardown)
{
    world.rows_allowed = 2;
    for (int i = 0; i < 4; i++)
        add((const char *[]){"a", "b", "c", "d"}[i], -1);
    struct cb_err err = {CB_OK, ""};
    assert_int_equal(run_plan(CB_ORDER_LISTED, &err), CB_ERROR);
    assert_string_equal(err.text, "disk full");
    assert_int_equal(world.n_rows, 2);
    assert_string_equal(world.trace, "+a-a+b-b");
}

/* --- Needs ------------------------------------------------------------------------------------ */

TEST_WITH(needed_medians, setup, teardown)
{
    add("a", -1);
    add("b", 0);
    runs_ok();
    assert_string_equal(world.needed, "{\"time\":1}"); /* of 0, 1, 2; "extra" has no samples */
    assert_string_equal(world.least, "{\"time\":0}");
    assert_false(cJSON_HasObjectItem(plan.cases[1].params, "needed"));
}

TEST_WITH(nothing_needed, setup, teardown)
{
    add("a", -1);
    runs_ok();
    assert_string_equal(world.needed, "");
}

TEST_WITH(needed_case_fails, setup, teardown)
{
    world.fault = RUN_FAILS;
    world.faulty = "a";
    add("a", -1);
    add("b", 0);
    add("c", 1);
    add("d", -1);
    runs_ok();
    const struct seen *by_index[4];
    for (int i = 0; i < 4; i++)
        by_index[world.rows[i].index] = &world.rows[i];
    assert_int_equal(by_index[0]->status, CB_TIMEOUT);
    assert_int_equal(by_index[1]->status, CB_SKIPPED);
    assert_string_equal(by_index[1]->reason, "needs a, which ended as 'timeout'");
    assert_int_equal(by_index[2]->status, CB_SKIPPED);
    assert_string_equal(by_index[2]->reason, "needs b, which ended as 'skipped'");
    assert_int_equal(by_index[3]->status, CB_OK);
    assert_null(strchr(world.trace, 'b')); /* never opened */
    assert_null(strchr(world.trace, 'c'));
}
