/* SPDX-License-Identifier: Apache-2.0
 *
 * What multitask concludes, from made-up runs; preempt's sentences are made by the same code.
 */
#define BENCH "multitask"
#include "findings_fixture.h"
#include "tests/unit/unit.h"

#define NEXT                                                                                       \
    "next: `coopbench preempt --gpu` tells what the driver's own time slicing makes of such "      \
    "tasks.\n"
#define HEAVY "`heavy` (10.0 ms of all workgroups every 40.0 ms)"

static cJSON *add_beside(cJSON *run, const char *app, const char *workload, const char *barrier,
                         const char *groups, double n)
{
    cJSON *item =
        add_case(run, "d", app,
                 "app=%s input=road barrier=%s workload=%s duration_ns=1e7 period_ns=4e7 groups=%s",
                 app, barrier, workload, groups);
    add_metric(item, "task_groups", n);
    return item;
}

static void add_outcome(cJSON *item, double share, double overhead, bool interval)
{
    add_metric(item, "deadlines_met", share);
    add_interval(item, "overhead", overhead, interval ? overhead - 0.02 : NAN, overhead + 0.02);
}

/* n workgroups of "N/4" and the like; an interval of 2 % on both sides if there is one. */
static void add(cJSON *run, const char *app, const char *groups, double n, double share,
                double overhead, bool interval)
{
    add_outcome(add_beside(run, app, "heavy", "atomic", groups, n), share, overhead, interval);
}

TEST(the_fewest_in_time)
{
    cJSON *run = new_run();
    add(run, "bfs", "1", 1, 0, 1.001, true);
    add(run, "bfs", "N/4", 32, 1, 1.03, true);
    add(run, "bfs", "N/2", 65, 1, 1.001, true);
    assert_findings(run, "in_time: Give the task " HEAVY " N/4 = 32 workgroups: it met every "
                         "deadline, and bfs road pays 3 % [1, 5].\n" NEXT);
}

TEST(prices_around_and_below_nothing)
{
    cJSON *run = new_run();
    add(run, "bfs", "N/4", 32, 1, 1.01, true);
    assert_findings(run, "in_time: Give the task " HEAVY " N/4 = 32 workgroups: it met every "
                         "deadline, and bfs road pays at most 3.0 % (1 % [-1, 3]).\n" NEXT);
    run = new_run();
    add(run, "bfs", "N/4", 32, 1, 0.95, true);
    assert_findings(run, "in_time: Give the task " HEAVY " N/4 = 32 workgroups: it met every "
                         "deadline, and bfs road pays nothing (a gain of 5 % [3, 7]).\n" NEXT);
}

TEST(a_single_sample)
{
    cJSON *run = new_run();
    add(run, "bfs", "fewest", 1, 1, 1.03, false);
    assert_findings(run, "in_time: Give the task " HEAVY " 1 workgroup: it met every deadline, and "
                         "bfs road pays 3.0 % (too few measurements for an interval).\n" NEXT);
}

TEST(several_apps)
{
    cJSON *run = new_run();
    add(run, "bfs", "N/4", 32, 1, 1.03, true);
    add(run, "mis", "N/4", 32, 0.975, 1.08, true);
    assert_findings(run, "in_time: Give the task " HEAVY " N/4 = 32 workgroups: it met at least 97 "
                         "% of the deadlines beside all 2 inputs, and mis road pays most: 8 % [6, "
                         "10].\n" NEXT);
    run = new_run();
    add(run, "bfs", "fewest", 1, 1, 1.03, true);
    add(run, "mis", "fewest", 6, 1, 1.08, true);
    assert_findings(run, "in_time: Give the task " HEAVY " 1 to 6 workgroups, by the app: it met "
                         "every deadline beside all 2 inputs, and mis road pays most: 8 % [6, "
                         "10].\n" NEXT);
}

TEST(some_are_late)
{
    cJSON *run = new_run();
    add(run, "bfs", "N/4", 32, 1, 1.03, true);
    add(run, "game", "N/4", 32, 0.5, 1.08, true);
    add(run, "game", "N-1", 130, 0.839, 1.08, true);
    assert_findings(run, "late: Give the task " HEAVY " N/4 = 32 workgroups: it met every deadline "
                         "beside 1 of 2 inputs, and bfs road pays 3 % [1, 5]. It is late beside "
                         "the others: at best 83 % in time, beside game road with N-1 = 130 "
                         "workgroups.\n" NEXT);
}

TEST(all_are_late)
{
    cJSON *run = new_run();
    add(run, "bfs", "N/4", 32, 0.87, 1.03, true);
    make_failed(add_case(run, "d", "bfs", "app=bfs workload=heavy"), "timeout");
    assert_findings(run, "timeout: 1 of 2 cases ran past a deadline: multitask/bfs: because.\n"
                         "late: " HEAVY " is late: at best 87 % in time, beside bfs road with N/4 "
                         "= 32 workgroups. Give it more workgroups or a longer period.\n" NEXT);
}

TEST(no_more_workgroups_are_advised_than_there_are)
{
    cJSON *run = new_run(), *item = add_beside(run, "bfs", "heavy", "atomic", "N-1", 6);
    add_metric(item, "workers", 7);
    add_outcome(item, 0.0878, 1.03, true);
    assert_findings(run, "late: " HEAVY " is late: at best 8 % in time, beside bfs road with N-1 = "
                         "6 workgroups. More workgroups there are not: give it a longer "
                         "period.\n" NEXT);
}

TEST(several_workloads)
{
    cJSON *run = new_run();
    add_outcome(add_beside(run, "bfs", "light", "atomic", "1", 1), 1, 1.03, true);
    add_outcome(add_beside(run, "bfs", "medium", "atomic", "N/4", 2), 1, 1.08, true);
    assert_findings(run, "in_time: Give tasks of `light` 1 workgroup, `medium` N/4 = 2 workgroups: "
                         "they met every deadline, and bfs road pays most beside `medium`: 8 % [6, "
                         "10].\n" NEXT);
    run = new_run();
    add_outcome(add_beside(run, "bfs", "light", "atomic", "1", 1), 1, 1.03, true);
    add_outcome(add_beside(run, "bfs", "medium", "atomic", "N/4", 2), 0.2, 1.08, true);
    add_outcome(add_beside(run, "bfs", "heavy", "atomic", "N/4", 2), 0.1, 1.08, true);
    assert_findings(run, "late: Give tasks of `light` 1 workgroup: they met every deadline, and "
                         "bfs road pays most beside `light`: 3 % [1, 5]. `medium` and `heavy` are "
                         "late: at best 20 % in time, beside bfs road with N/4 = 2 workgroups. "
                         "Give them more workgroups or a longer period.\n" NEXT);
}

/* Findings call tasks as the tables do. */
TEST(several_tasks)
{
    cJSON *run = new_run(), *sums = add_beside(run, "bfs", "light", "atomic", "N/4", 2),
          *blur = add_beside(run, "bfs", "blur", "atomic", "1", 1);
    set_params(sums, "task=reduce");
    set_params(blur, "task=./blur.json");
    cJSON_DeleteItemFromObject(cJSON_GetObjectItem(blur, "params"), "duration_ns");
    add_outcome(add_beside(run, "bfs", "light", "atomic", "1", 1), 1, 1.03, true);
    add_outcome(sums, 1, 1.08, true);
    add_outcome(blur, 0.5, 1.5, true);
    assert_findings(run,
                    "late: Give tasks of `light (reduce)` N/4 = 2 workgroups, `light` 1 "
                    "workgroup: they met every deadline, and bfs road pays most beside `light "
                    "(reduce)`: 8 % [6, 10]. `blur` is late: at best 50 % in time, beside bfs "
                    "road with 1 workgroup. Give it more workgroups or a longer period.\n" NEXT);
}

TEST(several_barriers)
{
    cJSON *run = new_run();
    add_outcome(add_beside(run, "bfs", "heavy", "query", "1", 1), 1, 1.08, true);
    add_outcome(add_beside(run, "bfs", "heavy", "atomic", "1", 1), 1, 1.03, true);
    add_outcome(add_beside(run, "bfs", "heavy", "regular", "1", 1), 1, 1.09, true);
    add_outcome(add_beside(run, "mis", "heavy", "atomic", "1", 1), 1, 3, true); /* alone */
    assert_findings(run, "in_time: Give the task " HEAVY " 1 workgroup: it met every deadline "
                         "beside all 2 inputs, and mis road pays most: 200 % [198, 202].\n"
                         "barrier: Use the resizing barrier `atomic`: apps pay 3 % [1, 5] on "
                         "average, with `query` 8 % [6, 10].\n" NEXT);
    run = new_run();
    add_outcome(add_beside(run, "bfs", "heavy", "query", "1", 1), 1, 1.04, true);
    add_outcome(add_beside(run, "bfs", "heavy", "atomic", "1", 1), 1, 1.03, true);
    assert_findings(run, "in_time: Give the task " HEAVY " 1 workgroup: it met every deadline, and "
                         "bfs road pays 3 % [1, 5].\n"
                         "barrier: Which resizing barrier is cheapest, these measurements do not "
                         "tell: with `atomic` apps pay 3 % [1, 5] on average, with `query` 4 % [2, "
                         "6].\n" NEXT);
}

/* A pair by a policy that draws `watts`, give or take 2. */
static void add_watts(cJSON *run, const char *policy, const char *more, double time, double watts)
{
    cJSON *item = add_case(run, "d", policy, "app=octree beside=bfs policy=%s%s", policy, more);
    add_metric(item, "app_groups", 30);
    add_metric(item, "beside_groups", 1);
    add_metric(item, "workers", 131);
    add_metric(item, "app_time", time);
    add_metric(item, "app_time_alone", 1e7);
    add_interval(item, "power", watts, watts - 2, watts + 2);
}

TEST(watts_for_a_rate)
{
    cJSON *run = new_run();
    add_watts(run, "energy", "", 2e7, 300);
    add_watts(run, "fixed", " share=N/2", 1e7, 310);
    assert_findings(run, "energy: With the policy energy, octree has 30 and bfs 1 of 131 "
                         "workgroups: the device draws 300 W, and octree does 50 runs/s of the 50 "
                         "that it is to keep. With fixed shares (N/2) it draws 310 W, for 100 "
                         "runs/s: the policy saves power.\n" NEXT);
    run = new_run();
    add_watts(run, "energy", " app-rate=60", 2e7, 300);
    add_watts(run, "fixed", " share=1", 4e7, 290);
    assert_findings(run, "energy: With the policy energy, octree has 30 and bfs 1 of 131 "
                         "workgroups: the device draws 300 W, and octree does 50 runs/s of the 60 "
                         "that it is to keep, too few. With fixed shares (1) it draws 290 W, for "
                         "25 runs/s: the policy saves none.\n" NEXT);
    run = new_run();
    add_watts(run, "energy", "", 2e7, 300);
    assert_findings(run, "energy: With the policy energy, octree has 30 and bfs 1 of 131 "
                         "workgroups: the device draws 300 W, and octree does 50 runs/s of the 50 "
                         "that it is to keep.\n" NEXT);
}
