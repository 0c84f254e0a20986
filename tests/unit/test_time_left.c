/* SPDX-License-Identifier: Apache-2.0
 *
 * How long the rest of a plan takes, by what has ended.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "measure/time_left.h"

static const struct cb_bench first = {.id = "first"}, second = {.id = "second"};
static const struct cb_device device = {.id = "name:fake"};
static struct cb_plan plan;
static double took_s[16];

static int teardown(void **unused)
{
    (void)unused;
    cb_plan_free(&plan);
    return 0;
}

/* A case that took so long; NaN: it is to come. */
static void add(const struct cb_bench *bench, const char *app, double expected_s, double took)
{
    int i = cb_plan_add(&plan, bench, &device, "%s/%d", bench->id, plan.count);
    assert_in_range(i, 0, 15);
    cJSON_AddStringToObject(plan.cases[i].params, "app", app);
    plan.cases[i].expected_s = expected_s;
    took_s[i] = took;
}

static void is_left(double seconds)
{
    assert_float_equal(cb_time_left(&plan, took_s), seconds, 1e-9);
}

static void what_is_expected_holds_until_a_case_has_ended(void **unused)
{
    (void)unused;
    add(&first, "bfs", 2, NAN);
    add(&first, "bfs", 3, NAN);
    is_left(5);
    assert_float_equal(cb_time_expected(&plan), 5, 1e-9);
    add(&second, "", 0, NAN);
    assert_true(isnan(cb_time_left(&plan, took_s)));
    assert_true(isnan(cb_time_expected(&plan)));
}

static void cases_go_at_the_pace_of_their_app(void **unused)
{
    (void)unused;
    add(&first, "bfs", 2, 4);
    add(&first, "bfs", 1, NAN);
    add(&first, "game", 1, 10);
    add(&first, "game", 3, NAN);
    is_left(1 * 2 + 3 * 10);
}

static void without_one_of_the_app_that_of_the_bench_holds(void **unused)
{
    (void)unused;
    add(&first, "bfs", 1, 4);
    add(&first, "game", 3, 4);
    add(&first, "octree", 5, NAN); /* 8 s for 4 */
    is_left(10);
}

static void without_one_of_the_bench_that_of_all_holds(void **unused)
{
    (void)unused;
    add(&first, "bfs", 0, 4);
    add(&first, "bfs", 0, 6);
    add(&second, "bfs", 0, NAN);
    add(&second, "bfs", 0, NAN);
    is_left(10);
}

static void nothing_is_left_at_the_end(void **unused)
{
    (void)unused;
    is_left(0);
    add(&first, "bfs", 2, 5);
    is_left(0);
}

/* They are told apart by their row: they need no time. */
static void cases_that_are_kept_are_not_expected(void **unused)
{
    (void)unused;
    cJSON *row = cJSON_CreateObject();
    add(&first, "bfs", 2, NAN);
    add(&first, "bfs", 3, NAN);
    plan.cases[0].kept = row;
    assert_float_equal(cb_time_expected(&plan), 3, 1e-9);
    cJSON_Delete(row);
}

static void reads(double seconds, const char *expected)
{
    char text[32];
    cb_time_format(seconds, text, sizeof text);
    assert_string_equal(text, expected);
}

static void times_are_short_to_read(void **unused)
{
    (void)unused;
    reads(0, "about 0 s");
    reads(99, "about 99 s");
    reads(480, "about 8 min");
    reads(7200, "about 2 h");
}

#define TEST(function) cmocka_unit_test_teardown(function, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_expected_holds_until_a_case_has_ended),
        TEST(cases_go_at_the_pace_of_their_app),
        TEST(without_one_of_the_app_that_of_the_bench_holds),
        TEST(without_one_of_the_bench_that_of_all_holds),
        TEST(nothing_is_left_at_the_end),
        TEST(cases_that_are_kept_are_not_expected),
        TEST(times_are_short_to_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
