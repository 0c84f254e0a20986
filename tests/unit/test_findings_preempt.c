/* SPDX-License-Identifier: Apache-2.0
 *
 * What preempt concludes, from made-up runs.
 */
#define BENCH "preempt"
#include "findings_fixture.h"
#include "tests/unit/unit.h"

static void add(cJSON *run, const char *place, const char *workload, double share, double overhead)
{
    cJSON *item = add_case(
        run, "d", place,
        "app=barriers input=10 place=%s workload=%s duration_ns=3e6 period_ns=7e7 groups=N/2",
        place, workload);
    add_metric(item, "task_groups", 5);
    add_metric(item, "deadlines_met", share);
    add_metric(item, "overhead", overhead);
}

TEST(both_places)
{
    cJSON *run = new_run();
    add(run, "process", "light", 1, 1.25);
    add(run, "queue", "light", 0, 1);
    assert_findings(
        run, "in_time: From another process, give the task `light` (3.00 ms of all workgroups "
             "every 70.0 ms) N/2 = 5 workgroups: it met every deadline, and barriers 10 pays 25 % "
             "(too few measurements for an interval).\n"
             "late: On a second queue, `light` (3.00 ms of all workgroups every 70.0 ms) is late: "
             "at best 0 % in time, beside barriers 10 with N/2 = 5 workgroups.\n"
             "next: `coopbench multitask --gpu` tells what cooperation makes of the same tasks.\n");
}

/* Six answers are two sentences. */
TEST(several_workloads)
{
    static const char *const workloads[] = {"light", "medium", "heavy"};
    cJSON *run = new_run();
    for (int i = 0; i < 3; i++) {
        add(run, "process", workloads[i], 1, 1.25 + i);
        add(run, "queue", workloads[i], 0, 1);
    }
    assert_findings(
        run, "in_time: From another process, give tasks of `light`, `medium` and `heavy` N/2 = 5 "
             "workgroups: they met every deadline, and barriers 10 pays most beside `heavy`: 225 "
             "% (too few measurements for an interval).\n"
             "late: On a second queue, `light`, `medium` and `heavy` are late: at best 0 % in "
             "time, beside barriers 10 with N/2 = 5 workgroups.\n"
             "next: `coopbench multitask --gpu` tells what cooperation makes of the same tasks.\n");
}

static void add_hybrid(cJSON *run, const char *id, double phase, double cooperative, double driver,
                       double ratio, double overhead)
{
    cJSON *item = add_case(run, "d", id,
                           "app=bfs input=9 workload=%s hybrid=true "
                           "groups=N gather-bound=0.0005 phase=%g",
                           id, phase);
    add_metric(item, "answered_cooperatively", cooperative);
    add_metric(item, "answered_by_driver", driver);
    add_metric(item, "hybrid_to_sliced", ratio);
    if (overhead > 0) {
        add_metric(item, "overhead", overhead);
        add_metric(item, "overhead_sliced", 1.5);
    }
}

/* One sentence for each length of phases; no other case is told of. */
TEST(hybrid)
{
    cJSON *run = new_run();
    add_hybrid(run, "light", 1e-5, 20, 0, 0.5, 1.25);
    add_hybrid(run, "heavy", 1e-5, 20, 1, 0.7, 1.25);
    add_hybrid(run, "slow", 0.05, 0, 20, 1.1, 0);
    add_hybrid(run, "some", 0.001, 10, 10, 1.1, 0);
    add_hybrid(run, "late", 0.002, 10, 0, 1.3, 0);
    assert_findings(
        run,
        "hybrid: Beside bfs 9 with phases of 10.0 µs, cooperation serves it: nearly all tasks were "
        "gathered within the bound of 500 µs. Hybrid preemption answers in 0.6 times the time of "
        "time slicing alone (median), and a run of the app takes 1.25 times as long as alone "
        "(sliced: 1.5).\n"
        "hybrid: Beside bfs 9 with phases of 50.0 ms, only the driver serves it: hardly any task "
        "was gathered within the bound of 500 µs. Hybrid preemption answers in 1.1 times the time "
        "of time slicing alone (median).\n"
        "hybrid: Beside bfs 9 with phases of 1.00 ms, keep both: the driver answered some tasks, "
        "and others were gathered within the bound of 500 µs. Hybrid preemption answers in 1.1 "
        "times the time of time slicing alone (median).\n"
        "hybrid: Beside bfs 9 with phases of 2.00 ms, cooperation works, but time slicing answers "
        "sooner: nearly all tasks were gathered within the bound of 500 µs. Hybrid preemption "
        "answers in 1.3 times the time of time slicing alone (median).\n");
}

static void add_pair(cJSON *run, const char *other, double stp)
{
    add_metric(add_case(run, "d", other, "app=bfs input=9 beside=%s", other), "stp", stp);
}

/* Pairs of apps have no tasks, so the findings tell nothing of tasks. */
TEST(pairs)
{
    cJSON *run = new_run();
    add_pair(run, "game", 0.95);
    assert_findings(run,
                    "beside: When bfs and game take turns by the driver, both together do 0.95 "
                    "times as much as one after the other (STP).\n");
    run = new_run();
    add_pair(run, "game", 0.95);
    add_pair(run, "octree", 0.75);
    add_pair(run, "color", 1.25);
    assert_findings(run, "beside: Two apps that take turns by the driver do 0.95 times as much as "
                         "one after the other (STP, median of 3 pairs), bfs and octree least: 0.75 "
                         "times.\n");
}
