/* SPDX-License-Identifier: Apache-2.0
 *
 * Bencher Metric Format: {"benchmark": {"measure": {value, lower_value, upper_value}}}. A measure
 * is a slug; Bencher has the device as the testbed (--testbed), but runs with several devices need
 * it in the name as well.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/export/export.h"
#include "measure/text/json.h"

static void add_measure(cJSON *measures, const cJSON *metric)
{
    char slug[CB_SLUG_BYTES];
    double low, high;
    snprintf(slug, sizeof slug, "%s", cb_json_text(metric, "name", ""));
    for (char *c = slug; *c; c++)
        if (*c == '_')
            *c = '-';
    cJSON *measure = cJSON_AddObjectToObject(measures, slug);
    cb_export_number(measure, "value", cb_json_number(metric, "median"));
    if (cb_export_interval(metric, &low, &high)) {
        cJSON_AddNumberToObject(measure, "lower_value", low);
        cJSON_AddNumberToObject(measure, "upper_value", high);
    }
}

static bool has_several_devices(const struct cb_export *e)
{
    for (size_t i = 1; i < e->n_rows; i++)
        if (strcmp(cb_json_text(e->rows[i].item, "device", ""),
                   cb_json_text(e->rows[0].item, "device", "")) != 0)
            return true;
    return false;
}

/* A key and its value, as a line of the outermost object. */
static void print_benchmark(FILE *out, const char *name, cJSON *measures, int *count)
{
    cJSON *key = cJSON_CreateString(name);
    char *key_text = cJSON_PrintUnformatted(key), *text = cJSON_PrintUnformatted(measures);
    if (key_text && text)
        fprintf(out, "%s  %s: %s", (*count)++ ? ",\n" : "\n", key_text, text);
    free(key_text);
    free(text);
    cJSON_Delete(key);
    cJSON_Delete(measures);
}

int cb_export_bmf(FILE *out, const struct cb_export *e)
{
    bool several = has_several_devices(e);
    int count = 0;
    fputc('{', out);
    for (size_t i = 0, k; i < e->n_rows; i = k) {
        const struct cb_export_row *row = &e->rows[i];
        const char *id = cb_json_text(row->item, "id", "");
        char name[512], slug[CB_SLUG_BYTES];
        cb_export_slug(row->run, row->device, slug);
        snprintf(name, sizeof name, "%s%s%s", several ? slug : "", several ? "/" : "", id);
        cJSON *measures = cJSON_CreateObject();
        for (k = i; k < e->n_rows && e->rows[k].item == row->item; k++)
            add_measure(measures, e->rows[k].metric);
        print_benchmark(out, name, measures, &count);
    }
    fputs("\n}\n", out);
    return count;
}
