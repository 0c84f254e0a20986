/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases that options of multitask mean.
 */
#include "apps_fixture.h"
#include "multitask_plan_fixture.h"
#include "tests/unit/unit.h"

/* --- Cases ------------------------------------------------------------------------------------ */

#define GROUPS(case, barrier)                                                                      \
    case "/groups=1,barrier=" barrier "\n" case "/groups=N/4,barrier=" barrier                     \
                                                "\n" case "/groups=N/2,barrier=" barrier           \
                                                          "\n" case "/groups=N-1,barrier=" barrier \
                                                                    "\n"
#define KERNEL(app, barrier)                                                                       \
    app "/overhead/barrier=" barrier "\n" GROUPS(app "/light", barrier)                            \
        GROUPS(app "/medium", barrier) GROUPS(app "/heavy", barrier)

/* Each barrier of a kernel that has some; one that offers by itself is there once. */
TEST_WITH(default_cases, make_folder, remove_folder)
{
    const char *both = KERNEL("bfs", "regular") KERNEL("bfs", "query") KERNEL("bfs", "atomic")
        KERNEL("game", "none");
    plans_ids(&cpu, "app=bfs,game", both);
    plans_ids(&gpu, "app=game,bfs,game", both);
}

/* One barrier, the least and the most that tasks ask for, and as many workgroups as a search in the
 * case finds. What is given stays. */
TEST_WITH(quick_cases, make_folder, remove_folder)
{
    plans_ids(&gpu, "quick=true app=bfs",
              "bfs/overhead/barrier=atomic\nbfs/light/groups=fewest,barrier=atomic\n"
              "bfs/heavy/groups=fewest,barrier=atomic\n");
    plans_ids(&gpu, "quick=true app=bfs,game workload=heavy",
              "bfs/overhead/barrier=atomic\nbfs/heavy/groups=fewest,barrier=atomic\n"
              "game/overhead/barrier=none\ngame/heavy/groups=fewest,barrier=none\n");
    plans_ids(&gpu, "quick=true app=bfs workload=heavy groups=1,N/2 barrier=query",
              "bfs/overhead/barrier=query\nbfs/heavy/groups=1,barrier=query\n"
              "bfs/heavy/groups=N/2,barrier=query\n");
}

/* Inputs that take seconds to check are a size smaller in quick runs, unless --scale is given. */
TEST_WITH(quick_inputs, make_folder, remove_folder)
{
    static const struct {
        const char *settings, *input;
    } rows[] = {{"quick=true app=octree", "200000:clustered"},
                {"quick=true app=octree scale=paper", "4000000:clustered"},
                {"quick=true app=bfs", "road:264346"},
                {"app=octree", "4000000:clustered"},
                {"quick=true app=game", "11"}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        struct cb_plan plan = plans(&gpu, rows[i].settings);
        assert_string_equal(cb_json_text(plan.cases[0].params, "input", ""), rows[i].input);
        cb_plan_free(&plan);
    }
}

/* Six short runs of each case, of all apps, take less than a minute. */
TEST_WITH(quick_runs_are_short, make_folder, remove_folder)
{
    const struct cb_device *const devices[] = {&gpu, &cpu};
    for (size_t d = 0; d < CB_COUNTOF(devices); d++) {
        struct cb_plan plan = plans(devices[d], "quick=true");
        double sum_s = 0;
        cb_quick_share(&plan, 0);
        assert_int_equal(plan.count, count_apps() * (1 + 2));
        for (int i = 0; i < plan.count; i++) {
            assert_int_equal(plan.cases[i].stop.min_runs, 6);
            sum_s += plan.cases[i].expected_s;
        }
        assert_true(sum_s < (devices[d] == &gpu ? 45 : 90));
        cb_plan_free(&plan);
    }
}

/* All but those that only measure the runtime. */
TEST_WITH(all_apps, make_folder, remove_folder)
{
    char ids[4096] = "";
    for (int i = 0; cb_apps[i]; i++)
        if (!cb_apps[i]->synthetic)
            snprintf(ids + strlen(ids), sizeof ids - strlen(ids), "%s/overhead/barrier=%s\n",
                     cb_apps[i]->id, cb_apps[i]->offers ? "none" : "query");
    plans_ids(&cpu, "workload=none barrier=query", ids);
    plans_ids(&gpu, "app=game,all workload=none barrier=query", ids);
}

TEST_WITH(what_is_asked_for, make_folder, remove_folder)
{
    plans_ids(&cpu, "app=barriers barrier=atomic workload=heavy groups=3,N",
              "barriers/overhead/barrier=atomic\nbarriers/heavy/groups=3,barrier=atomic\n"
              "barriers/heavy/groups=N,barrier=atomic\n");
    plans_ids(&cpu, "app=game,bfs barrier=atomic,regular workload=light groups=N-2",
              "bfs/overhead/barrier=regular\nbfs/light/groups=N-2,barrier=regular\n"
              "bfs/overhead/barrier=atomic\nbfs/light/groups=N-2,barrier=atomic\n"
              "game/overhead/barrier=none\ngame/light/groups=N-2,barrier=none\n");
    plans_ids(&cpu, "app=game barrier=query workload=heavy groups=1",
              "game/overhead/barrier=none\ngame/heavy/groups=1,barrier=none\n");
}

/* Only what the runtime costs. */
TEST_WITH(no_workload, make_folder, remove_folder)
{
    plans_ids(&cpu, "app=bfs,game workload=none",
              "bfs/overhead/barrier=regular\nbfs/overhead/barrier=query\n"
              "bfs/overhead/barrier=atomic\ngame/overhead/barrier=none\n");
    plans_ids(&cpu, "app=game workload=none,light groups=1",
              "game/overhead/barrier=none\ngame/light/groups=1,barrier=none\n");
}

TEST_WITH(parameters, make_folder, remove_folder)
{
    has_params(&cpu, "", "multitask/bfs/overhead/barrier=query",
               "{\"app\":\"bfs\",\"input\":\"road:264346\",\"barrier\":\"query\",\"wg-size\":1,"
               "\"channel\":\"auto\",\"trace-events\":4096}");
    has_params(&gpu, "", "multitask/game/heavy/groups=N/4,barrier=none",
               "{\"app\":\"game\",\"input\":\"11\",\"barrier\":\"none\",\"wg-size\":256,"
               "\"channel\":\"auto\",\"workload\":\"heavy\","
               "\"period_ns\":40000000,\"duration_ns\":10000000,\"groups\":\"N/4\",\"tasks\":25,"
               "\"budget_s\":0.5,\"gather-tasks\":40,\"gather-deadline\":5}");
    has_params(
        &cpu,
        "app=bfs workload=light groups=7 tasks=3 budget=0.5 workgroups=4 wg-size=32 "
        "channel=queue trace=traces trace-events=16 gather-deadline=0.25",
        "multitask/bfs/light/groups=7,barrier=atomic",
        "{\"app\":\"bfs\",\"input\":\"road:264346\",\"barrier\":\"atomic\",\"wg-size\":32,"
        "\"workgroups\":4,\"channel\":\"queue\",\"trace-events\":16,\"workload\":\"light\","
        "\"period_ns\":70000000,\"duration_ns\":3000000,\"groups\":\"7\",\"tasks\":3,"
        "\"budget_s\":0.5,\"gather-deadline\":0.25,\"trace\":\"traces/bfs-light-7-atomic-\"}");
    has_params(&cpu, "app=bfs workload=medium groups=1",
               "multitask/bfs/medium/groups=1,barrier=regular",
               "{\"app\":\"bfs\",\"input\":\"road:264346\",\"barrier\":\"regular\",\"wg-size\":1,"
               "\"channel\":\"auto\",\"workload\":\"medium\","
               "\"period_ns\":40000000,\"duration_ns\":3000000,\"groups\":\"1\",\"tasks\":25,"
               "\"budget_s\":2,\"gather-deadline\":5}");
}

/* --- The matrix ------------------------------------------------------------------------------- */

/* All inputs, which ids name; the rest is as without it. */
/* Only where it is asked for; the runs take longer. */
/* Other tasks have another name, and a case without tasks has not. */
TEST_WITH(task, make_folder, remove_folder)
{
    plans_ids(&cpu, "app=game workload=light groups=1 task=reduce",
              "game/overhead/barrier=none\ngame/light/groups=1,barrier=none,task=reduce\n");
    plans_ids(&cpu, "app=game workload=light groups=1 task=matmul",
              "game/overhead/barrier=none\ngame/light/groups=1,barrier=none\n");
}

/* Each workload with each, whatever their order, and each once; a trace of each. */
TEST_WITH(several_tasks, make_folder, remove_folder)
{
    plans_ids(&cpu, "app=game workload=light,heavy groups=1 task=reduce,matmul,reduce",
              "game/overhead/barrier=none\n"
              "game/light/groups=1,barrier=none\n"
              "game/heavy/groups=1,barrier=none\n"
              "game/light/groups=1,barrier=none,task=reduce\n"
              "game/heavy/groups=1,barrier=none,task=reduce\n");
    plans_ids(&cpu, "app=game workload=none task=matmul,reduce", "game/overhead/barrier=none\n");
    struct cb_plan plan =
        plans(&cpu, "app=game workload=light groups=1 task=matmul,reduce trace=t");
    assert_null(cJSON_GetObjectItem(plan.cases[1].params, "task"));
    assert_string_equal(cb_json_text(plan.cases[1].params, "trace", ""), "t/game-light-1-none-");
    assert_string_equal(cb_json_text(plan.cases[2].params, "task", ""), "reduce");
    assert_string_equal(cb_json_text(plan.cases[2].params, "trace", ""),
                        "t/game-light-1-none-reduce-");
    cb_plan_free(&plan);
}

TEST_WITH(power, make_folder, remove_folder)
{
    struct cb_plan without = plans(&gpu, "app=game workload=light groups=2");
    struct cb_plan with = plans(&gpu, "app=game workload=light groups=2 power=true");
    const char *id = "multitask/game/light/groups=2,barrier=none";
    const struct cb_case *plain = case_of(&without, id), *powered = case_of(&with, id);
    assert_null(cJSON_GetObjectItem(plain->params, "power"));
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(powered->params, "power")));
    assert_true(powered->expected_s > plain->expected_s + 10);
    cb_plan_free(&without);
    cb_plan_free(&with);
}

TEST_WITH(matrix_has_all_inputs, make_folder, remove_folder)
{
    plans_ids(&gpu, "matrix=true app=bfs,game barrier=atomic workload=heavy groups=N/2",
              "bfs/road/overhead/barrier=atomic\nbfs/road/heavy/groups=N/2,barrier=atomic\n"
              "bfs/rmat/overhead/barrier=atomic\nbfs/rmat/heavy/groups=N/2,barrier=atomic\n"
              "game/depth/overhead/barrier=none\ngame/depth/heavy/groups=N/2,barrier=none\n");
    plans_ids(&gpu, "matrix=true app=bfs input=grid:9x9,/graphs/a.gr barrier=query workload=none",
              "bfs/grid:9x9/overhead/barrier=query\nbfs/a.gr/overhead/barrier=query\n");
    plans_ids(&gpu, "matrix=true app=bfs input=rmat,uniform barrier=query workload=none",
              "bfs/rmat/overhead/barrier=query\nbfs/uniform/overhead/barrier=query\n");
    int pairs = 0, all = count_of("matrix=true"), lone = count_of("matrix=true barrier=atomic");
    for (int a = 0; cb_apps[a]; a++)
        for (int i = 0; !cb_apps[a]->synthetic && cb_apps[a]->inputs[i].name; i++)
            pairs += cb_apps[a]->inputs[i].on_request ? 0 : cb_apps[a]->offers ? 1 : 3;
    assert_int_equal(all,
                     13 * pairs); /* three workloads with four numbers of workgroups, and none */
    assert_true(lone < all);
}

TEST_WITH(matrix_parameters, make_folder, remove_folder)
{
    has_params(&gpu, "matrix=true scale=tiny", "multitask/bfs/rmat/heavy/groups=N/4,barrier=query",
               "{\"app\":\"bfs\",\"input\":\"rmat:14\",\"input_name\":\"rmat\",\"barrier\":"
               "\"query\",\"wg-size\":1024,\"channel\":\"auto\",\"workload\":"
               "\"heavy\",\"period_ns\":40000000,\"duration_ns\":10000000,\"groups\":\"N/4\","
               "\"tasks\":100,\"budget_s\":0.2,\"gather-tasks\":60,\"app-runs\":4,"
               "\"gather-deadline\":5}");
    has_params(&gpu, "matrix=true trace=t", "multitask/game/depth/light/groups=1,barrier=none",
               "{\"app\":\"game\",\"input\":\"11\",\"input_name\":\"depth\",\"barrier\":\"none\","
               "\"wg-size\":256,\"channel\":\"auto\",\"trace-events\":4096,\"workload\":\"light\","
               "\"period_ns\":70000000,\"duration_ns\":3000000,\"groups\":\"1\",\"tasks\":1,"
               "\"budget_s\":0.2,\"gather-tasks\":180,\"app-runs\":10,\"gather-deadline\":5,"
               "\"trace\":\"t/game-depth-light-1-none-\"}");
    has_params(&cpu, "matrix=true tasks=7 budget=1.5 gather-tasks=3 scale=tiny",
               "multitask/game/depth/heavy/groups=1,barrier=none",
               "{\"app\":\"game\",\"input\":\"6\",\"input_name\":\"depth\",\"barrier\":\"none\","
               "\"wg-size\":64,\"channel\":\"auto\",\"workload\":\"heavy\","
               "\"period_ns\":40000000,\"duration_ns\":10000000,\"groups\":\"1\",\"tasks\":7,"
               "\"budget_s\":1.5,\"gather-tasks\":3,\"gather-deadline\":5}");
}

/* Few runs, and what shares an input together. */
TEST_WITH(matrix_takes_little_time, make_folder, remove_folder)
{
    struct cb_plan plan = plans(&gpu, "matrix=true app=bfs");
    double expected_s = 0;
    int batches[3] = {0};
    for (int i = 0; i < plan.count; i++) {
        const struct cb_case *c = &plan.cases[i];
        bool lone = strstr(c->id, "groups=1,") != NULL;
        assert_int_equal(c->stop.rule, CB_STOP_COUNT);
        assert_int_equal(c->stop.min_runs, lone ? 1 : 3);
        assert_int_equal(c->stop.warmup, 0);
        assert_in_range(c->batch, 1, 2);
        assert_int_equal(c->batch, strstr(c->id, "/road/") ? 1 : 2);
        batches[c->batch]++;
        assert_true(c->expected_s > 0);
        expected_s += c->expected_s;
    }
    assert_int_equal(batches[1], 39);
    assert_int_equal(batches[2], 39);
    assert_true(expected_s > 60 && expected_s < 110); /* 78 cases: some eight minutes for 377 */
    cb_plan_free(&plan);
    plan = plans(&cpu, "matrix=true app=bfs");
    assert_int_equal(plan.cases[0].stop.min_runs, 1);
    assert_int_equal(plan.cases[0].stop.max_runs, 1);
    cb_plan_free(&plan);
    plan = plans(&gpu, "app=bfs barrier=atomic workload=heavy groups=1,2");
    assert_int_equal(case_of(&plan, "multitask/bfs/overhead/barrier=atomic")->stop.min_runs, 10);
    assert_int_equal(case_of(&plan, "multitask/bfs/heavy/groups=2,barrier=atomic")->stop.min_runs,
                     10);
    const struct cb_case *lone = case_of(&plan, "multitask/bfs/heavy/groups=1,barrier=atomic");
    assert_int_equal(lone->stop.rule, CB_STOP_COUNT);
    assert_int_equal(lone->stop.min_runs, 3);
    assert_int_equal(cb_json_number(lone->params, "tasks"), 2);
    cb_plan_free(&plan);
    plan = plans(&cpu, "app=bfs barrier=atomic workload=heavy groups=1");
    lone = case_of(&plan, "multitask/bfs/heavy/groups=1,barrier=atomic");
    assert_int_equal(lone->stop.min_runs, 10);
    assert_int_equal(cb_json_number(lone->params, "tasks"), 25);
    cb_plan_free(&plan);
}

/* Cases that share an input come together. */
TEST_WITH(apps_are_batches, make_folder, remove_folder)
{
    struct cb_plan plan = plans(&gpu, "app=bfs,game");
    for (int i = 0; i < plan.count; i++) {
        bool game = strstr(plan.cases[i].id, "/game/") != NULL;
        assert_int_equal(plan.cases[i].batch, game ? 2 : 1);
    }
    cb_plan_free(&plan);
}

TEST_WITH(scale, make_folder, remove_folder)
{
    has_input(&gpu, "scale=small app=bfs", "multitask/bfs/overhead/barrier=query", "road:264346");
    has_input(&cpu, "scale=tiny app=bfs", "multitask/bfs/overhead/barrier=query", "road:20000");
    has_input(&cpu, "scale=tiny app=bfs input=grid:5x5", "multitask/bfs/overhead/barrier=query",
              "grid:5x5");
}

TEST_WITH(cases_are_of_the_bench_and_the_device, make_folder, remove_folder)
{
    struct cb_plan plan = plans(&gpu, "");
    for (int i = 0; i < plan.count; i++) {
        assert_ptr_equal(plan.cases[i].bench, the_bench());
        assert_ptr_equal(plan.cases[i].device, &gpu);
        assert_int_equal(plan.cases[i].needs, -1);
        assert_false(plan.cases[i].own_stop); /* --runs changes it */
        for (int k = 0; k < i; k++)
            assert_string_not_equal(plan.cases[i].id, plan.cases[k].id);
    }
    cb_plan_free(&plan);
}

/* Two kernels in one have workgroups of one size; alone, each has its own. */
TEST_WITH(size_of_both, make_folder, remove_folder)
{
    static const struct {
        const struct cb_device *device;
        const char *settings;
        double both, first, second;
    } rows[] = {{&gpu, "app=color,sssp_bellman", 256, 1024, 256},
                {&gpu, "app=sssp_bellman,color", 256, 256, 1024},
                {&gpu, "app=bfs,octree", 1024, 1024, 256}, /* bfs lives on large ones */
                {&gpu, "app=octree,bfs", 1024, 256, 1024},
                {&gpu, "app=bfs,color", 1024, 1024, 1024},
                {&cpu, "app=bfs,octree", 64, 1, 64},
                {&cpu, "app=octree,bfs", 64, 64, 1},
                {&gpu, "app=color,sssp_bellman wg-size=128", 128, 128, 128}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char settings[100];
        snprintf(settings, sizeof settings, "together=true policy=learned %s", rows[i].settings);
        struct cb_plan plan = plans(rows[i].device, settings);
        assert_int_equal(plan.count, 1);
        const cJSON *params = plan.cases[0].params;
        assert_float_equal(cb_json_number(params, "wg-size"), rows[i].both, 0);
        assert_float_equal(cb_json_number(params, "alone_wg_size"), rows[i].first, 0);
        assert_float_equal(cb_json_number(params, "beside_wg_size"), rows[i].second, 0);
        cb_plan_free(&plan);
    }
}
