/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/old_schema.h"

#include <stdbool.h>
#include <string.h>

#include "measure/text/json.h"
#include "runtime/host/error.h"

/* The factor of each parameter in each row: new = old * factor. */
static const struct {
    const char *bench; /* NULL: of all */
    const char *old, *new;
    double factor;
} renamed[] = {
    {NULL, "wg", "wg-size", 1},
    {NULL, "trace_events", "trace-events", 1},
    {NULL, "gather_tasks", "gather-tasks", 1},
    {NULL, "gather_deadline_s", "gather-deadline", 1},
    {NULL, "resize_deadline_s", "resize-deadline", 1},
    {"preempt", "launch_s", "launch", 1},
    {"throttle", "ride", "launch", 1},
    {"throttle", "hold_s", "hold", 1},
    {"throttle", "idle_s", "idle", 1},
    {"throttle", "power_cap_w", "power-cap", 1},
    {"throttle", "cap_time_s", "cap-time", 1},
    {"throttle", "interval_s", "interval", 1},
    {"discover", "quiet_ns", "quiet-time", 1},
    {"graphics", "confirm_s", "confirm-time", 1},
    {"graphics", "window_s", "window", 1},
    {"graphics", "t_ns", "t", 1e-6},
    {"graphics", "t_min_ns", "t-min", 1e-6},
    {"graphics", "t_max_ns", "t-max", 1e-6},
};

/* In its place: the order of the parameters is that of the CSV's columns. */
static void rename_param(cJSON *params, const char *old, const char *new, double factor)
{
    cJSON *value = cJSON_GetObjectItemCaseSensitive(params, old);
    bool renames = value && !cJSON_GetObjectItemCaseSensitive(params, new);
    char *name = renames ? cJSON_malloc(strlen(new) + 1) : NULL;
    if (!name)
        return;
    strcpy(name, new);
    cJSON_free(value->string);
    value->string = name;
    if (cJSON_IsNumber(value))
        cJSON_SetNumberValue(value, value->valuedouble * factor);
}

void cb_row_renew(cJSON *row)
{
    const char *bench = cb_json_text(row, "bench", "");
    cJSON *params = cJSON_GetObjectItemCaseSensitive(row, "params");
    for (size_t i = 0; i < CB_COUNTOF(renamed) && params; i++)
        if (!renamed[i].bench || strcmp(renamed[i].bench, bench) == 0)
            rename_param(params, renamed[i].old, renamed[i].new, renamed[i].factor);
}

void cb_run_renew(cJSON *run)
{
    cJSON *row, *cases = cJSON_GetObjectItemCaseSensitive(run, "cases");
    if (strncmp(cb_json_text(run, "schema_version", ""), "1.", 2) != 0)
        return;
    cJSON_ArrayForEach (row, cases)
        cb_row_renew(row);
    cJSON_ReplaceItemInObjectCaseSensitive(run, "schema_version", cJSON_CreateString("2.0"));
}
