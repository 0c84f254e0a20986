/* SPDX-License-Identifier: Apache-2.0
 *
 * What multitask concludes, from made-up runs; preempt's sentences are made by the same code.
 */
#define BENCH "multitask"
#include "findings_fixture.h"

#define NEXT                                                                                       \
    "next: `coopbench preempt --gpu` tells what the driver's own time slicing makes of such "      \
    "tasks.\n"
#define HEAVY "`heavy` (10.0 ms of all workgroups every 40.0 ms)"

/* n workgroups of "N/4" and the like; an interval of 2 % on both sides if there is one. */
static void add(cJSON *run, const char *app, const char *groups, double n, double share,
                double overhead, bool interval)
{
    char params[256];
    snprintf(params, sizeof params,
             "\"app\": \"%s\", \"input\": \"road\", \"barrier\": \"atomic\", \"workload\": "
             "\"heavy\", \"duration_ns\": 1e7, \"period_ns\": 4e7, \"groups\": \"%s\"",
             app, groups);
    cJSON *item = add_case(run, app, "ok", params);
    add_metric(item, "task_groups", n, NAN, NAN);
    add_metric(item, "deadlines_met", share, NAN, NAN);
    add_metric(item, "overhead", overhead, interval ? overhead - 0.02 : NAN, overhead + 0.02);
}

static void the_fewest_in_time(void **unused)
{
    (void)unused;
    cJSON *run = new_run();
    add(run, "bfs", "1", 1, 0, 1.001, true);
    add(run, "bfs", "N/4", 32, 1, 1.03, true);
    add(run, "bfs", "N/2", 65, 1, 1.001, true);
    assert_findings(run, "in_time: " HEAVY ": give the task N/4 = 32 workgroups: it met every "
                         "deadline, and bfs road pays 3 % [1, 5].\n" NEXT);
}

static void a_price_around_nothing(void **unused)
{
    (void)unused;
    cJSON *run = new_run();
    add(run, "bfs", "N/4", 32, 1, 1.01, true);
    assert_findings(run, "in_time: " HEAVY ": give the task N/4 = 32 workgroups: it met every "
                         "deadline, and bfs road pays nothing that these measurements show (1 % "
                         "[-1, 3]).\n" NEXT);
}

static void a_single_sample(void **unused)
{
    (void)unused;
    cJSON *run = new_run();
    add(run, "bfs", "1", 1, 1, 1.03, false);
    assert_findings(run, "in_time: " HEAVY ": give the task 1 workgroups: it met every deadline, "
                         "and bfs road pays 3.0 % (too few measurements for an interval).\n" NEXT);
}

static void several_apps(void **unused)
{
    (void)unused;
    cJSON *run = new_run();
    add(run, "bfs", "N/4", 32, 1, 1.03, true);
    add(run, "mis", "N/4", 32, 1, 1.08, true);
    assert_findings(run, "in_time: " HEAVY " is in time beside all 2 inputs with N/4; mis road "
                         "pays most: 8 % [6, 10].\n" NEXT);
}

static void some_are_late(void **unused)
{
    (void)unused;
    cJSON *run = new_run();
    add(run, "bfs", "N/4", 32, 1, 1.03, true);
    add(run, "game", "N/4", 32, 0.5, 1.08, true);
    add(run, "game", "N-1", 130, 0.839, 1.08, true);
    assert_findings(run, "late: " HEAVY " is in time beside 1 of 2 inputs, of which bfs road pays "
                         "most: 3 % [1, 5]. It is late beside the others; nearest: game road, 83 % "
                         "in time with N-1 = 130 workgroups.\n" NEXT);
}

static void all_are_late(void **unused)
{
    (void)unused;
    cJSON *run = new_run();
    add(run, "bfs", "N/4", 32, 0.97, 1.03, true);
    add_case(run, "bfs", "timeout", "\"app\": \"bfs\", \"workload\": \"heavy\"");
    assert_findings(run,
                    "timeout: 1 of 2 cases passed a deadline: multitask/bfs: because.\n"
                    "late: " HEAVY " is never in time; nearest: beside bfs road, 97 % in time "
                    "with N/4 = 32 workgroups. Give it more workgroups or a longer period.\n" NEXT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fewest_in_time), cmocka_unit_test(a_price_around_nothing),
        cmocka_unit_test(a_single_sample),    cmocka_unit_test(several_apps),
        cmocka_unit_test(some_are_late),      cmocka_unit_test(all_are_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
