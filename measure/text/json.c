/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/text/json.h"

#include <math.h>
#include <string.h>

#include "runtime/host/text.h"

const char *cb_json_text(const cJSON *object, const char *key, const char *fallback)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : fallback;
}

const char *cb_json_item_text(const cJSON *item)
{
    const char *text = cJSON_GetStringValue(item);
    return text ? text : "";
}

/* The text, or its clean copy in place of it. */
static char *clean(char *text)
{
    size_t n = strlen(text), room = CB_TEXT_ROOM(n);
    char *copy = NULL;
    for (size_t i = 0, k; i < n; i += k)
        if ((k = cb_text_character(text + i)) == 0) {
            copy = cJSON_malloc(room);
            break;
        }
    if (!copy)
        return text;
    cb_text_clean(copy, room, text, n, CB_TEXT_STORED);
    cJSON_free(text);
    return copy;
}

void cb_json_clean(cJSON *tree)
{
    if (!tree)
        return;
    if (cJSON_IsString(tree) && !(tree->type & cJSON_IsReference))
        tree->valuestring = clean(tree->valuestring);
    if (tree->string && !(tree->type & cJSON_StringIsConst))
        tree->string = clean(tree->string);
    for (cJSON *child = tree->child; child; child = child->next)
        cb_json_clean(child);
}

double cb_json_number(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

bool cb_json_put(cJSON *object, const char *key, cJSON *value)
{
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    if (cJSON_AddItemToObject(object, key, value))
        return true;
    cJSON_Delete(value);
    return false;
}

bool cb_json_put_number(cJSON *object, const char *key, double value)
{
    return cb_json_put(object, key, cJSON_CreateNumber(value));
}

double cb_json_metric(const cJSON *item, const char *metric, const char *statistic)
{
    const cJSON *m;
    cJSON_ArrayForEach (m, cJSON_GetObjectItemCaseSensitive(item, "metrics"))
        if (strcmp(cb_json_text(m, "name", ""), metric) == 0)
            return cb_json_number(m, statistic);
    return NAN;
}

const cJSON *cb_json_params(const cJSON *item)
{
    return cJSON_GetObjectItemCaseSensitive(item, "params");
}

const cJSON *cb_json_device(const cJSON *run, const char *id)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices"))
        if (strcmp(cb_json_text(device, "id", ""), id) == 0)
            return device;
    return NULL;
}

int cb_json_add_once(cJSON **texts, const char *text)
{
    const cJSON *item;
    int place = 0;
    cJSON_ArrayForEach (item, *texts) {
        if (strcmp(cJSON_GetStringValue(item), text) == 0)
            return place;
        place++;
    }
    if (!*texts)
        *texts = cJSON_CreateArray();
    cJSON_AddItemToArray(*texts, cJSON_CreateString(text));
    return place;
}
