/* SPDX-License-Identifier: Apache-2.0
 *
 * hyperfine's --export-json, in seconds. Its readers want "user", "system" and an exit code for
 * each run: nothing like it is measured, so they are 0, as the format has no way to leave them out.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/export/export.h"
#include "measure/text/json.h"

#define MOST_CODES 10000000

static void add_seconds(cJSON *entry, const cJSON *metric, const char *key)
{
    cb_export_number(entry, key, cb_json_number(metric, key) / 1e9);
}

static void add_parameters(cJSON *entry, const cJSON *item)
{
    const cJSON *param;
    cJSON *parameters = cJSON_AddObjectToObject(entry, "parameters");
    cJSON_ArrayForEach (param, cb_json_params(item)) {
        char *text = cJSON_IsString(param) ? NULL : cJSON_PrintUnformatted(param);
        cJSON_AddStringToObject(parameters, param->string, text ? text : param->valuestring);
        free(text);
    }
}

/* A zero for each of n samples, as one text: a tree would have an item for each. */
static void add_exit_codes(cJSON *entry, double n)
{
    const size_t codes = n >= 1 ? (size_t)n : 0;
    char *text = malloc(2 * codes + sizeof "[]");
    if (!text)
        return;
    char *end = stpcpy(text, "[");
    for (size_t i = 0; i < codes; i++)
        end = stpcpy(end, i > 0 ? ",0" : "0");
    strcpy(end, "]");
    cJSON_AddRawToObject(entry, "exit_codes", text);
    free(text);
}

static cJSON *make_entry(const struct cb_export_row *row)
{
    const cJSON *metric = row->metric;
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddStringToObject(entry, "command", row->name);
    add_seconds(entry, metric, "mean");
    add_seconds(entry, metric, "stddev");
    if (!cJSON_HasObjectItem(entry, "stddev"))
        cJSON_AddNullToObject(entry, "stddev"); /* as hyperfine after a single run */
    add_seconds(entry, metric, "median");
    cJSON_AddNumberToObject(entry, "user", 0);
    cJSON_AddNumberToObject(entry, "system", 0);
    add_seconds(entry, metric, "min");
    add_seconds(entry, metric, "max");
    add_exit_codes(entry, cb_json_number(metric, "n"));
    add_parameters(entry, row->item);
    return entry;
}

enum cb_status cb_export_hyperfine_check(struct cb_export *e, struct cb_err *err)
{
    double codes = 0;
    for (size_t i = 0; i < e->n_rows; i++) {
        double n = cb_json_number(e->rows[i].metric, "n");
        if (!cb_export_is_time(e->rows[i].metric))
            continue;
        codes += n >= 1 ? n : 0;
        if (codes > MOST_CODES)
            return cb_fail(err, CB_USAGE,
                           "%s: n is %.0f: hyperfine's format needs an exit code for each sample, "
                           "and at most %d are written; '--to gbench' needs none",
                           e->rows[i].name, n, MOST_CODES);
    }
    return CB_OK;
}

int cb_export_hyperfine(FILE *out, const struct cb_export *e)
{
    int count = 0;
    fputs("{\"results\": [", out);
    for (size_t i = 0; i < e->n_rows; i++)
        if (cb_export_is_time(e->rows[i].metric))
            cb_export_entry(out, &count, make_entry(&e->rows[i]));
    fputs("\n]}\n", out);
    return count;
}
