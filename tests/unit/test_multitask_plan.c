/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases that options of multitask mean, and the files that describe workloads.
 */
#include "temp_folder.h"

#define BENCH "multitask"
#include "bench_fixture.h"

#include "apphost/app.h"
#include "apphost/workload.h"
#include "measure/quick.h"
#include "measure/text/json.h"

static const struct cb_device gpu = {
    .id = "uuid:1", .name = "H200", .type = "gpu", .compute_units = 132, .max_wg_size = 1024};
static const struct cb_device cpu = {
    .id = "name:cpu", .name = "cpu-8", .type = "cpu", .compute_units = 8, .max_wg_size = 4096};

/* --- Helpers ---------------------------------------------------------------------------------- */

static int count_of(const char *settings)
{
    struct cb_plan plan = plans(&cpu, settings);
    int count = plan.count;
    cb_plan_free(&plan);
    return count;
}

static void has_input(const struct cb_device *device, const char *settings, const char *id,
                      const char *input)
{
    struct cb_plan plan = plans(device, settings);
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(case_of(&plan, id)->params, "input");
    assert_string_equal(cJSON_GetStringValue(item), input);
    cb_plan_free(&plan);
}

/* Writes text to a file of the test's folder. Returns its path, until the next call. */
static const char *keep(const char *name, const char *text)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
    return path;
}

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
static void test_default_cases(void **unused)
{
    (void)unused;
    const char *both = KERNEL("bfs", "regular") KERNEL("bfs", "query") KERNEL("bfs", "atomic")
        KERNEL("game", "none");
    plans_ids(&cpu, "app=bfs,game", both);
    plans_ids(&gpu, "app=game,bfs,game", both);
}

/* One barrier, and as many workgroups as a search in the case finds. What is given stays. */
static void test_quick_cases(void **unused)
{
    (void)unused;
    plan_quick = true;
    plans_ids(&gpu, "app=bfs,game workload=heavy",
              "bfs/overhead/barrier=atomic\nbfs/heavy/groups=fewest,barrier=atomic\n"
              "game/overhead/barrier=none\ngame/heavy/groups=fewest,barrier=none\n");
    plans_ids(&gpu, "app=bfs workload=heavy groups=1,N/2 barrier=query",
              "bfs/overhead/barrier=query\nbfs/heavy/groups=1,barrier=query\n"
              "bfs/heavy/groups=N/2,barrier=query\n");
    plan_quick = false;
}

/* What takes seconds to check is a size smaller in quick runs, unless --scale is given. */
static void test_quick_inputs(void **unused)
{
    (void)unused;
    static const struct {
        bool quick;
        const char *settings, *input;
    } rows[] = {{true, "app=octree", "200000:clustered"},
                {true, "app=octree scale=paper", "4000000:clustered"},
                {false, "app=octree", "4000000:clustered"},
                {true, "app=game", "11"}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        plan_quick = rows[i].quick;
        struct cb_plan plan = plans(&gpu, rows[i].settings);
        assert_string_equal(cb_json_text(plan.cases[0].params, "input", ""), rows[i].input);
        cb_plan_free(&plan);
    }
    plan_quick = false;
}

/* Six short runs of each case, of all apps, take less than a minute. */
static void test_quick_runs_are_short(void **unused)
{
    (void)unused;
    const struct cb_device *const devices[] = {&gpu, &cpu};
    plan_quick = true;
    for (size_t d = 0; d < CB_COUNTOF(devices); d++) {
        struct cb_plan plan = plans(devices[d], "");
        double sum_s = 0;
        cb_quick_share(&plan, 0);
        assert_int_equal(plan.count, 7 * (1 + 3));
        for (int i = 0; i < plan.count; i++) {
            assert_int_equal(plan.cases[i].stop.min_runs, 6);
            sum_s += plan.cases[i].expected_s;
        }
        assert_true(sum_s < (devices[d] == &gpu ? 60 : 120));
        cb_plan_free(&plan);
    }
    plan_quick = false;
}

/* All but those that only measure the runtime. */
static void test_all_apps(void **unused)
{
    (void)unused;
    char ids[4096] = "";
    for (int i = 0; cb_apps[i]; i++)
        if (!cb_apps[i]->synthetic)
            snprintf(ids + strlen(ids), sizeof ids - strlen(ids), "%s/overhead/barrier=%s\n",
                     cb_apps[i]->id, cb_apps[i]->offers ? "none" : "query");
    plans_ids(&cpu, "workload=none barrier=query", ids);
    plans_ids(&gpu, "app=game,all workload=none barrier=query", ids);
}

static void test_what_is_asked_for(void **unused)
{
    (void)unused;
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
static void test_no_workload(void **unused)
{
    (void)unused;
    plans_ids(&cpu, "app=bfs,game workload=none",
              "bfs/overhead/barrier=regular\nbfs/overhead/barrier=query\n"
              "bfs/overhead/barrier=atomic\ngame/overhead/barrier=none\n");
    plans_ids(&cpu, "app=game workload=none,light groups=1",
              "game/overhead/barrier=none\ngame/light/groups=1,barrier=none\n");
}

static void test_parameters(void **unused)
{
    (void)unused;
    has_params(&cpu, "", "multitask/bfs/overhead/barrier=query",
               "{\"app\":\"bfs\",\"input\":\"road:264346\",\"barrier\":\"query\",\"wg-size\":1,"
               "\"channel\":\"auto\",\"trace-events\":4096}");
    has_params(&gpu, "", "multitask/game/heavy/groups=N/4,barrier=none",
               "{\"app\":\"game\",\"input\":\"11\",\"barrier\":\"none\",\"wg-size\":256,"
               "\"channel\":\"auto\",\"trace-events\":4096,\"workload\":\"heavy\","
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
               "\"channel\":\"auto\",\"trace-events\":4096,\"workload\":\"medium\","
               "\"period_ns\":40000000,\"duration_ns\":3000000,\"groups\":\"1\",\"tasks\":25,"
               "\"budget_s\":2,\"gather-deadline\":5}");
}

/* --- The matrix ------------------------------------------------------------------------------- */

/* All inputs, which ids name; the rest is as without it. */
/* Only where it is asked for; the runs take longer. */
static void test_power(void **unused)
{
    (void)unused;
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

static void test_matrix_has_all_inputs(void **unused)
{
    (void)unused;
    plans_ids(&gpu, "matrix=true app=bfs,game barrier=atomic workload=heavy groups=N/2",
              "bfs/road/overhead/barrier=atomic\nbfs/road/heavy/groups=N/2,barrier=atomic\n"
              "bfs/rmat/overhead/barrier=atomic\nbfs/rmat/heavy/groups=N/2,barrier=atomic\n"
              "game/depth/overhead/barrier=none\ngame/depth/heavy/groups=N/2,barrier=none\n");
    plans_ids(&gpu, "matrix=true app=bfs input=grid:9x9,/graphs/a.gr barrier=query workload=none",
              "bfs/grid:9x9/overhead/barrier=query\nbfs/a.gr/overhead/barrier=query\n");
    int pairs = 0, all = count_of("matrix=true"), lone = count_of("matrix=true barrier=atomic");
    for (int a = 0; cb_apps[a]; a++)
        for (int i = 0; !cb_apps[a]->synthetic && cb_apps[a]->inputs[i].name; i++)
            pairs += cb_apps[a]->offers ? 1 : 3;
    assert_int_equal(all,
                     13 * pairs); /* three workloads with four numbers of workgroups, and none */
    assert_true(lone < all);
}

static void test_matrix_parameters(void **unused)
{
    (void)unused;
    has_params(&gpu, "matrix=true scale=tiny", "multitask/bfs/rmat/heavy/groups=N/4,barrier=query",
               "{\"app\":\"bfs\",\"input\":\"rmat:14\",\"input_name\":\"rmat\",\"barrier\":"
               "\"query\",\"wg-size\":1024,\"channel\":\"auto\",\"trace-events\":4096,\"workload\":"
               "\"heavy\",\"period_ns\":40000000,\"duration_ns\":10000000,\"groups\":\"N/4\","
               "\"tasks\":100,\"budget_s\":0.2,\"gather-tasks\":60,\"gather-deadline\":5}");
    has_params(&gpu, "matrix=true trace=t", "multitask/game/depth/light/groups=1,barrier=none",
               "{\"app\":\"game\",\"input\":\"11\",\"input_name\":\"depth\",\"barrier\":\"none\","
               "\"wg-size\":256,\"channel\":\"auto\",\"trace-events\":4096,\"workload\":\"light\","
               "\"period_ns\":70000000,\"duration_ns\":3000000,\"groups\":\"1\",\"tasks\":1,"
               "\"budget_s\":0.2,\"gather-tasks\":180,\"gather-deadline\":5,"
               "\"trace\":\"t/game-depth-light-1-none-\"}");
    has_params(&cpu, "matrix=true tasks=7 budget=1.5 gather-tasks=3 scale=tiny",
               "multitask/game/depth/heavy/groups=1,barrier=none",
               "{\"app\":\"game\",\"input\":\"6\",\"input_name\":\"depth\",\"barrier\":\"none\","
               "\"wg-size\":64,\"channel\":\"auto\",\"trace-events\":4096,\"workload\":\"heavy\","
               "\"period_ns\":40000000,\"duration_ns\":10000000,\"groups\":\"1\",\"tasks\":7,"
               "\"budget_s\":1.5,\"gather-tasks\":3,\"gather-deadline\":5}");
}

/* Few runs, and what shares an input together. */
static void test_matrix_takes_little_time(void **unused)
{
    (void)unused;
    struct cb_plan plan = plans(&gpu, "matrix=true app=bfs");
    double expected_s = 0;
    int batches[3] = {0};
    for (int i = 0; i < plan.count; i++) {
        const struct cb_case *c = &plan.cases[i];
        bool lone = strstr(c->id, "groups=1,") != NULL;
        assert_int_equal(c->stop.rule, lone ? CB_STOP_COUNT : CB_STOP_TIME);
        assert_int_equal(c->stop.max_runs, lone ? 1 : 3);
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

/* What shares an input comes together. */
static void test_apps_are_batches(void **unused)
{
    (void)unused;
    struct cb_plan plan = plans(&gpu, "app=bfs,game");
    for (int i = 0; i < plan.count; i++) {
        bool game = strstr(plan.cases[i].id, "/game/") != NULL;
        assert_int_equal(plan.cases[i].batch, game ? 2 : 1);
    }
    cb_plan_free(&plan);
}

static void test_scale(void **unused)
{
    (void)unused;
    has_input(&gpu, "scale=small app=bfs", "multitask/bfs/overhead/barrier=query", "road:264346");
    has_input(&cpu, "scale=tiny app=bfs", "multitask/bfs/overhead/barrier=query", "road:20000");
    has_input(&cpu, "scale=tiny app=bfs input=grid:5x5", "multitask/bfs/overhead/barrier=query",
              "grid:5x5");
}

static void test_cases_are_of_the_bench_and_the_device(void **unused)
{
    (void)unused;
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

/* --- Inputs ----------------------------------------------------------------------------------- */

#define BFS      "multitask/bfs/overhead/barrier=query"
#define GAME     "multitask/game/overhead/barrier=none"
#define BARRIERS "multitask/barriers/overhead/barrier=query"

static void test_inputs_that_suit_the_device(void **unused)
{
    (void)unused;
    has_input(&cpu, "", BFS, "road:264346");
    has_input(&gpu, "", BFS, "road:6262104");
    has_input(&cpu, "input=auto", GAME, "8");
    has_input(&gpu, "input=auto", GAME, "11");
    has_input(&cpu, "app=barriers", BARRIERS, "1000");
    has_input(&gpu, "app=barriers", BARRIERS, "10000");
}

/* An input with a name goes to that kernel; who is given none takes what suits the device. */
static void test_inputs_of_kernels(void **unused)
{
    (void)unused;
    static const char both[] = "input=game=9:44,bfs=grid:60x60";
    has_input(&cpu, both, BFS, "grid:60x60");
    has_input(&cpu, both, GAME, "9:44");
    has_input(&cpu, "input=game=5", BFS, "road:264346");
    has_input(&cpu, "app=bfs input=a/road.gr", BFS, "a/road.gr");
    has_input(&cpu, "app=bfs input=bfs=rmat:8:4", BFS, "rmat:8:4");
    has_input(&cpu, "app=bfs input=bfs=x=y.gr", BFS, "x=y.gr");
}

static void test_wrong_inputs(void **unused)
{
    (void)unused;
    refuses(&cpu, "input=bsf=grid:9x9", "input: \"bsf=grid:9x9\": there is no app bsf");
    refuses(&cpu, "input=grid:9x9", "input: for several apps, say whose it is: bfs=grid:9x9");
    refuses(
        &cpu, "app=bfs input=game=5,rmat:8:4",
        "input: \"game=5\": game does not run: name it with --app, too, or leave its input out");
    refuses(&cpu, "app=bfs,game input=auto,7", "input: for several apps, say whose it is: bfs=7");
}

/* --- Refusals --------------------------------------------------------------------------------- */

static void test_wrong_apps(void **unused)
{
    (void)unused;
    static const char *const wrong[][2] = {
        {"app=gmae", ", got \"gmae\" (did you mean \"game\"?)"},
        {"app=bfs,barrier", ", got \"barrier\" (did you mean \"barriers\"?)"},
        {"app=sorting", ", got \"sorting\""}};
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++) {
        struct cb_plan plan;
        struct cb_err err;
        assert_int_equal(plan_of(&cpu, wrong[i][0], &plan, &err), CB_USAGE);
        const char *end = strstr(err.text, wrong[i][1]);
        assert_int_equal(strncmp(err.text, "app: expected all, barriers, bfs,", 33), 0);
        assert_true(end && strcmp(end, wrong[i][1]) == 0);
        cb_plan_free(&plan);
    }
}

static void test_groups(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {"0",   "N/0", "N-0", "N-",  "N-x", "M",
                                        "1.5", "N/",  "-1",  "N+1", "n",   "N-1-1"};
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++) {
        char settings[64], text[128];
        snprintf(settings, sizeof settings, "groups=N,%s", wrong[i]);
        snprintf(text, sizeof text,
                 "groups: expected a number from 1, N, N/K, KN/L or N-K, got \"%s\"", wrong[i]);
        refuses(&cpu, settings, text);
    }
    assert_int_equal(count_of("app=game workload=light groups=1,4094,N,N/3,N-1,N-17"), 1 + 6);
}

static void test_wg_size_of_the_device(void **unused)
{
    (void)unused;
    refuses(&gpu, "wg-size=1025", "wg-size: H200 takes at most 1024 work-items a workgroup");
    assert_int_equal(count_of("app=game workload=none wg-size=4096"), 1);
    refuses(&cpu, "wg-size=4097", "wg-size: cpu-8 takes at most 4096 work-items a workgroup");
}

/* What the table of parameters itself refuses. */
static void test_values_out_of_range(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *value, *text;
    } rows[] = {
        {"barrier", "qury", "got \"qury\" (did you mean \"query\"?)"},
        {"channel", "que", "got \"que\" (did you mean \"queue\"?)"},
        {"tasks", "0", "expected an integer from 1 to 100000, got \"0\""},
        {"workgroups", "1", "expected an integer from 2 to 4094, got \"1\""},
        {"trace-events", "15", "expected an integer from 16 to 1048576, got \"15\""},
        {"wg-size", "0", "expected an integer from 1 to 65536, got \"0\""},
        {"budget", "0", "got \"0\""},
        {"gather-deadline", "1e9", "got \"1e9\""},
        {"trace", "", "expected a text that is not empty"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        struct cb_err err = {CB_OK, ""};
        cJSON *options = cJSON_CreateObject();
        const struct cb_param *param = cb_param_find(the_bench()->params, rows[i].name);
        assert_non_null(param);
        assert_int_equal(cb_options_set(options, param, rows[i].value, &err), CB_USAGE);
        if (!strstr(err.text, rows[i].text))
            fail_msg("missing \"%s\" in \"%s\"", rows[i].text, err.text);
        cJSON_Delete(options);
    }
}

/* --- Workloads -------------------------------------------------------------------------------- */

static void is_workload(const char *text, const char *name, double period_ns, double duration_ns)
{
    struct cb_workload w;
    struct cb_err err = {CB_OK, ""};
    if (cb_workload_find(text, &w, &err) != CB_OK)
        fail_msg("%s", err.text);
    assert_string_equal(w.name, name);
    assert_true(w.period_ns == period_ns && w.duration_ns == duration_ns);
}

static void test_known_workloads(void **unused)
{
    (void)unused;
    is_workload("light", "light", 70e6, 3e6);
    is_workload("medium", "medium", 40e6, 3e6);
    is_workload("heavy", "heavy", 40e6, 10e6);
}

/* A workload's file: what follows "schema", within the object. */
#define FILE_OF(rest) "{\"schema\": \"coopbench-workload\", " rest "}"
#define NAME_47       "a-name_of-47-letters-and-digits-0123456789-6789"

static void test_workloads_of_files(void **unused)
{
    (void)unused;
    assert_int_equal(strlen(NAME_47), 47);
    is_workload(keep("w.json", FILE_OF("\"name\": \"mine\", \"period_ms\": 40.5,"
                                       "\n\"duration_ms\": 10")),
                "mine", 40.5e6, 10e6);
    is_workload(keep("w.json", FILE_OF("\"duration_ms\": 0.001, \"period_ms\": 3600000,"
                                       "\"name\": \"" NAME_47 "\"") "\n"),
                NAME_47, 3600e9, 1e3);
    char settings[300], expected[512];
    const char *path =
        keep("60hz.json", FILE_OF("\"name\": \"60hz\", \"period_ms\": 16, \"duration_ms\": 2"));
    snprintf(settings, sizeof settings, "app=game workload=%s,light groups=N/2,N-1", path);
    snprintf(expected, sizeof expected,
             "game/overhead/barrier=none\n"
             "game/60hz/groups=N/2,barrier=none\ngame/60hz/groups=N-1,barrier=none\n"
             "game/light/groups=N/2,barrier=none\ngame/light/groups=N-1,barrier=none\n");
    plans_ids(&cpu, settings, expected);
    snprintf(settings, sizeof settings, "app=game workload=%s groups=1", path);
    has_params(&cpu, settings, "multitask/game/60hz/groups=1,barrier=none",
               "{\"app\":\"game\",\"input\":\"8\",\"barrier\":\"none\",\"wg-size\":64,"
               "\"channel\":\"auto\",\"trace-events\":4096,\"workload\":\"60hz\","
               "\"period_ns\":16000000,\"duration_ns\":2000000,\"groups\":\"1\",\"tasks\":25,"
               "\"budget_s\":2,\"gather-deadline\":5}");
}

/* The error is usage, and says this behind the file's path. */
static void file_is_wrong(const char *content, const char *what)
{
    struct cb_workload w;
    struct cb_err err = {CB_OK, ""};
    const char *path = keep("wrong.json", content);
    assert_int_equal(cb_workload_find(path, &w, &err), CB_USAGE);
    assert_int_equal(strncmp(err.text, path, strlen(path)), 0);
    assert_string_equal(err.text + strlen(path), what);
}

#define HINT                                                                                       \
    "; expected {\"schema\": \"coopbench-workload\", \"name\": \"mine\", \"period_ms\": 40, "      \
    "\"duration_ms\": 10}"

static void test_files_that_are_no_workloads(void **unused)
{
    (void)unused;
    file_is_wrong("", ":1: is no JSON" HINT);
    file_is_wrong("{\n\"schema\": \"coopbench-workload\",\n\"name\" \"x\"}", ":3: is no JSON" HINT);
    file_is_wrong("{\n\"schema\": \"x\"}\n\nmore", ":4: is no JSON" HINT);
    file_is_wrong("[]", ": is no workload" HINT);
    file_is_wrong("7", ": is no workload" HINT);
    file_is_wrong("{}", ": is no workload" HINT);
    file_is_wrong("{\"schema\": \"coopbench-config\"}", ": is no workload" HINT);
    file_is_wrong("{\"schema\": 1}", ": is no workload" HINT);
    file_is_wrong(FILE_OF("\"period\": 40"), ": unknown key \"period\"" HINT);
}

#define NAME_HINT ": name: expected 1 to 47 small letters, digits, - or _, got "

static void test_files_with_wrong_names(void **unused)
{
    (void)unused;
    static const char *const names[] = {"", "Mine", "a b", "a/b", "a=b", "a,b", "\xc3\xa4", "a."};
    for (size_t i = 0; i < CB_COUNTOF(names); i++) {
        char content[256], text[256];
        snprintf(content, sizeof content,
                 FILE_OF("\"name\": \"%s\", \"period_ms\": 40, \"duration_ms\": 10"), names[i]);
        snprintf(text, sizeof text, NAME_HINT "\"%s\"", names[i]);
        file_is_wrong(content, text);
    }
    file_is_wrong(FILE_OF("\"period_ms\": 40, \"duration_ms\": 10"), NAME_HINT "\"\"");
    file_is_wrong(FILE_OF("\"name\": 5, \"period_ms\": 40, \"duration_ms\": 10"), NAME_HINT "\"\"");
    file_is_wrong(FILE_OF("\"name\": \"" NAME_47 "x\", \"period_ms\": 40, \"duration_ms\": 10"),
                  NAME_HINT "\"" NAME_47 "x\"");
}

static void test_files_with_wrong_times(void **unused)
{
    (void)unused;
    static const char *const times[] = {"0", "-1", "\"40\"", "null", "3600000.1", "1e999", "[40]"};
    static const char *const expected = ": expected milliseconds, more than 0 and at most 3600000";
    char content[256], text[256];
    for (size_t i = 0; i < 2 * CB_COUNTOF(times); i++) {
        bool period = i % 2 == 0;
        snprintf(content, sizeof content,
                 FILE_OF("\"name\": \"x\", \"period_ms\": %s, \"duration_ms\": %s"),
                 period ? times[i / 2] : "40", period ? "10" : times[i / 2]);
        snprintf(text, sizeof text, ": %s%s", period ? "period_ms" : "duration_ms", expected);
        file_is_wrong(content, text);
    }
    snprintf(text, sizeof text, ": period_ms%s", expected);
    file_is_wrong(FILE_OF("\"name\": \"x\", \"duration_ms\": 10"), text);
    snprintf(text, sizeof text, ": duration_ms%s", expected);
    file_is_wrong(FILE_OF("\"name\": \"x\", \"period_ms\": 10"), text);
}

static void test_workloads_that_are_not_there(void **unused)
{
    (void)unused;
    char settings[128], text[256];
    refuses(
        &cpu, "workload=light,hevy",
        "workload: expected light, medium, heavy or a file, got \"hevy\" (did you mean heavy?)");
    refuses(&cpu, "workload=none.json",
            "workload: expected light, medium, heavy or a file, got \"none.json\" (cannot read "
            "none.json: No such file or directory)");
    snprintf(settings, sizeof settings, "workload=%s", folder);
    snprintf(text, sizeof text,
             "workload: expected light, medium, heavy or a file, got \"%s\" (cannot read %s: Is a "
             "directory)",
             folder, folder);
    refuses(&cpu, settings, text);
}

static void test_too_many_workloads(void **unused)
{
    (void)unused;
    char settings[512] = "app=game groups=1 workload=none,light";
    for (int i = 2; i <= 32; i++)
        strcat(settings, ",light");
    assert_int_equal(count_of(settings), 1 + 32);
    strcat(settings, ",none");
    assert_int_equal(count_of(settings), 1 + 32);
    strcat(settings, ",light");
    refuses(&cpu, settings, "workload: at most 32");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_default_cases),
        TEST(test_quick_cases),
        TEST(test_quick_inputs),
        TEST(test_quick_runs_are_short),
        TEST(test_all_apps),
        TEST(test_what_is_asked_for),
        TEST(test_no_workload),
        TEST(test_parameters),
        TEST(test_power),
        TEST(test_matrix_has_all_inputs),
        TEST(test_matrix_parameters),
        TEST(test_matrix_takes_little_time),
        TEST(test_apps_are_batches),
        TEST(test_scale),
        TEST(test_cases_are_of_the_bench_and_the_device),
        TEST(test_inputs_that_suit_the_device),
        TEST(test_inputs_of_kernels),
        TEST(test_wrong_inputs),
        TEST(test_wrong_apps),
        TEST(test_groups),
        TEST(test_wg_size_of_the_device),
        TEST(test_values_out_of_range),
        TEST(test_known_workloads),
        TEST(test_workloads_of_files),
        TEST(test_files_that_are_no_workloads),
        TEST(test_files_with_wrong_names),
        TEST(test_files_with_wrong_times),
        TEST(test_workloads_that_are_not_there),
        TEST(test_too_many_workloads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
