/* SPDX-License-Identifier: Apache-2.0
 *
 * How long the rest of a plan takes, by what has ended.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "measure/time_left.h"
#include "runtime/host/files.h"
#include "tests/unit/unit.h"

static const struct cb_bench first = {.id = "first"}, second = {.id = "second"};
static const struct cb_device device = {.id = "name:fake"};
static struct cb_plan plan;
static struct cb_time_left *left;

static int teardown(void **unused)
{
    (void)unused;
    cb_time_left_free(left);
    left = NULL;
    cb_plan_free(&plan);
    return 0;
}

static struct cb_case *add_case(const struct cb_bench *bench)
{
    plan.bench = bench;
    plan.device = &device;
    return cb_plan_add(&plan, "%d", plan.count);
}

static void add(const struct cb_bench *bench, const char *app, int groups, double expected_s)
{
    struct cb_case *c = add_case(bench);
    cJSON_AddStringToObject(c->params, "app", app);
    cJSON_AddNumberToObject(c->params, "groups", groups);
    c->expected_s = expected_s;
}

static void begin(void)
{
    left = cb_time_left_new(&plan);
    assert_non_null(left);
}

static void assert_near(double value, double expected, double percent)
{
    if (fabs(value - expected) > expected * percent / 100)
        fail_msg("%g instead of %g within %g %%", value, expected, percent);
}

TEST_WITH(what_is_expected_holds_until_a_case_has_ended, NULL, teardown)
{
    add(&first, "bfs", 1, 2);
    add(&first, "bfs", 1, 3);
    begin();
    assert_near(cb_time_left(left), 5, 0);
    assert_near(cb_time_expected(&plan), 5, 0);
}

TEST_WITH(without_expectation_nothing_is_known_until_then, NULL, teardown)
{
    add(&first, "bfs", 1, 2);
    add(&first, "bfs", 1, 2);
    add(&second, "", 1, 0);
    begin();
    assert_true(isnan(cb_time_left(left)));
    assert_true(isnan(cb_time_expected(&plan)));
    cb_time_left_learn(left, 0, 400); /* the start of the worker is in it */
    assert_true(isnan(cb_time_left(left)));
    cb_time_left_learn(left, 1, 4);
    assert_near(cb_time_left(left), 4, 5);
}

TEST_WITH(cases_take_as_long_as_those_that_are_like_them, NULL, teardown)
{
    for (int groups = 0; groups < 8; groups++) {
        add(&first, "bfs", groups, 0);
        add(&first, "game", groups, 0);
        add(&second, "bfs", groups, 0);
    }
    begin();
    for (int i = 0; i < 4; i++) {
        cb_time_left_learn(left, 3 * i, 1);
        cb_time_left_learn(left, 3 * i + 1, 10);
        cb_time_left_learn(left, 3 * i + 2, 100);
    }
    assert_near(cb_time_left_of(left, 12), 1, 300); /* its own kind, and a little of the others */
    assert_near(cb_time_left_of(left, 13), 10, 30);
    assert_near(cb_time_left_of(left, 14), 100, 1);
    assert_near(cb_time_left(left), 4 * 111, 10);
}

/* The start of the worker, and of what a driver does but once. */
TEST_WITH(the_first_case_says_little, NULL, teardown)
{
    for (int groups = 0; groups < 4; groups++)
        add(&first, "bfs", groups, 0);
    begin();
    cb_time_left_learn(left, 0, 100);
    assert_true(isnan(cb_time_left(left)));
    cb_time_left_learn(left, 1, 1);
    assert_near(cb_time_left(left), 2, 10);
}

TEST_WITH(expectations_count_by_half, NULL, teardown)
{
    add(&first, "bfs", 1, 1);
    add(&first, "bfs", 1, 4);
    begin();
    cb_time_left_learn(left, 0, 3);
    assert_near(cb_time_left(left), 3 * 2, 0.001);
}

TEST_WITH(nothing_is_left_at_the_end, NULL, teardown)
{
    add(&first, "bfs", 1, 2);
    begin();
    cb_time_left_learn(left, 0, NAN); /* a row that is kept may lack it */
    assert_near(cb_time_left(left), 0, 0);
}

/* They are told apart by their row: they need no time. */
TEST_WITH(cases_that_are_kept_are_not_expected, NULL, teardown)
{
    cJSON *row = cJSON_CreateObject();
    add(&first, "bfs", 1, 2);
    add(&first, "bfs", 1, 3);
    plan.cases[0].kept = row;
    assert_near(cb_time_expected(&plan), 3, 0);
    cJSON_Delete(row);
}

/* ---- Runs that were recorded ----------------------------------------------------------------- */

/* Cases in the order in which they ran, with what they took. Returns the sum. */
static double plan_recorded(const cJSON *cases)
{
    const cJSON *item;
    double sum = 0;
    cJSON_ArrayForEach (item, cases) {
        bool same =
            strcmp(cb_json_text(item, "bench", ""), cb_json_text(cases->child, "bench", "")) == 0;
        struct cb_case *c = add_case(same ? &first : &second);
        cJSON_Delete(c->params);
        c->params = cJSON_Duplicate(cb_json_params(item), true);
        double expected_s = cb_json_number(item, "expected_s");
        c->expected_s = expected_s > 0 ? expected_s : 0;
        sum += cb_json_number(item, "took_s");
    }
    return sum;
}

TEST_WITH(after_a_third_the_estimate_is_right_within_30_percent, NULL, teardown)
{
    static const struct cb_file_kind fixture = {"recorded runs", 0};
    char *text = NULL;
    struct cb_err err;
    assert_int_equal(
        cb_read_file(COOPBENCH_TEST_DIR "/fixtures/durations.json", &fixture, &text, &err), CB_OK);
    cJSON *runs = cJSON_Parse(text);
    const cJSON *run, *item;
    assert_int_equal(cJSON_GetArraySize(runs), 5);
    cJSON_ArrayForEach (run, runs) {
        double sum = plan_recorded(run), took = 0;
        int i = 0;
        begin();
        cJSON_ArrayForEach (item, run) {
            if (took >= sum / 3)
                break;
            took += cb_json_number(item, "took_s");
            cb_time_left_learn(left, i++, cb_json_number(item, "took_s"));
        }
        print_message("%s: %.1f s left, about %.1f s\n", run->string, sum - took,
                      cb_time_left(left));
        assert_near(cb_time_left(left), sum - took, 30);
        teardown(NULL);
    }
    cJSON_Delete(runs);
    free(text);
}

static void reads(double seconds, const char *expected)
{
    char text[32];
    cb_time_format(seconds, text, sizeof text);
    assert_string_equal(text, expected);
}

TEST_WITH(times_are_short_to_read, NULL, teardown)
{
    reads(0, "about 0 s");
    reads(99, "about 99 s");
    reads(480, "about 8 min");
    reads(7200, "about 2 h");
}
