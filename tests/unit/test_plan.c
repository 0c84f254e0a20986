/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases that options of the discover benchmark mean.
 */
#define BENCH "discover"
#include "bench_fixture.h"
#include "tests/unit/unit.h"

#include "cli/options.h"
#include "cli/suite/global_params.h"
#include "probes/discover/launch_size.h"
#include "probes/discover/plan.h"

static const struct cb_device gpu = {
    .id = "uuid:1", .name = "H200", .type = "gpu", .max_wg_size = 1024, .local_mem_bytes = 49152};
static const struct cb_device cpu = {.id = "name:cpu",
                                     .name = "cpu-8",
                                     .type = "cpu",
                                     .max_wg_size = 4096,
                                     .local_mem_bytes = 524288};

/* --- Helpers ---------------------------------------------------------------------------------- */

static double number_of(const struct cb_case *c, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(c->params, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* --- Cases ------------------------------------------------------------------------------------ */

#define CASES(name)                                                                                \
    "bound/" name "\nticket/" name "/delay=adaptive\nspin/" name "/delay=adaptive\nlockfree/" name \
    "\n"

TEST(defaults_on_a_gpu)
{
    plans_ids(&gpu, "",
              CASES("11") CASES("L1") CASES("1W") CASES("LW") CASES("wg=32") CASES("wg=64")
                  CASES("wg=128") CASES("wg=256") CASES("wg=512") CASES("wg=1024"));
}

TEST(defaults_on_a_cpu)
{
    plans_ids(&cpu, "",
              CASES("11") CASES("L1") CASES("1W") CASES("LW") CASES("wg=8") CASES("wg=32")
                  CASES("wg=128") CASES("wg=512") CASES("wg=2048"));
}

TEST(microbenchmarks)
{
    static const struct {
        const char *id;
        double wg, local_bytes;
    } rows[] = {{"discover/lockfree/11", 1, 1},
                {"discover/lockfree/L1", 1, 49152},
                {"discover/lockfree/1W", 1024, 1},
                {"discover/lockfree/LW", 1024, 49152}};
    struct cb_plan plan = plans(&gpu, "wg-sizes=none");
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        const struct cb_case *c = case_of(&plan, rows[i].id);
        assert_true(number_of(c, "wg-size") == rows[i].wg);
        assert_true(number_of(c, "local_bytes") == rows[i].local_bytes);
    }
    cb_plan_free(&plan);
    plans_ids(&gpu, "wg-sizes=none microbenchmark=none", "");
}

/* Every case needs the bound of its configuration, which stands before it. */
TEST(starvation)
{
    plans_ids(&gpu, "microbenchmark=none wg-sizes=none starvation=128,none,2",
              "starvation/flag/groups=128\nstarvation/xf/groups=128\n"
              "starvation/flag/groups=2\nstarvation/xf/groups=2\n");
    has_params(&gpu, "microbenchmark=none wg-sizes=none starvation=128",
               "discover/starvation/xf/groups=128",
               "{\"starvation\":\"xf\",\"groups\":128,\"wg-size\":256}");
    static const char *const wrong[] = {"1", "2x", "boundx2", "auto", "bound+65537", "65537"};
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++) {
        char setting[32], why[128];
        snprintf(setting, sizeof setting, "starvation=%s", wrong[i]);
        snprintf(why, sizeof why,
                 "starvation: expected numbers of workgroups from 2 to 65536, bound, bound+K or "
                 "none, got \"%s\"",
                 wrong[i]);
        refuses(&gpu, setting, why);
    }
}

/* One more than run at once needs the bound, which the sweep may have looked for. */
TEST(starvation_of_the_bound)
{
    static const struct {
        const char *before;
        int cases;
    } rows[] = {{"wg-sizes=none", 5}, {"wg-sizes=256", 6}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        char settings[128];
        snprintf(settings, sizeof settings,
                 "microbenchmark=none protocol=lockfree starvation=8,bound+1 %s", rows[i].before);
        struct cb_plan plan = plans(&gpu, settings);
        const int n = rows[i].cases;
        assert_int_equal(plan.count, n);
        assert_string_equal(plan.cases[0].id, "discover/bound/wg=256");
        assert_string_equal(plan.cases[n - 1].id, "discover/starvation/xf/groups=bound+1");
        assert_int_equal(plan.cases[n - 1].needs, 0);
        assert_int_equal(plan.cases[n - 3].needs, -1);
        cb_plan_free(&plan);
    }
    has_params(&gpu, "microbenchmark=none wg-sizes=none starvation=bound+1",
               "discover/starvation/xf/groups=bound+1",
               "{\"starvation\":\"xf\",\"wg-size\":256,\"launch\":\"bound+1\"}");
    refuses(&gpu, "starvation=bound+1 bound=off",
            "starvation: \"bound\" is not known with bound off");
}

TEST(needs)
{
    struct cb_plan plan = plans(&gpu, "");
    for (int i = 0; i < plan.count; i++) {
        const struct cb_case *c = &plan.cases[i];
        if (i % 4 == 0) {
            assert_int_equal(c->needs, -1);
            assert_true(c->own_stop); /* --runs does not repeat a search */
            assert_int_equal(c->stop.min_runs, 1);
            continue;
        }
        assert_int_equal(c->needs, i - i % 4);
        assert_false(c->own_stop);
        assert_true(number_of(c, "wg-size") == number_of(&plan.cases[c->needs], "wg-size"));
        assert_true(number_of(c, "local_bytes") == number_of(&plan.cases[c->needs], "local_bytes"));
    }
    cb_plan_free(&plan);
}

/* Cases of a plan that has some already, as of a second device. */
TEST(needs_in_a_longer_plan)
{
    struct cb_plan plan = plans(&gpu, "wg-sizes=none microbenchmark=11 protocol=lockfree");
    cJSON *options = cJSON_CreateObject();
    struct cb_err err;
    cb_options_complete(options, cb_discover_params);
    assert_int_equal(cb_plan_bench(&plan, the_bench(), &cpu, options, &err), CB_OK);
    assert_int_equal(plan.cases[1].needs, 0);
    assert_ptr_equal(plan.cases[2].device, &cpu);
    assert_int_equal(plan.cases[3].needs, 2);
    cJSON_Delete(options);
    cb_plan_free(&plan);
}

TEST(bound_off)
{
    plans_ids(&gpu, "bound=off wg-sizes=none microbenchmark=11",
              "ticket/11/delay=adaptive\n"
              "spin/11/delay=adaptive\nlockfree/11\n");
    struct cb_plan plan = plans(&gpu, "bound=off wg-sizes=none microbenchmark=11");
    assert_int_equal(plan.cases[0].needs, -1);
    cb_plan_free(&plan);
    refuses(&gpu, "bound=off launch=boundx2", "launch: \"bound\" is not known with bound off");
    refuses(&gpu, "bound=off launch=bound", "launch: \"bound\" is not known with bound off");
}

/* --- Dimensions ------------------------------------------------------------------------------- */

/* Each has its own search; a launch in one dimension is as it always was. */
TEST(dimensions)
{
    plans_ids(&gpu,
              "wg-sizes=none microbenchmark=11 dimensions=1,3 protocol=ticket,lockfree "
              "delay=0 launch=bound",
              "bound/11\nticket/11/delay=0,launch=bound\nlockfree/11/launch=bound\n"
              "bound/11/dimensions=3\nticket/11/delay=0,launch=bound,dimensions=3\n"
              "lockfree/11/launch=bound,dimensions=3\n");
    struct cb_plan plan = plans(&gpu, "wg-sizes=64 microbenchmark=none dimensions=1,2");
    const struct cb_case *c = case_of(&plan, "discover/lockfree/wg=64/dimensions=2");
    assert_true(number_of(c, "dimensions") == 2);
    assert_string_equal(plan.cases[c->needs].id, "discover/bound/wg=64/dimensions=2");
    assert_null(
        cJSON_GetObjectItem(case_of(&plan, "discover/lockfree/wg=64")->params, "dimensions"));
    cb_plan_free(&plan);
}

/* --- Delay ------------------------------------------------------------------------------------ */

TEST(delays)
{
    plans_ids(&gpu, "wg-sizes=none microbenchmark=11 delay=0,100,adaptive",
              "bound/11\nticket/11/delay=0\nticket/11/delay=100\nticket/11/delay=adaptive\n"
              "spin/11/delay=0\nspin/11/delay=100\nspin/11/delay=adaptive\nlockfree/11\n");
    struct cb_plan plan = plans(&gpu, "wg-sizes=none microbenchmark=11 delay=100");
    const cJSON *delay =
        cJSON_GetObjectItem(case_of(&plan, "discover/ticket/11/delay=100")->params, "delay");
    assert_string_equal(cJSON_GetStringValue(delay), "100");
    assert_null(cJSON_GetObjectItem(case_of(&plan, "discover/lockfree/11")->params, "delay"));
    cb_plan_free(&plan);
}

/* A protocol's own order of ids needs no name. */
TEST(orders_of_ids)
{
    plans_ids(&gpu,
              "wg-sizes=none microbenchmark=11 bound=off protocol=ticket,lockfree,unsafe delay=0 "
              "launch=9 ids=arrival,native",
              "ticket/11/delay=0,launch=9\nticket/11/delay=0,ids=native,launch=9\n"
              "lockfree/11/launch=9\nlockfree/11/ids=native,launch=9\n"
              "unsafe/11/ids=arrival,launch=9\nunsafe/11/launch=9\n");
    plans_ids(&gpu, "wg-sizes=none microbenchmark=11 bound=off protocol=lockfree ids=shuffled",
              "lockfree/11/ids=shuffled\n");
}

TEST(wrong_delays)
{
    static const char *const delays[] = {"-1", "1.5", "0x10", "auto", "1000000000"};
    for (size_t i = 0; i < CB_COUNTOF(delays); i++) {
        char settings[64], text[128];
        snprintf(settings, sizeof settings, "delay=%s", delays[i]);
        snprintf(text, sizeof text, "delay: expected a number of turns or adaptive, got \"%s\"",
                 delays[i]);
        refuses(&gpu, settings, text);
    }
}

/* --- Launch ----------------------------------------------------------------------------------- */

TEST(launch_in_ids)
{
    plans_ids(
        &gpu, "wg-sizes=none microbenchmark=11 launch=bound+1",
        "bound/11\nticket/11/delay=adaptive,launch=bound+1\nspin/11/delay=adaptive,launch=bound+1\n"
        "lockfree/11/launch=bound+1\n");
    plans_ids(&gpu, "wg-sizes=none microbenchmark=11 protocol=unsafe launch=64",
              "bound/11\nunsafe/11/launch=64\n");
    refuses(&gpu, "protocol=unsafe",
            "protocol unsafe: say how many workgroups to launch (launch: N, bound, bound+K); above "
            "the bound they deadlock, which is then reported");
}

TEST(launch_sizes)
{
    static const struct {
        const char *text;
        int kind;
        uint64_t n;
    } rows[] = {{"auto", CB_LAUNCH_AUTO, 0},          {"1", CB_LAUNCH_COUNT, 1},
                {"65536", CB_LAUNCH_COUNT, 65536},    {"bound", CB_LAUNCH_BOUND_PLUS, 0},
                {"bound+0", CB_LAUNCH_BOUND_PLUS, 0}, {"bound+12", CB_LAUNCH_BOUND_PLUS, 12},
                {"boundx3", CB_LAUNCH_BOUND_TIMES, 3}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        struct cb_launch_size size;
        struct cb_err err;
        assert_int_equal(cb_launch_size_parse(rows[i].text, &size, &err), CB_OK);
        assert_int_equal(size.kind, rows[i].kind);
        assert_int_equal(size.n, rows[i].n);
    }
}

TEST(wrong_launch_sizes)
{
    static const char *const texts[] = {
        "",       "0",       "-1",      "many",     "1.5",      "8x",       "boundx0", "boundx",
        "bound+", "bound-1", "bound*2", "bound+-1", "bound+1x", "boundx-1", " 8",      "+8"};
    for (size_t i = 0; i < CB_COUNTOF(texts); i++) {
        struct cb_launch_size size;
        struct cb_err err;
        char text[128];
        snprintf(text, sizeof text,
                 "launch: expected a number, auto, bound, bound+K or boundxK, got \"%s\"",
                 texts[i]);
        if (cb_launch_size_parse(texts[i], &size, &err) != CB_USAGE)
            fail_msg("\"%s\" was taken", texts[i]);
        assert_string_equal(err.text, text);
    }
    refuses(&gpu, "launch=1073741825", "launch: at most 1073741824 workgroups");
}

/* --- Workgroup sizes -------------------------------------------------------------------------- */

static void sweeps(const char *sizes, const char *ids)
{
    char settings[128];
    snprintf(settings, sizeof settings,
             "microbenchmark=none bound=off protocol=lockfree wg-sizes=%s", sizes);
    plans_ids(&gpu, settings, ids);
}

TEST(wg_sizes)
{
    sweeps("none", "");
    sweeps("96", "lockfree/wg=96\n");
    sweeps("1,64", "lockfree/wg=1\nlockfree/wg=64\n");
    sweeps("100:300:100", "lockfree/wg=100\nlockfree/wg=200\nlockfree/wg=300\n");
    sweeps("100:299:100,7", "lockfree/wg=100\nlockfree/wg=200\nlockfree/wg=7\n");
    sweeps("512:4096:512", "lockfree/wg=512\nlockfree/wg=1024\n"); /* as far as the device goes */
    struct cb_plan plan = plans(&gpu, "microbenchmark=none bound=off wg-sizes=96");
    assert_int_equal(plan.cases[0].stop.min_runs, 20); /* OOPSLA'16 Section 5.1 */
    assert_true(number_of(&plan.cases[0], "wg-size") == 96);
    cb_plan_free(&plan);
}

TEST(wrong_wg_sizes)
{
    static const char *const unreadable[] = {"x", "-1", "1:2", "1:2:3:4", "1:2:", "64x", "1:-2:3"};
    static const char *const not_rising[] = {"0", "0:8:1", "8:4:1", "1:8:0"};
    char settings[64], text[128];
    for (size_t i = 0; i < CB_COUNTOF(unreadable); i++) {
        snprintf(settings, sizeof settings, "wg-sizes=%s", unreadable[i]);
        snprintf(text, sizeof text,
                 "wg-sizes: expected a size, FIRST:LAST:STEP, auto or none, got \"%s\"",
                 unreadable[i]);
        refuses(&gpu, settings, text);
    }
    for (size_t i = 0; i < CB_COUNTOF(not_rising); i++) {
        snprintf(settings, sizeof settings, "wg-sizes=%s", not_rising[i]);
        snprintf(text, sizeof text, "wg-sizes: \"%s\" is no rising range of sizes from 1",
                 not_rising[i]);
        refuses(&gpu, settings, text);
    }
    refuses(&gpu, "wg-sizes=1025", "wg-sizes: 1025 is over the 1024 that H200 takes");
}

/* --- Parameters ------------------------------------------------------------------------------- */

/* A parameter of the same name would take a global option away from the benchmark's users. Of
 * --beside, what the global one knows is taken out again (cli/suite/beside.c). */
TEST(no_parameter_hides_a_global_option)
{
    for (int i = 0; cb_benches[i]; i++)
        for (const struct cb_param *p = cb_benches[i]->params; p->name; p++) {
            const struct cb_param *global = cb_param_find(cb_global_params, p->name);
            if (global && strcmp(p->name, "beside") != 0)
                fail_msg("--%s of %s hides the global option", p->name, cb_benches[i]->id);
            for (global = cb_global_params; global->name; global++)
                assert_true(!p->letter || p->letter != global->letter);
        }
}
