/* SPDX-License-Identifier: Apache-2.0
 *
 * github-action-benchmark's custom formats: an array of {name, unit, value, range, extra}. The
 * action matches entries by name and takes "range" only as "± NUMBER".
 */
#include <string.h>

#include "analysis/export/export.h"
#include "measure/text/json.h"

static void add_extra(cJSON *entry, const struct cb_export_row *row)
{
    char extra[512];
    const cJSON *tool = cJSON_GetObjectItemCaseSensitive(row->run, "tool");
    snprintf(extra, sizeof extra, "n = %.0f\n%.150s, driver %.100s\ncoopbench %.40s %.40s",
             cb_json_number(row->metric, "n"), cb_json_text(row->device, "name", "unnamed device"),
             cb_json_text(row->device, "driver_version", "unknown"),
             cb_json_text(tool, "version", ""), cb_json_text(tool, "git_sha", ""));
    cJSON_AddStringToObject(entry, "extra", extra);
}

int cb_export_github(FILE *out, const struct cb_export *e)
{
    int count = 0;
    fputc('[', out);
    for (size_t i = 0; i < e->n_rows; i++) {
        const struct cb_export_row *row = &e->rows[i];
        double low, high;
        char range[64];
        if (strcmp(cb_json_text(row->metric, "better", "none"), e->better) != 0)
            continue;
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "name", row->name);
        cJSON_AddStringToObject(entry, "unit", cb_json_text(row->metric, "unit", "1"));
        cb_export_number(entry, "value", cb_json_number(row->metric, "median"));
        if (cb_export_interval(row->metric, &low, &high)) {
            snprintf(range, sizeof range, "± %.9g", (high - low) / 2);
            cJSON_AddStringToObject(entry, "range", range);
        }
        add_extra(entry, row);
        cb_export_entry(out, &count, entry);
    }
    fputs("\n]\n", out);
    return count;
}
