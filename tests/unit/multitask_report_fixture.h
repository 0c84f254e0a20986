/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of what multitask makes of runs: runs that are made up.
 */
#pragma once

#include "temp_folder.h"

#define BENCH "multitask"
#include "bench_fixture.h"
#include "measure/text/table.h"

/* --- Made-up runs ----------------------------------------------------------------------------- */

static inline cJSON *empty_run(void)
{
    return cJSON_Parse("{\"run_id\": \"first\", \"devices\": [{\"id\": \"d\", \"name\": \"GPU\"},"
                       " {\"id\": \"e\", \"name\": \"CPU\"}], \"cases\": []}");
}

static inline cJSON *add_case(cJSON *run, const char *device, const char *params)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"bench\": \"multitask\", \"device\": \"%s\", \"status\": \"ok\", \"params\": {%s},"
             " \"metrics\": []}",
             device, params);
    return add_item(run, text);
}

/* Of a metric: the median, with quartiles half and double, and the 95th percentile 10 times that.
 */
static inline void add_metric(cJSON *item, const char *name, double median)
{
    cJSON *metric = cJSON_CreateObject();
    cJSON_AddStringToObject(metric, "name", name);
    cJSON_AddNumberToObject(metric, "median", median);
    cJSON_AddNumberToObject(metric, "mean", median);
    cJSON_AddNumberToObject(metric, "q1", median / 2);
    cJSON_AddNumberToObject(metric, "q3", median * 2);
    cJSON_AddNumberToObject(metric, "p95", median * 10);
    cJSON_AddItemToObject(metric, "p99", cJSON_CreateNull());
    cJSON_AddItemToArray(cJSON_GetObjectItem(item, "metrics"), metric);
}

#define BFS   "\"app\": \"bfs\", \"input\": \"usa\", \"barrier\": \"query\""
#define OTHER "\"app\": \"bfs\", \"input\": \"usa\", \"barrier\": \"atomic\""
#define GAME  "\"app\": \"game\", \"input\": \"8\", \"barrier\": \"none\""
#define HEAVY "\"workload\": \"heavy\", \"period_ns\": 40000000, \"duration_ns\": 10000000"
#define LIGHT "\"workload\": \"light\", \"period_ns\": 70000000, \"duration_ns\": 3000000"
#define SUMS  LIGHT ", \"task\": \"reduce\""
#define BLUR  "\"workload\": \"blur\", \"period_ns\": 20000000, \"task\": \"./blur.json\""

/* A case with tasks: the gather time is as many µs, the execution time as many ms, as ...; the
 * period is what it should be. */
static inline cJSON *add_tasks(cJSON *run, const char *device, const char *params,
                               const char *groups, double count, double gather_us, double exec_ms,
                               double overhead)
{
    char text[512];
    snprintf(text, sizeof text, "%s, \"groups\": \"%s\"", params, groups);
    cJSON *item = add_case(run, device, text);
    add_metric(item, "task_groups", count);
    add_metric(item, "gather_time", gather_us * 1e3);
    add_metric(item, "exec_time", exec_ms * 1e6);
    add_metric(item, "overhead", overhead);
    add_metric(item, "period",
               cJSON_GetObjectItem(cJSON_GetObjectItem(item, "params"), "period_ns")->valuedouble);
    add_metric(item, "deadlines_met", 0.96);
    return item;
}
