/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases that options of preempt mean.
 */
#define BENCH "preempt"
#include "bench_fixture.h"
#include "tests/unit/unit.h"

#include "apps/host/app.h"

static const struct cb_device gpu = {
    .id = "uuid:1", .name = "H200", .type = "gpu", .compute_units = 132, .max_wg_size = 1024};
static const struct cb_device cpu = {
    .id = "name:cpu", .name = "cpu-8", .type = "cpu", .compute_units = 8, .max_wg_size = 4096};

/* --- Cases ------------------------------------------------------------------------------------ */

#define GROUPS(of)     of "/groups=1\n" of "/groups=N/4\n" of "/groups=N/2\n" of "/groups=N\n"
#define PLACES(of)     GROUPS(of "/process") GROUPS(of "/queue")
#define WORKLOADS(app) PLACES(app "/light") PLACES(app "/medium") PLACES(app "/heavy")

TEST(default_cases)
{
    plans_ids(&cpu, "", WORKLOADS("barriers") WORKLOADS("bfs"));
    plans_ids(&gpu, "app=bfs", WORKLOADS("bfs"));
}

/* One app and one number of workgroups, short windows, which take 25 to 28 s. */
static void is_quick(const struct cb_device *device)
{
    struct cb_plan plan = plans(device, "quick=true");
    double sum_s = 0;
    assert_int_equal(plan.count, 3 * 2);
    for (int i = 0; i < plan.count; i++) {
        assert_int_equal(plan.cases[i].stop.min_runs, 6);
        sum_s += plan.cases[i].expected_s;
    }
    assert_true(sum_s > 24 && sum_s < 29);
    cb_plan_free(&plan);
}

TEST(quick)
{
    plans_ids(&gpu, "quick=true workload=heavy",
              "bfs/heavy/process/groups=N\nbfs/heavy/queue/groups=N\n");
    plans_ids(&gpu, "quick=true workload=heavy app=game place=queue groups=1",
              "game/heavy/queue/groups=1\n");
    is_quick(&gpu);
    is_quick(&cpu);
}

TEST(what_is_asked_for)
{
    plans_ids(&gpu, "app=game workload=heavy,light place=queue groups=N-1,7",
              "game/heavy/queue/groups=N-1\ngame/heavy/queue/groups=7\n"
              "game/light/queue/groups=N-1\ngame/light/queue/groups=7\n");
    char ids[1024] = "";
    for (int i = 0; cb_apps[i]; i++)
        if (!cb_apps[i]->synthetic)
            snprintf(ids + strlen(ids), sizeof ids - strlen(ids), "%s/light/process/groups=N\n",
                     cb_apps[i]->id);
    plans_ids(&gpu, "app=all workload=light place=process groups=N", ids);
    plans_ids(&gpu, "app=game,mis workload=light place=process groups=N variant=paper",
              "game/light/process/groups=N,variant=paper\n"
              "mis/light/process/groups=N,variant=paper\n");
}

/* Each pair once, whichever way round it was asked for. */
TEST(pairs)
{
    plans_ids(&gpu, "app=bfs,game beside=game,bfs,octree",
              "bfs/beside=bfs\nbfs/beside=game\nbfs/beside=octree\ngame/beside=game\n"
              "game/beside=octree\n");
    plans_ids(&gpu, "app=octree beside=bfs", "octree/beside=bfs\n");
    has_params(&cpu, "app=game input=7 beside=bfs budget=0.5 wg-size=32 workgroups=4",
               "preempt/game/beside=bfs",
               "{\"app\":\"game\",\"input\":\"7\",\"wg-size\":32,\"workgroups\":4,"
               "\"beside\":\"bfs\",\"beside_input\":\"road:264346\",\"beside_wg_size\":1,"
               "\"budget_s\":0.5,\"launch\":0.25}");
    has_params(&cpu, "app=bfs,game input=game=7,bfs=road:60 beside=game,bfs budget=0.5",
               "preempt/bfs/beside=game",
               "{\"app\":\"bfs\",\"input\":\"road:60\",\"wg-size\":1,\"beside\":\"game\","
               "\"beside_input\":\"7\",\"beside_wg_size\":64,\"budget_s\":0.5,\"launch\":0.25}");
    struct cb_plan plan = plans(&gpu, "app=all beside=all");
    int apps = 0;
    for (int i = 0; cb_apps[i]; i++)
        apps += !cb_apps[i]->synthetic && !cb_apps[i]->by_name;
    assert_int_equal(plan.count, apps * (apps + 1) / 2);
    cb_plan_free(&plan);
    refuses(
        &gpu, "app=bfs beside=gmae",
        "beside: there is no app \"gmae\" (did you mean \"game\"?): 'coopbench list apps' tells "
        "which there are; kinds of neighbours are none,process,queue,grid,display,copy,memory");
    refuses(&gpu, "app=bfs beside=game task=./x.json",
            "beside: not with --task: another app takes its place");
}

TEST(parameters)
{
    has_params(&gpu, "", "preempt/bfs/heavy/process/groups=N/4",
               "{\"app\":\"bfs\",\"input\":\"road:6262104\",\"place\":\"process\",\"wg-size\":1024,"
               "\"workload\":\"heavy\",\"period_ns\":40000000,\"duration_ns\":10000000,"
               "\"groups\":\"N/4\",\"tasks\":25,\"budget_s\":1,\"watch\":\"clock\","
               "\"launch\":0.25}");
    has_params(&cpu,
               "app=game input=7 workload=light groups=7 tasks=3 budget=0.5 launch=2 workgroups=4 "
               "wg-size=32",
               "preempt/game/light/process/groups=7",
               "{\"app\":\"game\",\"input\":\"7\",\"place\":\"process\",\"wg-size\":32,"
               "\"workgroups\":4,\"workload\":\"light\",\"period_ns\":70000000,"
               "\"duration_ns\":3000000,\"groups\":\"7\",\"tasks\":3,\"budget_s\":0.5,"
               "\"watch\":\"system\",\"launch\":2}");
}

/* The system cannot tell tasks on a second queue from the app. */
static void has_watch(const struct cb_device *device, const char *settings, const char *place,
                      const char *watch)
{
    char all[128], id[64];
    snprintf(all, sizeof all, "app=bfs workload=light groups=N %s", settings);
    snprintf(id, sizeof id, "preempt/bfs/light/%s/groups=N", place);
    struct cb_plan plan = plans(device, all);
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(case_of(&plan, id)->params, "watch");
    assert_string_equal(cJSON_GetStringValue(item), watch);
    cb_plan_free(&plan);
}

TEST(watch)
{
    has_watch(&gpu, "", "process", "clock");
    has_watch(&gpu, "", "queue", "clock");
    has_watch(&cpu, "", "process", "system");
    has_watch(&cpu, "", "queue", "none");
    has_watch(&cpu, "watch=clock", "queue", "clock");
    has_watch(&cpu, "watch=system", "queue", "none");
    has_watch(&gpu, "watch=none", "process", "none");
}

/* --- Effort ----------------------------------------------------------------------------------- */

static void has_effort(const struct cb_device *device, const char *settings, const char *id,
                       unsigned runs, double least_s, double most_s)
{
    struct cb_plan plan = plans(device, settings);
    const struct cb_case *c = case_of(&plan, id);
    assert_int_equal(c->stop.rule, CB_STOP_COUNT);
    assert_int_equal(c->stop.min_runs, runs);
    assert_int_equal(c->stop.warmup, runs > 1);
    assert_false(c->own_stop); /* --runs changes it */
    assert_true(c->expected_s > least_s && c->expected_s < most_s);
    cb_plan_free(&plan);
}

/* A task of one workgroup of a large device takes longer than a window. */
TEST(effort)
{
    has_effort(&gpu, "", "preempt/bfs/heavy/process/groups=N", 3, 6, 10);
    has_effort(&gpu, "", "preempt/bfs/heavy/process/groups=1", 1, 6, 10);
    has_effort(&gpu, "tasks=1", "preempt/bfs/heavy/process/groups=1", 1, 3, 5);
    has_effort(&gpu, "", "preempt/bfs/heavy/queue/groups=N", 3, 3, 4);
    has_effort(&gpu, "budget=20", "preempt/bfs/heavy/process/groups=1", 3, 60, 100);
    has_effort(&gpu, "budget=20", "preempt/bfs/heavy/process/groups=N", 3, 4, 10); /* 25 tasks */
    has_effort(&cpu, "", "preempt/bfs/heavy/process/groups=1", 3, 4, 10);
}

TEST(apps_are_batches)
{
    struct cb_plan plan = plans(&gpu, "");
    assert_int_equal(plan.count, 48);
    for (int i = 0; i < plan.count; i++) {
        const struct cb_case *c = &plan.cases[i];
        assert_int_equal(c->batch, strstr(c->id, "/bfs/") ? 2 : 1);
        assert_int_equal(c->needs, -1);
        assert_int_equal(c->group, 0);
    }
    cb_plan_free(&plan);
}

/* --- Refusals --------------------------------------------------------------------------------- */

TEST(refusals)
{
    refuses(&gpu, "groups=N,N/",
            "groups: expected a number from 1, N, N/K, KN/L or N-K, got \"N/\"");
    refuses(&gpu, "workload=none", "workload: none: there is nothing to do without tasks");
    refuses(&gpu, "wg-size=2048", "wg-size: H200 takes at most 1024 work-items a workgroup");
    refuses(&gpu, "input=grid:9x9", "input: for several apps, say whose it is: bfs=grid:9x9");
    struct cb_plan plan;
    struct cb_err err;
    assert_int_equal(plan_of(&gpu, "workload=hevy", &plan, &err), CB_USAGE);
    assert_non_null(strstr(err.text, "expected light, medium, heavy or a file, got \"hevy\""));
    cb_plan_free(&plan);
    assert_int_equal(plan_of(&gpu, "app=gmae", &plan, &err), CB_USAGE);
    assert_non_null(strstr(err.text, "did you mean \"game\"?"));
    cb_plan_free(&plan);
}
