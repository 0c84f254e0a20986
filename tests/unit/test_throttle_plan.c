/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases that options of throttle mean.
 */
#define BENCH "throttle"
#include "bench_fixture.h"
#include "tests/unit/unit.h"

#include "measure/text/json.h"
#include "runtime/host/error.h"

static const struct cb_device gpu = {.id = "uuid:1",
                                     .index = "0:0",
                                     .name = "H200",
                                     .type = "gpu",
                                     .compute_units = 132,
                                     .max_wg_size = 1024};
static const struct cb_device cpu = {.id = "name:cpu",
                                     .index = "1:0",
                                     .name = "cpu-8",
                                     .type = "cpu",
                                     .compute_units = 8,
                                     .max_wg_size = 4096};

TEST(schedule)
{
    plans_ids(&gpu, "",
              "color/step=1,groups=N\ncolor/step=2,groups=3N/4\n"
              "color/step=3,groups=N/2\ncolor/step=4,groups=N/4\n"
              "color/step=5,groups=1\ncolor/step=6,groups=N\n");
    plans_ids(&gpu, "app=game,bfs schedule=2,N-1",
              "bfs/step=1,groups=2\nbfs/step=2,groups=N-1\n"
              "game/step=1,groups=2\ngame/step=2,groups=N-1\n");
    plans_ids(&gpu, "schedule=none power-cap=300,250.5", "color/cap=300\ncolor/cap=250.5\n");
    plans_ids(&gpu, "schedule=N power-cap=300", "color/step=1,groups=N\ncolor/cap=300\n");
}

/* The steps of a schedule are one group, those of another app another; a cap is in none. All cases
 * of an app are a batch. */
TEST(groups)
{
    struct cb_plan plan = plans(&gpu, "app=game,bfs schedule=2,1 power-cap=300");
    const struct cb_case *first = case_of(&plan, "throttle/bfs/step=1,groups=2");
    const struct cb_case *second = case_of(&plan, "throttle/bfs/step=2,groups=1");
    const struct cb_case *other = case_of(&plan, "throttle/game/step=1,groups=2");
    assert_true(first->group > 0 && first->group == second->group && other->group != first->group);
    assert_int_equal(case_of(&plan, "throttle/bfs/cap=300")->group, 0);
    assert_int_equal(case_of(&plan, "throttle/bfs/cap=300")->batch, first->batch);
    assert_true(first->batch > 0 && other->batch != first->batch);
    assert_string_equal(cb_json_text(first->params, "launch", ""),
                        cb_json_text(second->params, "launch", ""));
    assert_string_not_equal(cb_json_text(first->params, "launch", ""),
                            cb_json_text(other->params, "launch", ""));
    assert_string_equal(cb_json_text(second->params, "schedule", ""), "2,1");
    assert_null(cb_json_text(case_of(&plan, "throttle/bfs/cap=300")->params, "launch", NULL));
    cb_plan_free(&plan);
}

TEST(params)
{
    struct cb_plan plan = plans(&cpu, "app=game schedule=N hold=2.5 power-cap=45.5 cap-time=7 "
                                      "interval=0.25 idle=0.5 workgroups=5 trace=a/b");
    const cJSON *step = plan.cases[0].params, *cap = plan.cases[1].params;
    assert_true(cb_json_number(step, "step") == 1 && cb_json_number(step, "hold") == 2.5);
    assert_true(cb_json_number(step, "workgroups") == 5 && cb_json_number(step, "idle") == 0.5);
    assert_string_equal(cb_json_text(step, "barrier", ""), "none"); /* it has offers */
    assert_string_equal(cb_json_text(step, "trace", ""), "a/b/game-steps-1_0.tsv");
    assert_true(cb_json_number(cap, "power-cap") == 45.5);
    assert_true(cb_json_number(cap, "cap-time") == 7 && cb_json_number(cap, "interval") == 0.25);
    assert_string_equal(cb_json_text(cap, "trace", ""), "a/b/game-cap-45.5-1_0.tsv");
    cb_plan_free(&plan);
}

/* Any step may launch the app for all, each of which may take ten times as long as asked for. */
TEST(deadlines)
{
    struct cb_plan plan = plans(&gpu, "schedule=N,1,N hold=10 power-cap=300 cap-time=100");
    for (int i = 0; i < 3; i++)
        assert_true(plan.cases[i].run_deadline_s > 3 * 10 * 10);
    assert_true(plan.cases[3].run_deadline_s > 100);
    cb_plan_free(&plan);
}

TEST(refusals)
{
    refuses(&gpu, "schedule=N,2N",
            "schedule: groups: expected a number from 1, N, N/K, KN/L or N-K, got \"2N\"");
    refuses(&gpu, "schedule=none",
            "schedule: there is nothing to do without a schedule; give --power-cap W, or "
            "--schedule N,N/2,1");
    refuses(&gpu, "schedule=N,none",
            "schedule: groups: expected a number from 1, N, N/K, KN/L or N-K, got \"none\"");
    refuses(&gpu, "schedule=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
            "schedule: at most 32 steps");
    refuses(&gpu, "wg-size=2048", "wg-size: H200 takes at most 1024 work-items a workgroup");
}
