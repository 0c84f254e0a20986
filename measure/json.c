/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/json.h"

#include <math.h>
#include <string.h>

const char *cb_json_text(const cJSON *object, const char *key, const char *fallback)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : fallback;
}

void cb_json_print_text(FILE *out, const char *text)
{
    static const char special[] = "\"\\\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e"
                                  "\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c"
                                  "\x1d\x1e\x1f";
    fputc('"', out);
    for (size_t n; *text; text += n) {
        n = strcspn(text, special);
        fwrite(text, 1, n, out);
        if (text[n])
            fprintf(out, text[n] < 0x20 ? "\\u%04x" : "\\%c", text[n]);
        n += text[n] != '\0';
    }
    fputc('"', out);
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
