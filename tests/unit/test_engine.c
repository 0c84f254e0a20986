/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_engine.h"
#include "tests/unit/unit.h"

static double constant(unsigned run)
{
    (void)run;
    return 100;
}

static double alternating(unsigned run)
{
    return run % 2 ? 200 : 100;
}

static double zero(unsigned run)
{
    (void)run;
    return 0;
}

/* The one row of a plan of one case with this stop rule. */
static const struct seen *row_of(struct cb_stop stop)
{
    world.n_rows = world.n_started = 0;
    cb_plan_free(&plan);
    add("a", -1)->stop = stop;
    runs_ok();
    return &world.rows[0];
}

/* --- Rows ------------------------------------------------------------------------------------- */

TEST_WITH(one_row_per_case, setup, teardown)
{
    add("a", -1);
    add("b", -1);
    add("c", -1);
    runs_ok();
    for (int i = 0; i < 3; i++) {
        assert_ptr_equal(world.rows[i].id, plan.cases[i].id);
        assert_int_equal(world.rows[i].index, i);
        assert_int_equal(world.rows[i].order, i);
        assert_int_equal(world.rows[i].status, CB_OK);
        assert_string_equal(world.rows[i].reason, "");
        assert_int_equal(world.rows[i].n_series, 2);
        assert_true(world.rows[i].verified);
        assert_true(world.rows[i].duration_s == 3);
    }
    assert_string_equal(world.trace, "+a-a+b-b+c-c");
}

/* Others use the device while a case waits, which disturbs it no more than it takes of its time. */
TEST_WITH(waiting_is_not_of_the_case, setup, teardown)
{
    world.wait_ns = 30ull * SECOND;
    add("a", -1);
    add("b", -1);
    runs_ok();
    for (int i = 0; i < 2; i++)
        assert_true(world.rows[i].duration_s == 3 && world.rows[i].lasted_s == 3);
}

TEST_WITH(empty_plan, setup, teardown)
{
    runs_ok();
    assert_int_equal(world.n_rows, 0);
}

TEST_WITH(warmup_is_not_kept, setup, teardown)
{
    const struct seen *row = row_of((struct cb_stop){CB_STOP_COUNT, 2, 3, 0, 0, 0});
    assert_int_equal(row->warmup, 2);
    assert_int_equal(row->runs, 3);
    assert_int_equal(row->n, 3);
    assert_true(row->first == 2); /* the third run */
    assert_true(row->median == 3);
    assert_int_equal(world.runs[0], 5);
    assert_int_equal(world.runs_told, 3);
}

/* --- Stop rules ------------------------------------------------------------------------------- */

TEST_WITH(count, setup, teardown)
{
    const struct seen *row = row_of((struct cb_stop){CB_STOP_COUNT, 0, 7, 2, 1e9, 0.001});
    assert_int_equal(row->n, 7); /* exactly, whatever the other limits say */
    assert_string_equal(row->stop_reason, "count");
}

TEST_WITH(converged, setup, teardown)
{
    world.value = constant;
    struct cb_stop stop = {CB_STOP_CI, 0, 2, 100, 1, 1e9};
    const struct seen *row = row_of(stop);
    assert_int_equal(row->n, 6); /* fewer samples have no interval */
    assert_string_equal(row->stop_reason, "converged");
    stop.min_runs = 9;
    assert_int_equal(row_of(stop)->n, 9);
    world.value = alternating; /* interval 100..200 about 150: 33 % */
    stop = (struct cb_stop){CB_STOP_CI, 0, 6, 6, 33.4, 1e9};
    assert_string_equal(row_of(stop)->stop_reason, "converged");
    stop.max_rci = 33.3;
    assert_string_equal(row_of(stop)->stop_reason, "max_runs");
}

TEST_WITH(not_converged, setup, teardown)
{
    struct cb_stop stop = {CB_STOP_CI, 0, 2, 40, 1, 1e9};
    world.value = alternating;
    const struct seen *row = row_of(stop);
    assert_int_equal(row->n, 40);
    assert_string_equal(row->stop_reason, "max_runs");
    world.value = zero; /* no interval relative to zero */
    assert_string_equal(row_of(stop)->stop_reason, "max_runs");
    world.value = alternating;
    stop.max_time_s = 9.5;
    row = row_of(stop);
    assert_int_equal(row->n, 10);
    assert_string_equal(row->stop_reason, "max_time");
}

TEST_WITH(time, setup, teardown)
{
    struct cb_stop stop = {CB_STOP_TIME, 0, 2, 100, 0, 5.5};
    const struct seen *row = row_of(stop);
    assert_int_equal(row->n, 6);
    assert_string_equal(row->stop_reason, "max_time");
    stop.warmup = 10; /* is not in the budget */
    assert_int_equal(row_of(stop)->n, 6);
    stop.min_runs = 8;
    assert_int_equal(row_of(stop)->n, 8);
    stop.max_runs = 8;
    stop.min_runs = 1;
    stop.max_time_s = 60;
    row = row_of(stop);
    assert_int_equal(row->n, 8);
    assert_string_equal(row->stop_reason, "max_runs");
}

TEST_WITH(rows_follow_the_order, setup, teardown)
{
    int places[8];
    struct cb_err err;
    for (int i = 0; i < 8; i++)
        add((const char *[]){"a", "b", "c", "d", "e", "f", "g", "h"}[i], -1);
    cb_engine_order(&plan, CB_ORDER_RANDOM, 1, places);
    assert_int_equal(run_plan(CB_ORDER_RANDOM, &err), CB_OK);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(world.rows[i].index, places[i]);
        assert_int_equal(world.rows[i].order, i);
    }
}

/* --- Budgets ---------------------------------------------------------------------------------- */

static struct cb_case *add_with_budget(const char *id, double budget_s)
{
    struct cb_case *c = add(id, -1);
    c->budget_s = budget_s;
    c->stop = (struct cb_stop){CB_STOP_TIME, 0, 2, 100, 0, 1e9};
    return c;
}

/* Runs take a second each. */
TEST_WITH(cases_run_as_often_as_their_budgets_allow, setup, teardown)
{
    add_with_budget("a", 5);
    add_with_budget("b", 10);
    runs_ok();
    assert_int_equal(world.rows[0].runs, 5);
    assert_string_equal(world.rows[0].stop_reason, "max_time");
    assert_int_equal(world.rows[1].runs, 10);
}

TEST_WITH(a_budget_leaves_the_fewest_runs, setup, teardown)
{
    add_with_budget("a", 0.5);
    add_with_budget("b", 0.5);
    runs_ok();
    assert_int_equal(world.rows[0].runs, 2);
    assert_int_equal(world.rows[1].runs, 2);
}

/* Others get the time that a case does not need, by their budgets, and lack what a case takes too
 * much. */
TEST_WITH(budgets_are_shared, setup, teardown)
{
    add_with_budget("a", 10)->stop.max_runs = 4;
    add_with_budget("b", 10);
    add_with_budget("c", 20);
    runs_ok();
    assert_int_equal(world.rows[1].runs, 12);
    assert_int_equal(world.rows[2].runs, 24);
}

TEST_WITH(what_is_overspent_is_missing_later, setup, teardown)
{
    add_with_budget("a", 1)->stop.min_runs = 4;
    add_with_budget("b", 9);
    add("c", -1);
    runs_ok();
    assert_int_equal(world.rows[0].runs, 4);
    assert_int_equal(world.rows[1].runs, 6);
    assert_int_equal(world.rows[2].runs, 3); /* has none */
}
