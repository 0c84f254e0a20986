/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases that options of apps mean, and which apps and inputs options choose.
 */
#define BENCH "apps"
#include "apps_fixture.h"
#include "bench_fixture.h"
#include "tests/unit/unit.h"

#include "apps/host/options.h"
#include "measure/text/json.h"
#include "probes/apps/case.h"

static const struct cb_device gpu = {
    .id = "uuid:1", .name = "H200", .type = "gpu", .compute_units = 132, .max_wg_size = 1024};
static const struct cb_device cpu = {
    .id = "name:cpu", .name = "cpu-8", .type = "cpu", .compute_units = 8, .max_wg_size = 4096};

/* --- Helpers ---------------------------------------------------------------------------------- */

static const char *text_of(const struct cb_case *c, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(c->params, key));
}

static void has_text(const struct cb_device *device, const char *settings, const char *id,
                     const char *key, const char *value)
{
    struct cb_plan plan = plans(device, settings);
    assert_string_equal(text_of(case_of(&plan, id), key), value);
    cb_plan_free(&plan);
}

/* The input that the plan gives the first of an app's cases. */
static const char *own_input(const char *app, enum cb_scale scale)
{
    return cb_app_find(app)->inputs[0].spec[scale];
}

/* --- Cases ------------------------------------------------------------------------------------ */

/* First each mode is tuned, then all are measured. */
TEST(cases_of_a_pair)
{
    plans_ids(&cpu, "app=bfs input=grid:9x9",
              "bfs/multikernel/grid:9x9/tuning\nbfs/specialised/grid:9x9/tuning\n"
              "bfs/portable/grid:9x9/tuning\nbfs/cooperative/grid:9x9/tuning\n"
              "bfs/multikernel/grid:9x9\nbfs/specialised/grid:9x9\n"
              "bfs/portable/grid:9x9\nbfs/cooperative/grid:9x9\n");
    plans_ids(&cpu, "app=bfs input=grid:9x9 mode=cooperative,portable",
              "bfs/portable/grid:9x9/tuning\nbfs/cooperative/grid:9x9/tuning\n"
              "bfs/portable/grid:9x9\nbfs/cooperative/grid:9x9\n");
    plans_ids(&cpu, "app=game input=5 mode=portable wg-size=96", "game/portable/5\n");
    plans_ids(&cpu, "app=game input=5 mode=portable verify=true", "game/portable/5\n");
}

static bool is_by_default(int app, const struct cb_app_input *input)
{
    return !cb_apps[app]->synthetic && !input->on_request;
}

TEST(every_app_and_input)
{
    struct cb_plan plan = plans(&gpu, "verify=true");
    int cases = 0;
    for (int a = 0; cb_apps[a]; a++)
        for (const struct cb_app_input *input = cb_apps[a]->inputs; input->name; input++)
            for (unsigned m = 0; m < CB_APP_BASELINE && is_by_default(a, input); m++) {
                char id[192];
                snprintf(id, sizeof id, "apps/%s/%s/%s", cb_apps[a]->id, cb_app_modes[m],
                         input->name);
                assert_string_equal(text_of(case_of(&plan, id), "input"),
                                    input->spec[CB_SCALE_PAPER]);
                cases++;
            }
    assert_true(cases > 0);
    assert_int_equal(plan.count, cases);
    cb_plan_free(&plan);
}

/* The first input of each app, with the size that suits it. What is given stays. */
TEST(quick)
{
    plans_ids(&cpu, "quick=true app=bfs mode=portable,specialised",
              "bfs/specialised/road\nbfs/portable/road\n");
    plans_ids(&cpu, "quick=true app=bfs mode=portable input=auto",
              "bfs/portable/road\nbfs/portable/rmat\n");
    plans_ids(&cpu, "quick=true app=bfs mode=portable input=grid:9x9 wg-size=auto",
              "bfs/portable/grid:9x9/tuning\nbfs/portable/grid:9x9\n");
    struct cb_plan plan = plans(&cpu, "quick=true");
    assert_int_equal(plan.count, count_apps() * CB_APP_BASELINE);
    for (int i = 0; i < plan.count; i++)
        assert_true(cb_json_number(plan.cases[i].params, "wg-size") >= 1);
    cb_plan_free(&plan);
}

/* The modes of a pair are tuned in one group, measured in another, and each needs its tuning. Both
 * are a batch: they have the input in common. */
TEST(groups)
{
    struct cb_plan plan = plans(&gpu, "app=bfs,game input=bfs=grid:9x9,bfs=rmat:4,game=5");
    assert_int_equal(plan.count, 3 * 2 * CB_APP_BASELINE);
    for (int i = 0; i < plan.count; i++) {
        const struct cb_case *c = &plan.cases[i];
        int pair = i / (2 * CB_APP_BASELINE), place = i % (2 * CB_APP_BASELINE);
        bool tuning = place < CB_APP_BASELINE;
        assert_ptr_equal(c->device, &gpu);
        assert_int_equal(c->group, 2 * pair + (tuning ? 1 : 2));
        assert_int_equal(c->batch, 1 + pair);
        assert_int_equal(c->needs, tuning ? -1 : i - CB_APP_BASELINE);
        assert_int_equal(c->own_stop, tuning);
        assert_int_equal(c->stop.warmup, !tuning);
        assert_int_equal(c->stop.min_runs, tuning ? 6 + 4 : 20); /* a size each, and four more */
    }
    cb_plan_free(&plan);
}

TEST(verify_runs_once)
{
    struct cb_plan plan = plans(&cpu, "app=bfs verify=true");
    for (int i = 0; i < plan.count; i++) {
        assert_int_equal(plan.cases[i].needs, -1);
        assert_int_equal(plan.cases[i].stop.warmup, 0);
        assert_int_equal(plan.cases[i].stop.min_runs, 1);
        assert_false(plan.cases[i].own_stop); /* unless the user says more */
    }
    cb_plan_free(&plan);
}

/* --- Parameters ------------------------------------------------------------------------------- */

TEST(parameters)
{
    has_params(&gpu, "app=bfs input=a/b.gr", "apps/bfs/portable/b.gr/tuning",
               "{\"app\":\"bfs\",\"input\":\"a/b.gr\",\"input_name\":\"b.gr\","
               "\"mode\":\"portable\",\"barrier\":\"atomic\",\"protocol\":\"lockfree\","
               "\"delay\":\"adaptive\",\"global-barrier\":\"patient\","
               "\"sizes\":\"1024,512,256,128,64,32\",\"budget_s\":60}");
    has_params(&cpu, "app=bfs input=a/b.gr barrier=query workgroups=5 tune-budget=0.5",
               "apps/bfs/portable/b.gr",
               "{\"app\":\"bfs\",\"input\":\"a/b.gr\",\"input_name\":\"b.gr\","
               "\"mode\":\"portable\",\"barrier\":\"atomic\",\"workgroups\":5,"
               "\"protocol\":\"lockfree\",\"delay\":\"adaptive\","
               "\"global-barrier\":\"patient\",\"verify\":false}");
    has_params(&cpu, "app=bfs input=a/b.gr protocol=ticket delay=12 global-barrier=xf verify=true",
               "apps/bfs/specialised/b.gr/global-barrier=xf",
               "{\"app\":\"bfs\",\"input\":\"a/b.gr\",\"input_name\":\"b.gr\","
               "\"mode\":\"specialised\",\"barrier\":\"atomic\",\"global-barrier\":\"xf\","
               "\"wg-size\":1,\"verify\":true}");
    has_params(&gpu, "app=game input=7 verify=true", "apps/game/multikernel/7",
               "{\"app\":\"game\",\"input\":\"7\",\"input_name\":\"7\",\"mode\":\"multikernel\","
               "\"barrier\":\"none\",\"wg-size\":256,\"verify\":true}");
}

/* The size that suits the app comes first, then those next to it. */
TEST(sizes)
{
    static const char id[] = "apps/game/portable/5/tuning";
    struct cb_device small = gpu;
    has_text(&gpu, "app=game input=5", id, "sizes", "256,128,512,64,1024,32");
    has_text(&cpu, "app=game input=5", id, "sizes", "64,32,128,16,256,8,512,4,1024,2,2048,1,4096");
    small.max_wg_size = 128;
    has_text(&small, "app=game input=5", id, "sizes", "128,64,32");
    small.max_wg_size = 200;
    has_text(&small, "app=game input=5", id, "sizes", "128,64,32");
    small.max_wg_size = 16;
    has_text(&small, "app=game input=5", id, "sizes", "16,8,4,2,1");
    has_text(&gpu, "app=game input=5 wg-size=64,1024,16", id, "sizes", "64,1024,16");
}

TEST(scales)
{
    char id[128];
    snprintf(id, sizeof id, "apps/bfs/portable/%s", cb_app_find("bfs")->inputs[0].name);
    has_text(&cpu, "app=bfs", id, "input", own_input("bfs", CB_SCALE_SMALL));
    has_text(&gpu, "app=bfs", id, "input", own_input("bfs", CB_SCALE_PAPER));
    has_text(&gpu, "app=bfs scale=tiny", id, "input", own_input("bfs", CB_SCALE_TINY));
    has_text(&cpu, "app=bfs scale=paper", id, "input", own_input("bfs", CB_SCALE_PAPER));
}

/* --- Refusals --------------------------------------------------------------------------------- */

TEST(wrong_sizes)
{
    static const char *const wrong[] = {"0", "64,0", "64,96", "64,3", "x", "64,auto", "-64", "64x"};
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++) {
        char settings[64], expected[160];
        const char *comma = strchr(wrong[i], ',');
        snprintf(settings, sizeof settings, "wg-size=%s", wrong[i]);
        snprintf(expected, sizeof expected,
                 "wg-size: expected auto, suited, one size, or several powers of two from 1 to "
                 "8192, got "
                 "\"%s\"",
                 comma ? comma + 1 : wrong[i]);
        refuses(&cpu, settings, expected);
    }
    refuses(&gpu, "wg-size=64,2048", "wg-size: H200 takes at most 1024 work-items a workgroup");
    refuses(&gpu, "wg-size=1025", "wg-size: H200 takes at most 1024 work-items a workgroup");
    refuses(&gpu, "wg-size=64,32,64", "wg-size: 64 is named twice");
    refuses(&gpu, "wg-size=64,32 verify=true",
            "wg-size: --verify takes one size, for it tunes nothing");
}

TEST(wrong_apps_and_inputs)
{
    struct cb_plan plan;
    struct cb_err err;
    assert_int_equal(plan_of(&cpu, "app=bsf", &plan, &err), CB_USAGE);
    assert_non_null(strstr(err.text, ", got \"bsf\" (did you mean \"bfs\"?)"));
    cb_plan_free(&plan);
    refuses(&cpu, "input=bsf=grid:9x9", "input: \"bsf=grid:9x9\": there is no app bsf");
    refuses(&cpu, "app=bfs,game input=bfs=grid:9x9,color=grid:9x9",
            "input: \"color=grid:9x9\": color does not run: name it with --app, too, or leave its "
            "input out");
    refuses(&cpu, "input=barriers=5", /* "all" is without those that only measure the runtime */
            "input: \"barriers=5\": barriers does not run: name it with --app, too, or leave its "
            "input out");
    refuses(&cpu, "input=grid:9x9", "input: for several apps, say whose it is: bfs=grid:9x9");
    refuses(&cpu, "app=bfs input=raod",
            "input: bfs has no input \"raod\", and there is no such file: its own are road, rmat, "
            "uniform, usa; 'coopbench list apps' tells what else it takes");
    refuses(
        &cpu, "input=mis=usa",
        "input: mis has no input \"usa\", and there is no such file: its own are grid, circuit; "
        "'coopbench list apps' tells what else it takes");
    refuses(&cpu, "app=octree variant=ours,paper input=clustered",
            "input: octree has no input \"clustered\", and there is no such file: its own are "
            "hundreds; 'coopbench list apps' tells what else it takes");
}

/* --- Counts in inputs ------------------------------------------------------------------------- */

TEST(counts)
{
    static const char *const wrong[] = {"",
                                        " 5",
                                        "+5",
                                        "-5",
                                        "-18446744073709551611",
                                        "0x5",
                                        "5 ",
                                        "5k",
                                        "5:1",
                                        "five",
                                        ":",
                                        "2",
                                        "11",
                                        "4294967301",
                                        "18446744073709551621",
                                        "99999999999999999999999999"};
    uint32_t count = 0;
    const char *rest = NULL;
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++)
        if (cb_app_read_count(wrong[i], 3, 10, &count, NULL))
            fail_msg("\"%s\" is %u", wrong[i], count);
    assert_true(cb_app_read_count("3", 3, 10, &count, NULL) && count == 3);
    assert_true(cb_app_read_count("010", 3, 10, &count, NULL) && count == 10);
    assert_true(cb_app_read_count("4294967295", 1, UINT32_MAX, &count, NULL));
    assert_int_equal(count, UINT32_MAX);
    assert_true(cb_app_read_count("7:334", 3, 10, &count, &rest) && count == 7);
    assert_string_equal(rest, ":334");
    assert_true(cb_app_read_count("8", 3, 10, &count, &rest) && count == 8);
    assert_string_equal(rest, "");
    assert_false(cb_app_read_count("8;1", 3, 10, &count, &rest));
}

/* --- Which inputs an app gets ----------------------------------------------------------------- */

/* Checks which inputs an app takes from an --input that has "name=spec" of several apps. */
static void chooses(const char *app, const char *input, const char *expected)
{
    static const struct cb_param param = {.name = "input", .into.kind = CB_FIELD_TEXTS};
    struct cb_app_choice choices[CB_APP_MAX_CHOICES];
    struct cb_err err;
    char text[8192] = "";
    cJSON *options = cJSON_CreateObject();
    assert_int_equal(cb_options_set(options, &param, input, &err), CB_OK);
    const struct cb_app_options inputs = {
        .inputs = {cJSON_GetObjectItem(options, "input"), cb_options_count(options, "input")}};
    int n = cb_app_choices(&inputs, cb_app_find(app), CB_SCALE_TINY, choices);
    for (int i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.63s=%.99s", i ? " " : "",
                 choices[i].name, cb_app_choice_spec(&choices[i]));
    assert_string_equal(text, expected);
    cJSON_Delete(options);
}

TEST(choices)
{
    chooses("bfs", "grid:9x9", "grid:9x9=grid:9x9");
    chooses("bfs", "a/b/c.gr,rmat:4", "c.gr=a/b/c.gr rmat:4=rmat:4");
    chooses("bfs", "game=5,bfs=x/y=z.gr,bfs=rmat:4", "y=z.gr=x/y=z.gr rmat:4=rmat:4");
    chooses("bfs", "rmat:5,bfs=rmat:4", "rmat:4=rmat:4"); /* its own before anybody's */
    chooses("barriers", "auto", "barriers=300");
    chooses("barriers", "bfs=rmat:4", "barriers=300");
    chooses("barriers", "auto,7", "7=7");
}

/* By name, those on request, too, and before any file; the others of an app are left out then. */
TEST(choices_by_name)
{
    chooses("bfs", "auto", "road=road:20000 rmat=rmat:14");
    chooses("bfs", "usa", "usa=road:20000");
    chooses("bfs", "bfs=uniform,bfs=rmat,bfs=./road,mis=circuit",
            "uniform=directed:16384x65536 rmat=rmat:14 road=./road");
    chooses("mis", "bfs=uniform,mis=circuit", "circuit=circuit:5000");
    chooses("color", "bfs=uniform,mis=circuit", "grid=grid:60x60 circuit=circuit:5000");
    chooses("bc", "bc=2k-1m", "2k-1m=directed:256x8192@8");
    plans_ids(&gpu, "app=bfs input=road mode=portable wg-size=96", "bfs/portable/road\n");
    has_text(&gpu, "app=bfs input=usa", "apps/bfs/portable/usa", "input", "road:23947347");
}

/* --- The best size ---------------------------------------------------------------------------- */

TEST(best_size)
{
    static const struct {
        const char *medians;
        size_t best;
    } rows[] = {
        {"{\"wg_32\": 5, \"wg_1024\": 4.9, \"wg_64\": 6}", 1024},
        {"{\"run_time\": 1, \"wg_32\": 5}", 32},
        {"{\"wg_64\": 5, \"wg_32\": 5}", 64}, /* of equals, the first */
        {"{\"run_time\": 1}", 0},
        {"null", 0},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        cJSON *medians = cJSON_Parse(rows[i].medians);
        assert_int_equal(cb_apps_best_size(medians), rows[i].best);
        cJSON_Delete(medians);
    }
}

/* Every size that can be tuned has a metric. */
TEST(metrics_of_sizes)
{
    int sizes = 0;
    for (unsigned size = CB_APPS_LEAST_SIZE; size <= CB_APPS_MOST_SIZE; size *= 2, sizes++) {
        char name[32];
        bool found = false;
        snprintf(name, sizeof name, "wg_%u", size);
        for (const struct cb_metric *m = the_bench()->metrics; m->name; m++)
            found |= strcmp(m->name, name) == 0;
        assert_true(found);
    }
    assert_int_equal(sizes, CB_APPS_MAX_SIZES);
}
