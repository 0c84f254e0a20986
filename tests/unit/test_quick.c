/* SPDX-License-Identifier: Apache-2.0
 *
 * Quick runs: how cases share a bench's seconds, and what is said of what they leave out.
 */

#include <stdlib.h>
#include <string.h>

#include "measure/quick.h"
#include "tests/unit/unit.h"

static const struct cb_param params[] = {
    {.name = "groups", .into.kind = CB_FIELD_TEXTS, .default_value = "1,N", .quick = "N"},
    {.name = "wait", .into.kind = CB_FIELD_UINT, .quick = "5"},
    {.name = "same", .into.kind = CB_FIELD_UINT, .default_value = "3"},
    {.name = "all", .into.kind = CB_FIELD_FLAG, .full = true},
    {0},
};
static const struct cb_bench bench = {.id = "fake",
                                      .params = params,
                                      .stop = {.rule = CB_STOP_COUNT, .warmup = 2, .min_runs = 20},
                                      .quick_gpu_s = 40,
                                      .quick_cpu_s = 80};
static const struct cb_device gpu = {.id = "uuid:1", .type = "gpu"};
static const struct cb_device cpu = {.id = "name:cpu", .type = "cpu"};
static struct cb_plan plan;

static int teardown(void **unused)
{
    (void)unused;
    cb_plan_free(&plan);
    return 0;
}

static struct cb_case *add(const struct cb_device *device, double expected_s)
{
    plan.bench = &bench;
    plan.device = device;
    struct cb_case *c = cb_plan_add(&plan, "%d", plan.count);
    c->expected_s = expected_s;
    return c;
}

static void is_budget(int i, double budget_s, double expected_s)
{
    assert_float_equal(plan.cases[i].budget_s, budget_s, 1e-9);
    assert_float_equal(plan.cases[i].expected_s, expected_s, 1e-9);
}

/* ---- Time ------------------------------------------------------------------------------------ */

/* Six runs are the fewest with an interval; a full run's are the most. */
TEST_WITH(cases_run_as_often_as_there_is_time, NULL, teardown)
{
    add(&gpu, 0);
    cb_quick_share(&plan, 0);
    const struct cb_stop *stop = &plan.cases[0].stop;
    assert_int_equal(stop->rule, CB_STOP_TIME);
    assert_int_equal(stop->warmup, 2);
    assert_int_equal(stop->min_runs, 6);
    assert_int_equal(stop->max_runs, 20);
    assert_true(stop->max_time_s > 1e9);
}

TEST_WITH(cases_that_run_less_often_run_no_oftener, NULL, teardown)
{
    add(&gpu, 0)->stop.min_runs = 3;
    cb_quick_share(&plan, 0);
    assert_int_equal(plan.cases[0].stop.min_runs, 3);
    assert_int_equal(plan.cases[0].stop.max_runs, 3);
}

TEST_WITH(the_time_is_shared_as_expected, NULL, teardown)
{
    add(&gpu, 30);
    add(&gpu, 10);
    cb_quick_share(&plan, 0);
    is_budget(0, 30, 30);
    is_budget(1, 10, 10);
}

/* 22 runs of 3 s and 1 s in all: eight of them at least. */
TEST_WITH(what_does_not_fit_is_cut_but_for_the_fewest_runs, NULL, teardown)
{
    add(&cpu, 3 * 22);
    add(&cpu, 1 * 22);
    add(&cpu, 12 * 22);
    cb_quick_share(&plan, 0);
    is_budget(0, 15, 24);
    is_budget(1, 5, 8);
    is_budget(2, 60, 96);
}

TEST_WITH(it_is_shared_equally_where_nothing_is_expected, NULL, teardown)
{
    add(&gpu, 0);
    add(&gpu, 7);
    cb_quick_share(&plan, 0);
    is_budget(0, 20, 0);
    is_budget(1, 20, 7);
}

/* The search for a bound has a stop rule of its own: it is needed once. */
TEST_WITH(cases_with_a_stop_rule_of_their_own_keep_it, NULL, teardown)
{
    add(&gpu, 10);
    add(&gpu, 10)->own_stop = true;
    cb_quick_share(&plan, 0);
    is_budget(0, 40, 10);
    is_budget(1, 0, 10);
    assert_int_equal(plan.cases[1].stop.rule, CB_STOP_COUNT);
}

TEST_WITH(cases_before_are_left_alone, NULL, teardown)
{
    add(&gpu, 10);
    add(&cpu, 10);
    cb_quick_share(&plan, 1);
    is_budget(0, 0, 10);
    is_budget(1, 80, 10);
    cb_quick_share(&plan, 2);
}

/* ---- Words ----------------------------------------------------------------------------------- */

static cJSON *options_of(const char *text)
{
    cJSON *options = cJSON_Parse(text);
    assert_non_null(options);
    return options;
}

static void says(const char *given, bool bounded, const char *expected)
{
    cJSON *options = options_of(given);
    char *text = cb_quick_left_out(&bench, options, bounded);
    if (expected)
        assert_string_equal(text, expected);
    else
        assert_null(text);
    free(text);
    cJSON_Delete(options);
}

TEST(what_is_left_out_is_told)
{
    says("{}", true,
         "Quick run of fake: --groups N in place of 1,N, --wait 5, no more runs of a case than "
         "fit into its part of the time. The same command with --full measures all.");
    says("{\"groups\":[\"1\"]}", false,
         "Quick run of fake: --wait 5. The same command with --full measures all.");
    says("{\"groups\":[\"1\"],\"wait\":[\"5\"]}", false, NULL);
}

TEST(some_options_are_for_full_runs_only)
{
    cJSON *options = options_of("{\"groups\":[\"1\"]}");
    assert_false(cb_quick_is_refused(&bench, options));
    cJSON_Delete(options);
    options = options_of("{\"all\":[\"true\"]}");
    assert_true(cb_quick_is_refused(&bench, options));
    cJSON_Delete(options);
}

TEST(help_says_how_long_it_takes)
{
    const struct cb_param none[] = {{0}};
    const struct cb_bench short_one = {.id = "short", .params = none};
    assert_string_equal(cb_quick_help(&short_one),
                        "Takes less than a minute, once its kernels are built.");
    assert_non_null(strstr(cb_quick_help(&bench), "--full"));
}

TEST(given_options_replace_quick_defaults)
{
    cJSON *options = options_of("{\"quick\":[\"true\"],\"wait\":[\"7\"]}");
    cb_options_complete(options, params);
    char *text = cJSON_PrintUnformatted(options);
    assert_string_equal(text, "{\"quick\":[\"true\"],\"wait\":[\"7\"],\"groups\":[\"N\"],"
                              "\"same\":[\"3\"]}");
    free(text);
    cJSON_Delete(options);
    options = options_of("{\"quick\":[\"false\"]}");
    cb_options_complete(options, params);
    text = cJSON_PrintUnformatted(options);
    assert_string_equal(text, "{\"quick\":[\"false\"],\"groups\":[\"1\",\"N\"],\"same\":[\"3\"]}");
    free(text);
    cJSON_Delete(options);
}
