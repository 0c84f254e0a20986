/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/beside.h"

#include <stdio.h>
#include <string.h>

#include "measure/text/json.h"
#include "runtime/host/text.h"

const char *cb_row_beside(const cJSON *row)
{
    return cb_json_text(row, "beside", "");
}

cJSON *cb_run_part(const cJSON *run, bool (*keep)(const cJSON *row, const void *context),
                   const void *context)
{
    cJSON *copy = cJSON_CreateObject(), *item;
    cJSON_ArrayForEach (item, run)
        if (strcmp(item->string, "cases") != 0)
            cJSON_AddItemReferenceToObject(copy, item->string, item);
    cJSON *cases = cJSON_AddArrayToObject(copy, "cases");
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        if (keep(item, context))
            cJSON_AddItemReferenceToArray(cases, item);
    return copy;
}

static bool had_beside(const cJSON *row, const void *beside)
{
    return strcmp(cb_row_beside(row), beside) == 0;
}

cJSON *cb_run_beside(const cJSON *run, const char *beside)
{
    return cb_run_part(run, had_beside, beside);
}

cJSON *cb_run_besides(const cJSON *run, const struct cb_bench *bench)
{
    cJSON *besides = NULL;
    const cJSON *row;
    bool any = false;
    cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        if (strcmp(cb_json_text(row, "bench", ""), bench->id) == 0) {
            cb_json_add_once(&besides, cb_row_beside(row));
            any = any || *cb_row_beside(row);
        }
    if (any)
        return besides;
    cJSON_Delete(besides);
    return NULL;
}

void cb_report_print(FILE *out, const struct cb_bench *bench, const cJSON *run)
{
    cJSON *besides = cb_run_besides(run, bench);
    const cJSON *beside;
    if (!besides)
        bench->report(out, run);
    cJSON_ArrayForEach (beside, besides) {
        cJSON *part = cb_run_beside(run, beside->valuestring);
        if (*beside->valuestring)
            cb_text_print(out, "\nBeside %s\n", beside->valuestring);
        bench->report(out, part);
        cJSON_Delete(part);
    }
    if (besides && bench->report_besides)
        bench->report_besides(out, run);
    cJSON_Delete(besides);
}
