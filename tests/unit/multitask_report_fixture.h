/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of what multitask makes of runs: runs that are made up.
 */
#pragma once

#include "temp_folder.h"

#define BENCH "multitask"
#include "run_fixture.h"

#include "analysis/documents/rows.h"
#include "measure/text/table.h"

/* A metric whose quartiles are half and double its median, and the 95th percentile 10 times that;
 * of a 99th there were too few samples. */
static inline cJSON *add_spread(cJSON *item, const char *name, double median)
{
    cJSON *metric = add_metric(item, name, median);
    set_statistic(metric, "q1", median / 2);
    set_statistic(metric, "q3", median * 2);
    return set_statistic(metric, "p95", median * 10);
}

#define BFS     "app=bfs input=usa barrier=query "
#define OTHER   "app=bfs input=usa barrier=atomic "
#define REGULAR "app=bfs input=usa barrier=regular "
#define GAME    "app=game input=8 barrier=none "
#define HEAVY   "workload=heavy period_ns=40000000 duration_ns=10000000 "
#define LIGHT   "workload=light period_ns=70000000 duration_ns=3000000 "
#define SUMS    LIGHT "task=reduce "
#define BLUR    "workload=blur period_ns=20000000 task=./blur.json "

/* A case with tasks: their gather time in µs, their execution time in ms; the period is what it
 * should be. */
static inline cJSON *add_tasks(cJSON *run, const char *device, const char *params,
                               const char *groups, double count, double gather_us, double exec_ms,
                               double overhead)
{
    cJSON *item = add_case(run, device, "tasks", "%s groups=%s", params, groups);
    add_spread(item, "task_groups", count);
    add_spread(item, "gather_time", gather_us * 1e3);
    add_spread(item, "exec_time", exec_ms * 1e6);
    add_spread(item, "overhead", overhead);
    add_spread(item, "period", cb_row_number(item, "period_ns"));
    add_mean(item, "deadlines_met", 0.96);
    return item;
}
