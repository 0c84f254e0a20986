/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/workloads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/rows.h"
#include "measure/text/json.h"
#include "runtime/host/files.h"

static void print(FILE *out, const cJSON *workload)
{
    char *text = cJSON_Print(workload);
    if (text)
        fprintf(out, "%s\n", text);
    free(text);
}

/* To the nanosecond: more digits would be noise. */
static double ms_of(double ns)
{
    return round(ns) / 1e6;
}

static enum cb_status save(const char *folder, const char *file, double period_ns,
                           double duration_ns, struct cb_err *err)
{
    char path[2048], name[64];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    snprintf(name, sizeof name, "sized-%.*s", (int)strcspn(file, "."), file);
    cJSON *workload = cJSON_CreateObject();
    cJSON_AddStringToObject(workload, "schema", "coopbench-workload");
    cJSON_AddStringToObject(workload, "name", name);
    cJSON_AddNumberToObject(workload, "period_ms", ms_of(period_ns));
    cJSON_AddNumberToObject(workload, "duration_ms", ms_of(duration_ns));
    enum cb_status status = cb_replace_file(path, print, workload, err);
    cJSON_Delete(workload);
    return status;
}

enum cb_status cb_graphics_workloads(const cJSON *run, const char *folder, cJSON *names,
                                     struct cb_err *err)
{
    const struct cb_rows rows = {.run = run, .bench = "graphics"};
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        char file[80];
        double period_ns = cb_json_metric(row, "period", "median");
        double duration_ns = cb_json_metric(row, "duration", "median");
        if (isnan(period_ns) || isnan(duration_ns))
            continue;
        snprintf(file, sizeof file, "%.48s.json",
                 cb_json_text(cb_json_params(row), "file", "workload"));
        if (save(folder, file, period_ns, duration_ns, err) != CB_OK)
            return err->status;
        cJSON_AddItemToArray(names, cJSON_CreateString(file));
    }
    return CB_OK;
}
