/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases that options of graphics mean.
 */
#define BENCH "graphics"
#include "bench_fixture.h"
#include "tests/unit/unit.h"

#include <math.h>

#include "measure/text/json.h"

static const struct cb_device gpu = {
    .id = "uuid:1", .name = "H200", .type = "gpu", .compute_units = 132, .max_wg_size = 1024};
static const struct cb_device cpu = {
    .id = "name:cpu", .name = "cpu-8", .type = "cpu", .compute_units = 8, .max_wg_size = 4096};

static double number_of(const struct cb_device *device, const char *settings, const char *key)
{
    struct cb_plan plan = plans(device, settings);
    double value = cb_json_number(plan.cases[0].params, key);
    cb_plan_free(&plan);
    return value;
}

TEST(defaults)
{
    plans_ids(&gpu, "",
              "light/size=1920x1080,fps=60\n"
              "medium/size=1920x1080,fps=60\n"
              "heavy/size=1920x1080,fps=60\n");
    plans_ids(&cpu, "scene=medium,heavy", "medium/size=192x108,fps=60\nheavy/size=96x54,fps=60\n");
    plans_ids(&cpu, "scene=heavy,light size=64x48 fps=29.97",
              "heavy/size=64x48,fps=29.97\nlight/size=64x48,fps=29.97\n");
}

/* One scene in at most 90 s, whatever the search finds. */
TEST(effort)
{
    struct cb_plan plan = plans(&gpu, "");
    for (int i = 0; i < plan.count; i++) {
        assert_true(plan.cases[i].expected_s > 60 && plan.cases[i].expected_s <= 90);
        assert_true(plan.cases[i].run_deadline_s >= 2 * plan.cases[i].expected_s);
        assert_int_equal(plan.cases[i].stop.rule, CB_STOP_COUNT);
        assert_int_equal(plan.cases[i].stop.min_runs, 1);
    }
    cb_plan_free(&plan);
    plan = plans(&gpu, "quick=true");
    assert_int_equal(plan.count, 2);
    for (int i = 0; i < plan.count; i++)
        assert_true(plan.cases[i].expected_s > 10 && plan.cases[i].expected_s < 28);
    cb_plan_free(&plan);
    plan = plans(&gpu, "t=5 confirm-time=1");
    assert_true(plan.cases[0].expected_s < 10);
    cb_plan_free(&plan);
}

TEST(parameters)
{
    assert_true(number_of(&cpu, "t-min=0.5 t-max=20", "t-min") == 0.5);
    assert_true(number_of(&cpu, "t-min=0.5 t-max=20", "t-max") == 20);
    assert_true(isnan(number_of(&cpu, "", "t")));
    assert_true(number_of(&cpu, "t=30", "t") == 30);
    assert_true(isnan(number_of(&cpu, "t=30", "t-min")));
    assert_true(number_of(&cpu, "fps=50 margin=0.1", "margin_ns") == 2e6);
    struct cb_plan plan = plans(&cpu, "criterion=missed scene=light");
    const cJSON *params = plan.cases[0].params;
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(params, "p99")));
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(params, "missed")));
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(params, "png")));
    cb_plan_free(&plan);
}

/* Cases of another device, or with other options, have files of their own. */
TEST(files)
{
    struct cb_plan plan = plans(&cpu, "scene=light,heavy");
    cJSON *options = cJSON_CreateObject();
    struct cb_err err;
    cb_options_complete(options, the_bench()->params);
    assert_int_equal(cb_plan_bench(&plan, the_bench(), &gpu, options, &err), CB_OK);
    cJSON_Delete(options);
    static const char *const files[] = {"light", "heavy", "light-2", "medium", "heavy-2"};
    assert_int_equal(plan.count, CB_COUNTOF(files));
    for (int i = 0; i < plan.count; i++)
        assert_string_equal(cb_json_text(plan.cases[i].params, "file", ""), files[i]);
    cb_plan_free(&plan);
}

TEST(given_workloads)
{
    plans_ids(&gpu, "observer=none period=40 duration=10", "light/none\nmedium/none\nheavy/none\n");
    assert_true(number_of(&gpu, "observer=none period=40 duration=10", "period_ns") == 40e6);
    struct cb_plan plan = plans(&gpu, "observer=none period=70,40,30 duration=3");
    assert_true(cb_json_number(plan.cases[0].params, "period_ns") == 70e6);
    assert_true(cb_json_number(plan.cases[2].params, "period_ns") == 30e6);
    assert_true(cb_json_number(plan.cases[2].params, "duration_ns") == 3e6);
    cb_plan_free(&plan);
}

TEST(refusals)
{
    refuses(&cpu, "size=640",
            "size: expected WIDTHxHEIGHT, each from 16 to 16384 pixels, got "
            "\"640\"");
    refuses(&cpu, "size=640x480x3",
            "size: expected WIDTHxHEIGHT, each from 16 to 16384 pixels, got "
            "\"640x480x3\"");
    refuses(&cpu, "size=8x99999",
            "size: expected WIDTHxHEIGHT, each from 16 to 16384 pixels, got "
            "\"8x99999\"");
    refuses(&cpu, "pairs=7",
            "pairs: level 0.025 takes 8 pairs of windows at least; with 7 of them "
            "nothing would ever be seen (raise --pairs or --level)");
    refuses(&cpu, "t-min=50 t-max=2", "t-min: 50 ms is more than --t-max, 2 ms");
    refuses(&cpu, "period=40", "period: is measured; to give it, use --observer none");
    refuses(&cpu, "observer=none period=40",
            "duration: --observer none takes one for all scenes, or one for each of the 3, in "
            "milliseconds; 0 given");
    refuses(&cpu, "observer=none period=40,30 duration=3",
            "period: --observer none takes one for all scenes, or one for each of the 3, in "
            "milliseconds; 2 given");
    refuses(&cpu, "observer=none period=40,10,50 duration=10",
            "duration: 10 ms every 10 ms leaves nothing between");
}
