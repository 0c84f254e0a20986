/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_engine.h"

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

static void test_one_row_per_case(void **unused)
{
    (void)unused;
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

static void test_empty_plan(void **unused)
{
    (void)unused;
    runs_ok();
    assert_int_equal(world.n_rows, 0);
}

static void test_warmup_is_not_kept(void **unused)
{
    (void)unused;
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

static void test_count(void **unused)
{
    (void)unused;
    const struct seen *row = row_of((struct cb_stop){CB_STOP_COUNT, 0, 7, 2, 1e9, 0.001});
    assert_int_equal(row->n, 7); /* exactly, whatever the other limits say */
    assert_string_equal(row->stop_reason, "count");
}

static void test_converged(void **unused)
{
    (void)unused;
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

static void test_not_converged(void **unused)
{
    (void)unused;
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

static void test_time(void **unused)
{
    (void)unused;
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

static void test_rows_follow_the_order(void **unused)
{
    (void)unused;
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
static void test_cases_run_as_often_as_their_budgets_allow(void **unused)
{
    (void)unused;
    add_with_budget("a", 5);
    add_with_budget("b", 10);
    runs_ok();
    assert_int_equal(world.rows[0].runs, 5);
    assert_string_equal(world.rows[0].stop_reason, "max_time");
    assert_int_equal(world.rows[1].runs, 10);
}

static void test_a_budget_leaves_the_fewest_runs(void **unused)
{
    (void)unused;
    add_with_budget("a", 0.5);
    add_with_budget("b", 0.5);
    runs_ok();
    assert_int_equal(world.rows[0].runs, 2);
    assert_int_equal(world.rows[1].runs, 2);
}

/* What one does not need goes to the others by their budgets; what one takes too much they lack. */
static void test_budgets_are_shared(void **unused)
{
    (void)unused;
    add_with_budget("a", 10)->stop.max_runs = 4;
    add_with_budget("b", 10);
    add_with_budget("c", 20);
    runs_ok();
    assert_int_equal(world.rows[1].runs, 12);
    assert_int_equal(world.rows[2].runs, 24);
}

static void test_what_is_overspent_is_missing_later(void **unused)
{
    (void)unused;
    add_with_budget("a", 1)->stop.min_runs = 4;
    add_with_budget("b", 9);
    add("c", -1);
    runs_ok();
    assert_int_equal(world.rows[0].runs, 4);
    assert_int_equal(world.rows[1].runs, 6);
    assert_int_equal(world.rows[2].runs, 3); /* has none */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_one_row_per_case),
        TEST(test_empty_plan),
        TEST(test_warmup_is_not_kept),
        TEST(test_count),
        TEST(test_converged),
        TEST(test_not_converged),
        TEST(test_time),
        TEST(test_rows_follow_the_order),
        TEST(test_cases_run_as_often_as_their_budgets_allow),
        TEST(test_a_budget_leaves_the_fewest_runs),
        TEST(test_budgets_are_shared),
        TEST(test_what_is_overspent_is_missing_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
