/* SPDX-License-Identifier: Apache-2.0
 *
 * The inputs that multitask takes, and the options that it refuses.
 */
#include "multitask_plan_fixture.h"
#include "tests/unit/unit.h"

/* --- Inputs ----------------------------------------------------------------------------------- */

#define BFS      "multitask/bfs/overhead/barrier=query"
#define GAME     "multitask/game/overhead/barrier=none"
#define BARRIERS "multitask/barriers/overhead/barrier=query"

TEST_WITH(inputs_that_suit_the_device, make_folder, remove_folder)
{
    has_input(&cpu, "", BFS, "road:264346");
    has_input(&gpu, "", BFS, "road:6262104");
    has_input(&cpu, "input=auto", GAME, "8");
    has_input(&gpu, "input=auto", GAME, "11");
    has_input(&cpu, "app=barriers", BARRIERS, "1000");
    has_input(&gpu, "app=barriers", BARRIERS, "10000");
}

/* An input with a name goes to that app. The others take an input that suits the device. */
TEST_WITH(inputs_of_kernels, make_folder, remove_folder)
{
    static const char both[] = "input=game=9:44,bfs=grid:60x60";
    has_input(&cpu, both, BFS, "grid:60x60");
    has_input(&cpu, both, GAME, "9:44");
    has_input(&cpu, "input=game=5", BFS, "road:264346");
    has_input(&cpu, "app=bfs input=a/road.gr", BFS, "a/road.gr");
    has_input(&cpu, "app=bfs input=bfs=rmat:8:4", BFS, "rmat:8:4");
    has_input(&cpu, "app=bfs input=bfs=x=y.gr", BFS, "x=y.gr");
}

TEST_WITH(wrong_inputs, make_folder, remove_folder)
{
    refuses(&cpu, "input=bsf=grid:9x9", "input: \"bsf=grid:9x9\": there is no app bsf");
    refuses(&cpu, "input=grid:9x9", "input: for several apps, say whose it is: bfs=grid:9x9");
    refuses(
        &cpu, "app=bfs input=game=5,rmat:8:4",
        "input: \"game=5\": game does not run: name it with --app, too, or leave its input out");
    refuses(&cpu, "app=bfs,game input=auto,7", "input: for several apps, say whose it is: bfs=7");
}

/* --- Refusals --------------------------------------------------------------------------------- */

TEST_WITH(wrong_apps, make_folder, remove_folder)
{
    static const char *const wrong[][2] = {
        {"app=gmae", ", got \"gmae\" (did you mean \"game\"?)"},
        {"app=bfs,barrier", ", got \"barrier\" (did you mean \"barriers\"?)"},
        {"app=sorting", ", got \"sorting\""}};
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++) {
        struct cb_plan plan;
        struct cb_err err;
        assert_int_equal(plan_of(&cpu, wrong[i][0], &plan, &err), CB_USAGE);
        const char *end = strstr(err.text, wrong[i][1]);
        assert_int_equal(strncmp(err.text, "app: expected all, barriers, ", 29), 0);
        assert_true(end && strcmp(end, wrong[i][1]) == 0);
        cb_plan_free(&plan);
    }
}

TEST_WITH(groups, make_folder, remove_folder)
{
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

TEST_WITH(wg_size_of_the_device, make_folder, remove_folder)
{
    refuses(&gpu, "wg-size=1025", "wg-size: H200 takes at most 1024 work-items a workgroup");
    assert_int_equal(count_of("app=game workload=none wg-size=4096"), 1);
    refuses(&cpu, "wg-size=4097", "wg-size: cpu-8 takes at most 4096 work-items a workgroup");
}

TEST_WITH(tasks, make_folder, remove_folder)
{
    static const char expected[] =
        "task: expected matmul, reduce, a kernel, as blur.cl, or a setup, as ./blur.json, got ";
    char text[192];
    snprintf(text, sizeof text, "%s\"redcue\" (did you mean \"reduce\"?)", expected);
    refuses(&cpu, "task=matmul,redcue", text);
    snprintf(text, sizeof text, "%s\"sorting\"", expected);
    refuses(&cpu, "task=blur.cl,sorting", text); /* before a file is read */
    refuses(&cpu, "task=reduce,blur.cl,matmul,a.cl:b,blur.cl kernel=ring.cl",
            "ring.cl: what are its arguments? 'coopbench init ring.cl blur.cl a.cl:b -o "
            "setup.json' writes a first file of them, for --setup setup.json");
}

/* The table of parameters itself refuses these. */
TEST_WITH(values_out_of_range, make_folder, remove_folder)
{
    static const struct wrong_value rows[] = {
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
    refuses_values(rows, CB_COUNTOF(rows));
}
