/* SPDX-License-Identifier: Apache-2.0
 *
 * The random cases that a seed means.
 */
#define BENCH "selftest"
#include "bench_fixture.h"
#include "tests/unit/unit.h"

#include "apps/graphs/parts.h"
#include "apps/host/run.h"
#include "measure/text/json.h"
#include "probes/multitask/policies/policy.h"
#include "probes/selftest/plan.h"

static const struct cb_device gpu = {
    .id = "uuid:1", .name = "H200", .type = "gpu", .compute_units = 132, .max_wg_size = 1024};
static const struct cb_device cpu = {
    .id = "name:cpu", .name = "cpu-8", .type = "cpu", .compute_units = 8, .max_wg_size = 4096};

/* --- Helpers ---------------------------------------------------------------------------------- */

static struct cb_plan draws(const struct cb_device *device, uint64_t seed, const char *settings)
{
    plan_seed = seed;
    return plans(device, settings);
}

static const char *text_of(const struct cb_case *c, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(c->params, name));
    if (!text)
        fail_msg("%s: no text %s", c->id, name);
    return text;
}

static double number_of(const struct cb_case *c, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(c->params, name);
    if (!cJSON_IsNumber(item))
        fail_msg("%s: no number %s", c->id, name);
    return item->valuedouble;
}

static bool flag_of(const struct cb_case *c, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(c->params, name);
    if (!cJSON_IsBool(item))
        fail_msg("%s: no flag %s", c->id, name);
    return cJSON_IsTrue(item);
}

static bool same_params(const struct cb_case *a, const struct cb_case *b)
{
    return cJSON_Compare(a->params, b->params, true);
}

/* Cases of two plans, with the same numbers, that have the same parameters. */
static int count_same(const struct cb_plan *a, const struct cb_plan *b)
{
    int same = 0;
    for (int i = 0; i < a->count && i < b->count; i++) {
        assert_string_equal(a->cases[i].id, b->cases[i].id);
        same += same_params(&a->cases[i], &b->cases[i]);
    }
    return same;
}

static int count_with(const struct cb_plan *plan, const char *name, const char *value)
{
    int n = 0;
    for (int i = 0; i < plan->count; i++)
        n += strcmp(cb_json_text(plan->cases[i].params, name, ""), value) == 0;
    return n;
}

/* --- Seeds ------------------------------------------------------------------------------------ */

TEST(same_seed_same_cases)
{
    struct cb_plan a = draws(&cpu, 1, "stress=200"), b = draws(&cpu, 1, "stress=200");
    assert_int_equal(a.count, 200);
    assert_int_equal(count_same(&a, &b), 200);
    cb_plan_free(&a);
    cb_plan_free(&b);
}

/* Neither at the same place nor at another. */
TEST(other_seed_other_cases)
{
    const uint64_t others[] = {0, 2, 3, 1u + (UINT64_C(1) << 32), UINT64_MAX};
    struct cb_plan a = draws(&cpu, 1, "stress=200");
    for (size_t s = 0; s < CB_COUNTOF(others); s++) {
        struct cb_plan b = draws(&cpu, others[s], "stress=200");
        for (int i = 0; i < a.count * b.count; i++)
            assert_false(same_params(&a.cases[i / b.count], &b.cases[i % b.count]));
        cb_plan_free(&b);
    }
    cb_plan_free(&a);
}

/* Fewer cases are the first of more: a case can be run again without those after it. */
TEST(number_decides)
{
    struct cb_plan all = draws(&cpu, 3, "stress=50"), few = draws(&cpu, 3, "stress=7");
    assert_int_equal(few.count, 7);
    assert_int_equal(count_same(&all, &few), 7);
    for (int i = 0; i < all.count; i++)
        for (int k = 0; k < i; k++)
            assert_false(same_params(&all.cases[i], &all.cases[k]));
    cb_plan_free(&all);
    cb_plan_free(&few);
}

/* The kernels that are built for a case come again after 500 cases, and no others do. */
TEST(programs_come_again)
{
    static const char *const built[] = {"app",       "variant", "wg-size",   "resizing",
                                        "semantics", "trace",   "all_modes", "beside"};
    struct cb_plan plan = draws(&gpu, 9, "stress=1100");
    for (int i = 500; i < plan.count; i++) {
        const struct cb_case *now = &plan.cases[i], *before = &plan.cases[i - 500];
        for (size_t b = 0; b < CB_COUNTOF(built); b++)
            assert_true(cJSON_Compare(cJSON_GetObjectItem(now->params, built[b]),
                                      cJSON_GetObjectItem(before->params, built[b]), true) ||
                        !cJSON_HasObjectItem(now->params, built[b]));
        assert_false(same_params(now, before));
    }
    cb_plan_free(&plan);
}

/* A case is the same with its app alone as among all apps: the report's command says so. */
TEST(app_alone)
{
    struct cb_plan all = draws(&gpu, 4, "stress=60");
    for (int a = 0; cb_apps[a]; a++) {
        char settings[64];
        snprintf(settings, sizeof settings, "stress=60 app=%s", cb_apps[a]->id);
        struct cb_plan one = draws(&gpu, 4, settings);
        assert_int_equal(count_with(&one, "app", cb_apps[a]->id), 60);
        assert_int_equal(count_same(&all, &one), count_with(&all, "app", cb_apps[a]->id));
        cb_plan_free(&one);
    }
    cb_plan_free(&all);
}

/* --- Choices ---------------------------------------------------------------------------------- */

static void has_size(const struct cb_case *c, const unsigned *sizes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (number_of(c, "wg-size") == sizes[i])
            return;
    fail_msg("%s: %g work-items a workgroup", c->id, number_of(c, "wg-size"));
}

static void is_share(const struct cb_case *c, const char *name)
{
    double share = number_of(c, name);
    if (!(share >= 0 && share < 1))
        fail_msg("%s: %s %g", c->id, name, share);
}

static void in_bounds(const struct cb_case *c)
{
    static const unsigned cpu_sizes[] = {16, 64}, gpu_sizes[] = {32, 64, 256};
    bool on_cpu = strcmp(c->device->type, "cpu") == 0;
    const struct cb_app *app = cb_app_find(text_of(c, "app"));
    double tasks = number_of(c, "tasks");
    assert_non_null(app);
    has_size(c, on_cpu ? cpu_sizes : gpu_sizes, on_cpu ? 2 : 3);
    is_share(c, "workers");
    is_share(c, "first_groups");
    assert_true(tasks >= CB_SELFTEST_MIN_TASKS && tasks <= CB_SELFTEST_MAX_TASKS);
    if (app->offers)
        assert_string_not_equal(text_of(c, "resizing"), "atomic");
    assert_true(c->own_stop && c->needs < 0);
    assert_true(c->stop.rule == CB_STOP_COUNT && c->stop.min_runs == 1 && c->stop.warmup == 0);
}

TEST(bounds)
{
    const struct cb_device *const devices[] = {&cpu, &gpu};
    for (size_t d = 0; d < CB_COUNTOF(devices); d++) {
        struct cb_plan plan = draws(devices[d], 5, "stress=2000"); /* of 500 programs */
        int modes = 0, untraced = 0, limits = 0;
        for (int i = 0; i < plan.count; i++) {
            in_bounds(&plan.cases[i]);
            modes += flag_of(&plan.cases[i], "all_modes");
            untraced += number_of(&plan.cases[i], "trace") == 0;
            limits += flag_of(&plan.cases[i], "limits");
        }
        assert_in_range(modes, 140, 260);    /* one in ten */
        assert_in_range(untraced, 180, 320); /* one in eight */
        assert_in_range(limits, 900, 1100);  /* half */
        cb_plan_free(&plan);
    }
}

TEST(all_choices_are_made)
{
    struct cb_plan plan = draws(&cpu, 6, "stress=500");
    int apps = 0;
    for (int a = 0; cb_apps[a]; a++)
        apps += !cb_apps[a]->by_name;
    for (int a = 0; cb_apps[a]; a++) { /* half as often as it should be, at least */
        const int n = count_with(&plan, "app", cb_apps[a]->id);
        assert_true(cb_apps[a]->by_name ? n == 0 : n > 500 / apps / 2);
    }
    for (size_t i = 0; i < CB_APP_RESIZINGS; i++)
        assert_true(count_with(&plan, "resizing", cb_app_resizings[i]) > 50);
    for (size_t i = 0; i < CB_APP_SEMANTICS; i++)
        assert_true(count_with(&plan, "semantics", cb_app_semantics[i]) > (i < COOP_ANY ? 50 : 5));
#define IS_DRAWN(name, does) assert_true(count_with(&plan, "policy", #name) > 5);
    CB_POLICIES(IS_DRAWN)
#undef IS_DRAWN
    cb_plan_free(&plan);
}

TEST(chosen_barriers)
{
    struct cb_plan plan = draws(&cpu, 6, "stress=100 resizing=atomic,regular");
    int atomic = count_with(&plan, "resizing", "atomic");
    int instead = count_with(&plan, "resizing", "query"); /* of kernels with offers */
    assert_true(atomic > 20 && instead > 0);
    assert_int_equal(atomic + instead + count_with(&plan, "resizing", "regular"), 100);
    cb_plan_free(&plan);
}

static void is_input(const struct cb_case *c)
{
    const char *input = text_of(c, "input");
    if (strcmp(text_of(c, "app"), "game") == 0) {
        size_t moves = strspn(input + 2 - (input[1] == '\0'), "0123456");
        assert_true(input[0] >= '1' && input[0] <= '6');
        assert_true(moves <= 6 && strlen(input) == (moves ? moves + 2 : 1));
    } else { /* what else there may be: test_generators.c */
        assert_true(cb_graph_is_generated(input));
    }
}

TEST(inputs)
{
    struct cb_plan plan = draws(&cpu, 7, "stress=1000 app=bfs,game");
    for (int i = 0; i < plan.count; i++)
        is_input(&plan.cases[i]);
    cb_plan_free(&plan);
}

/* A small device takes no kernel that is too wide for it. */
TEST(width_of_the_device)
{
    struct cb_device narrow = gpu;
    narrow.max_wg_size = 100;
    struct cb_plan plan = draws(&narrow, 8, "stress=200");
    for (int i = 0; i < plan.count; i++)
        assert_true(number_of(&plan.cases[i], "wg-size") <= 64);
    cb_plan_free(&plan);
}

/* --- Options ---------------------------------------------------------------------------------- */

TEST(ids_and_default_number)
{
    struct cb_plan plan = plans(&cpu, "");
    assert_int_equal(plan.count, 50);
    assert_string_equal(plan.cases[0].id, "selftest/stress/0001");
    assert_string_equal(plan.cases[49].id, "selftest/stress/0050");
    cb_plan_free(&plan);
}

TEST(apps_in_any_order)
{
    struct cb_plan a = draws(&cpu, 9, "stress=40 app=game,bfs");
    struct cb_plan b = draws(&cpu, 9, "stress=40 app=bfs,game,bfs");
    assert_int_equal(count_same(&a, &b), 40);
    assert_int_equal(count_with(&a, "app", "game") + count_with(&a, "app", "bfs"), 40);
    cb_plan_free(&a);
    cb_plan_free(&b);
}

TEST(unknown_app)
{
    static const char *const wrong[][2] = {{"app=gane", "(did you mean \"game\"?)"},
                                           {"app=bfs,bsf", "got \"bsf\" (did you mean \"bfs\"?)"},
                                           {"app=nonsense", "got \"nonsense\""}};
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++) {
        struct cb_plan plan;
        struct cb_err err;
        assert_int_equal(plan_of(&cpu, wrong[i][0], &plan, &err), CB_USAGE);
        if (!strstr(err.text, wrong[i][1]) || !strstr(err.text, "app: expected all, "))
            fail_msg("missing \"%s\" in \"%s\"", wrong[i][1], err.text);
        cb_plan_free(&plan);
    }
}

/* The table of parameters itself refuses these. */
TEST(values_out_of_range)
{
    static const struct {
        const char *name, *value, *text;
    } rows[] = {
        {"stress", "0", "expected an integer from 1 to 99999, got \"0\""},
        {"stress", "100000", "expected an integer from 1 to 99999, got \"100000\""},
        {"stress", "many", "expected an integer from 1 to 99999, got \"many\""},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        struct cb_err err = {CB_OK, ""};
        const struct cb_param *param = cb_param_find(the_bench()->params, rows[i].name);
        assert_non_null(param);
        assert_int_equal(cb_param_check(param, rows[i].value, &err), CB_USAGE);
        assert_string_equal(err.text, rows[i].text);
    }
}
