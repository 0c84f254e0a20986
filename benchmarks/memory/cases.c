/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/memory/cases.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "measure/text/json.h"

const cJSON *cb_memory_case(const cJSON *run, const char *device_id, const char *id_format, ...)
{
    char id[160];
    const cJSON *item;
    va_list args;
    va_start(args, id_format);
    vsnprintf(id, sizeof id, id_format, args);
    va_end(args);
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        if (strcmp(cb_json_text(item, "device", ""), device_id) == 0 &&
            strcmp(cb_json_text(item, "id", ""), id) == 0)
            return item;
    return NULL;
}
