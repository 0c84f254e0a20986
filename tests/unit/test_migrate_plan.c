/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases that options of migrate mean.
 */
#define BENCH "migrate"
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

TEST(cases)
{
    plans_ids(&gpu, "",
              "bfs/road\nbfs/rmat\n"
              "color/grid\ncolor/circuit\n");
    plans_ids(&gpu, "app=mis variant=ours,paper input=grid", "mis/grid\nmis/grid/variant=paper\n");
}

/* All inputs are opened on both devices, and closed before the next. */
TEST(batches)
{
    struct cb_plan plan = plans(&gpu, "app=bfs");
    assert_true(plan.cases[0].batch > 0 && plan.cases[1].batch != plan.cases[0].batch);
    cb_plan_free(&plan);
}

TEST(params)
{
    struct cb_plan plan = plans(&cpu, "app=mis input=grid moves=7 to=0:1 workgroups=5 "
                                      "workgroups-there=3 barrier=query channel=queue wg-size=32");
    const cJSON *params = plan.cases[0].params;
    assert_string_equal(cb_json_text(params, "to", ""), "0:1");
    assert_string_equal(cb_json_text(params, "semantics", ""), "whole");
    assert_string_equal(cb_json_text(params, "barrier", ""), "query");
    assert_string_equal(cb_json_text(params, "channel", ""), "queue");
    assert_true(cb_json_number(params, "moves") == 7 && cb_json_number(params, "workgroups") == 5);
    assert_true(cb_json_number(params, "workgroups-there") == 3);
    assert_true(cb_json_number(params, "wg-size") == 32);
    cb_plan_free(&plan);
}

/* Devices that share cores with others take longer to do anything. */
TEST(stays)
{
    struct cb_plan on_gpu = plans(&gpu, "app=mis"), on_cpu = plans(&cpu, "app=mis"),
                   given = plans(&cpu, "app=mis stay=3 moves=100");
    assert_true(cb_json_number(on_gpu.cases[0].params, "stay") <
                cb_json_number(on_cpu.cases[0].params, "stay"));
    assert_true(cb_json_number(given.cases[0].params, "stay") == 3);
    assert_true(given.cases[0].run_deadline_s > 300);
    cb_plan_free(&on_gpu);
    cb_plan_free(&on_cpu);
    cb_plan_free(&given);
}

TEST(refusals)
{
    refuses(&gpu, "wg-size=2048", "wg-size: H200 takes at most 1024 work-items a workgroup");
}
