/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases of apps in several systems: protocols, barriers, variants, and the paper's tuning.
 */
#define BENCH "apps"
#include "apps/host/options.h"
#include "bench_fixture.h"
#include "tests/unit/unit.h"

static const struct cb_device gpu = {
    .id = "uuid:1", .name = "H200", .type = "gpu", .compute_units = 132, .max_wg_size = 1024};
static const struct cb_device cpu = {
    .id = "name:cpu", .name = "cpu-8", .type = "cpu", .compute_units = 8, .max_wg_size = 4096};

/* Each protocol with each barrier, where a mode has them; tuning is of the first. */
TEST(systems)
{
    plans_ids(&cpu,
              "app=bfs input=grid:9x9 mode=portable,specialised,multikernel verify=true "
              "protocol=ticket,lockfree,unsafe global-barrier=xf,patient",
              "bfs/multikernel/grid:9x9\n"
              "bfs/specialised/grid:9x9/global-barrier=xf\n"
              "bfs/specialised/grid:9x9\n"
              "bfs/portable/grid:9x9/protocol=ticket,global-barrier=xf\n"
              "bfs/portable/grid:9x9/protocol=ticket\n"
              "bfs/portable/grid:9x9/global-barrier=xf\n"
              "bfs/portable/grid:9x9\n"
              "bfs/portable/grid:9x9/protocol=unsafe,global-barrier=xf\n"
              "bfs/portable/grid:9x9/protocol=unsafe\n");
    plans_ids(&cpu, "app=bfs input=grid:9x9 mode=portable protocol=ticket,spin global-barrier=xf",
              "bfs/portable/grid:9x9/protocol=ticket,global-barrier=xf/tuning\n"
              "bfs/portable/grid:9x9/protocol=ticket,global-barrier=xf\n"
              "bfs/portable/grid:9x9/protocol=spin,global-barrier=xf\n");
}

/* Only portable has ids whose order can be chosen; a protocol's own needs no name. */
TEST(orders_of_ids)
{
    plans_ids(&cpu,
              "app=bfs input=grid:9x9 mode=portable,specialised verify=true "
              "protocol=unsafe,ticket ids=native,arrival global-barrier=xf",
              "bfs/specialised/grid:9x9/global-barrier=xf\n"
              "bfs/portable/grid:9x9/protocol=unsafe,global-barrier=xf\n"
              "bfs/portable/grid:9x9/protocol=unsafe,ids=arrival,global-barrier=xf\n"
              "bfs/portable/grid:9x9/protocol=ticket,ids=native,global-barrier=xf\n"
              "bfs/portable/grid:9x9/protocol=ticket,global-barrier=xf\n");
    plans_ids(&cpu, "app=bfs input=grid:9x9 mode=portable verify=true ids=shuffled",
              "bfs/portable/grid:9x9/ids=shuffled\n");
}

/* Only a mutex has a delay. */
TEST(delays)
{
    const char *options = "app=bfs input=grid:9x9 mode=portable verify=true wg-size=8 delay=0 "
                          "protocol=ticket,lockfree";
    has_params(&cpu, options, "apps/bfs/portable/grid:9x9/protocol=ticket",
               "{\"app\":\"bfs\",\"input\":\"grid:9x9\",\"input_name\":\"grid:9x9\","
               "\"mode\":\"portable\",\"barrier\":\"atomic\",\"protocol\":\"ticket\","
               "\"delay\":\"0\",\"global-barrier\":\"patient\",\"wg-size\":8,\"verify\":true}");
    has_params(&cpu, options, "apps/bfs/portable/grid:9x9",
               "{\"app\":\"bfs\",\"input\":\"grid:9x9\",\"input_name\":\"grid:9x9\","
               "\"mode\":\"portable\",\"barrier\":\"atomic\",\"protocol\":\"lockfree\","
               "\"delay\":\"adaptive\",\"global-barrier\":\"patient\",\"wg-size\":8,"
               "\"verify\":true}");
}

static bool has_paper(const struct cb_app *app)
{
    return app->paper != NULL;
}

static bool has_paper_once(const struct cb_app *app)
{
    return app->paper_once != NULL;
}

static bool has_baseline(const struct cb_app *app)
{
    return app->paper && app->paper->run_baseline;
}

/* Refuses them with a text in which %s stands for the apps that have what is asked for. */
static void refuses_but_of(bool (*has)(const struct cb_app *app), const char *settings,
                           const char *format)
{
    char apps[256], text[512];
    cb_app_list(has, apps, sizeof apps);
    snprintf(text, sizeof text, format, apps);
    refuses(&cpu, settings, text);
}

/* A variant has its own suited size and, with a baseline, a fifth mode. */
TEST(variants)
{
    plans_ids(&gpu,
              "app=color input=grid:9x9 mode=portable,baseline variant=paper,ours verify=true",
              "color/portable/grid:9x9/variant=paper\ncolor/baseline/grid:9x9/variant=paper\n"
              "color/portable/grid:9x9\n");
    has_params(&gpu, "app=color input=grid:9x9 variant=paper verify=true",
               "apps/color/baseline/grid:9x9/variant=paper",
               "{\"app\":\"color\",\"input\":\"grid:9x9\",\"input_name\":\"grid:9x9\","
               "\"variant\":\"paper\",\"mode\":\"baseline\",\"barrier\":\"atomic\","
               "\"wg-size\":256,\"verify\":true}");
    refuses_but_of(
        has_paper, "app=color,barriers variant=paper",
        "variant: barriers has no variant \"paper\": leave barriers out, or the variant, "
        "which only %s have");
    plans_ids(&gpu, "app=color input=grid:9x9 mode=baseline variant=paper-once verify=true",
              "color/baseline/grid:9x9/variant=paper-once\n");
    refuses_but_of(has_paper_once, "app=bfs,bc variant=paper-once",
                   "variant: bc has no variant \"paper-once\": leave bc out, or the variant, "
                   "which only %s have");
}

/* A mode that none of the apps has is refused by its name; one of some of them means those. */
TEST(missing_mode)
{
    refuses_but_of(has_baseline, "app=dmr mode=baseline",
                   "mode: dmr has no mode baseline: with --variant paper, %s have it");
    refuses_but_of(has_baseline, "app=color mode=baseline",
                   "mode: color has no mode baseline: with --variant paper, %s have it");
    refuses_but_of(
        has_baseline, "app=bfs,octree variant=ours,paper mode=baseline",
        "mode: none of these apps has a mode baseline: with --variant paper, %s have it");
    plans_ids(&cpu,
              "app=bfs,color input=bfs=grid:9x9,color=grid:9x9 mode=baseline variant=paper "
              "verify=true",
              "color/baseline/grid:9x9/variant=paper\n");
    plans_ids(&cpu, "app=dmr input=100 mode=baseline,portable verify=true", "dmr/portable/100\n");
}

/* Tuning follows OOPSLA'16: specialised takes portable's size, and the mean is of ten runs. */
TEST(tuning_by_mean)
{
    struct cb_plan plan =
        plans(&gpu, "app=bfs input=grid:9x9 mode=specialised,portable tune-by=mean");
    assert_int_equal(plan.count, 4);
    assert_string_equal(plan.cases[1].id, "apps/bfs/portable/grid:9x9/tuning");
    assert_int_equal(plan.cases[1].stop.min_runs, 6 + 9);
    assert_int_equal(plan.cases[2].needs, 1);
    assert_int_equal(plan.cases[3].needs, 1);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(plan.cases[2].params, "tune-by")),
                        "mean");
    cb_plan_free(&plan);
}

TEST(wrong_delays)
{
    refuses(&cpu, "delay=soon", "delay: expected a number of turns or adaptive, got \"soon\"");
    refuses(&cpu, "delay=-1", "delay: expected a number of turns or adaptive, got \"-1\"");
    refuses(&cpu, "delay=1x", "delay: expected a number of turns or adaptive, got \"1x\"");
}
