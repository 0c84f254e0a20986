/* SPDX-License-Identifier: Apache-2.0
 *
 * What preempt concludes, from made-up runs.
 */
#define BENCH "preempt"
#include "findings_fixture.h"

static void add(cJSON *run, const char *place, double share, double overhead)
{
    char params[256];
    snprintf(params, sizeof params,
             "\"app\": \"barriers\", \"input\": \"10\", \"place\": \"%s\", \"workload\": "
             "\"light\", \"duration_ns\": 3e6, \"period_ns\": 7e7, \"groups\": \"N/2\"",
             place);
    cJSON *item = add_case(run, place, "ok", params);
    add_metric(item, "task_groups", 5, NAN, NAN);
    add_metric(item, "deadlines_met", share, NAN, NAN);
    add_metric(item, "overhead", overhead, NAN, NAN);
}

static void both_places(void **unused)
{
    (void)unused;
    cJSON *run = new_run();
    add(run, "process", 1, 1.25);
    add(run, "queue", 0, 1);
    assert_findings(
        run, "in_time: From another process, `light` (3.00 ms of all workgroups every 70.0 ms): "
             "give the task N/2 = 5 workgroups: it met every deadline, and barriers 10 pays 25 % "
             "(too few measurements for an interval).\n"
             "late: On a second queue, `light` (3.00 ms of all workgroups every 70.0 ms) is never "
             "in time; nearest: beside barriers 10, 0 % in time with N/2 = 5 workgroups. Give it "
             "more workgroups or a longer period.\n"
             "next: `coopbench multitask --gpu` tells what cooperation makes of the same tasks.\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
