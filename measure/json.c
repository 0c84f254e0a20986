/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/json.h"

#include <math.h>
#include <string.h>

const char *cb_json_text(const cJSON *object, const char *key, const char *fallback)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : fallback;
}

double cb_json_number(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

double cb_json_metric(const cJSON *item, const char *metric, const char *statistic)
{
    const cJSON *m;
    cJSON_ArrayForEach (m, cJSON_GetObjectItemCaseSensitive(item, "metrics"))
        if (strcmp(cb_json_text(m, "name", ""), metric) == 0)
            return cb_json_number(m, statistic);
    return NAN;
}

void cb_json_add_once(cJSON **texts, const char *text)
{
    const cJSON *item;
    cJSON_ArrayForEach (item, *texts)
        if (strcmp(cJSON_GetStringValue(item), text) == 0)
            return;
    if (!*texts)
        *texts = cJSON_CreateArray();
    cJSON_AddItemToArray(*texts, cJSON_CreateString(text));
}
