/* SPDX-License-Identifier: Apache-2.0
 *
 * Google Benchmark's JSON (json_schema_version 1): an iteration entry for each time, with the
 * case's other metrics as counters; the same case in several runs is a repetition. No aggregates:
 * readers take every entry for a benchmark of its own. A case that is not ok has error_occurred,
 * and zeros for times, as Google Benchmark writes it: compare.py and Bencher refuse a file with an
 * entry that has none. Its name has no metric, so that it is never compared with a time.
 */
#include <string.h>

#include "analysis/documents/disturbed.h"
#include "analysis/export/export.h"
#include "measure/text/json.h"

/* A list of the document, as it is; an empty one if it is not known. */
static cJSON *list_or_empty(const cJSON *object, const char *key)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsArray(list) ? cJSON_Duplicate(list, true) : cJSON_CreateArray();
}

static void print_context(FILE *out, const cJSON *run)
{
    int first = 0;
    const cJSON *host = cJSON_GetObjectItemCaseSensitive(run, "host");
    const cJSON *tool = cJSON_GetObjectItemCaseSensitive(run, "tool");
    const cJSON *time = cJSON_GetObjectItemCaseSensitive(run, "time");
    bool debug = strcmp(cb_json_text(tool, "build_type", ""), "Debug") == 0;
    cJSON *context = cJSON_CreateObject();
    cJSON_AddStringToObject(context, "date", cb_json_text(time, "start", ""));
    cJSON_AddStringToObject(context, "host_name", cb_json_text(host, "hostname", ""));
    cJSON_AddStringToObject(context, "executable", "coopbench");
    cb_export_number(context, "num_cpus", cb_json_number(host, "num_cpus"));
    cJSON_AddItemToObject(context, "caches", cJSON_CreateArray());
    cJSON_AddItemToObject(context, "load_avg", list_or_empty(host, "load_avg"));
    cJSON_AddStringToObject(context, "library_version", cb_json_text(tool, "version", ""));
    cJSON_AddStringToObject(context, "library_build_type", debug ? "debug" : "release");
    cJSON_AddNumberToObject(context, "json_schema_version", 1);
    cJSON_AddStringToObject(context, "coopbench_run_id", cb_json_text(run, "run_id", ""));
    cJSON_AddStringToObject(context, "coopbench_cpu_time", "not measured: the same as real_time");
    fputs("{\"context\":", out);
    cb_export_entry(out, &first, context);
}

/* The metrics of the case that are no times, under the names that readers know. */
static void add_counters(cJSON *entry, const cJSON *item)
{
    const cJSON *metric;
    cJSON_ArrayForEach (metric, cJSON_GetObjectItemCaseSensitive(item, "metrics")) {
        const char *unit = cb_json_text(metric, "unit", "");
        const char *key = cb_json_text(metric, "name", "");
        if (strcmp(unit, "B/s") == 0 && !cJSON_HasObjectItem(entry, "bytes_per_second"))
            key = "bytes_per_second";
        else if (strcmp(unit, "ops/s") == 0 && !cJSON_HasObjectItem(entry, "items_per_second"))
            key = "items_per_second";
        if (!cb_export_is_time(metric) && !cJSON_HasObjectItem(entry, key))
            cb_export_number(entry, key, cb_json_number(metric, "median"));
    }
}

static cJSON *make_entry(const char *name, int family, int repetitions, int repetition)
{
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddStringToObject(entry, "name", name);
    cJSON_AddNumberToObject(entry, "family_index", family);
    cJSON_AddNumberToObject(entry, "per_family_instance_index", 0);
    cJSON_AddStringToObject(entry, "run_name", name);
    cJSON_AddStringToObject(entry, "run_type", "iteration");
    cJSON_AddNumberToObject(entry, "repetitions", repetitions);
    cJSON_AddNumberToObject(entry, "repetition_index", repetition);
    cJSON_AddNumberToObject(entry, "threads", 1);
    return entry;
}

static cJSON *make_time(const struct cb_export_row *row, int family)
{
    double median = cb_json_number(row->metric, "median");
    cJSON *entry = make_entry(row->name, family, row->repetitions, row->repetition);
    cb_export_number(entry, "iterations", cb_json_number(row->metric, "n"));
    cJSON_AddNumberToObject(entry, "real_time", median);
    cJSON_AddNumberToObject(entry, "cpu_time", median);
    cJSON_AddStringToObject(entry, "time_unit", "ns");
    add_counters(entry, row->item);
    return entry;
}

static cJSON *make_failure(const cJSON *run, const cJSON *item, int family)
{
    char slug[CB_SLUG_BYTES], name[512], message[1024];
    cb_export_slug(run, cb_export_device(run, item), slug);
    snprintf(name, sizeof name, "%s/%s", slug, cb_json_text(item, "id", ""));
    if (cb_row_is_spoilt(item))
        snprintf(message, sizeof message, "disturbed: another program used the device");
    else
        snprintf(message, sizeof message, "%s: %.900s", cb_json_text(item, "status", "error"),
                 cb_json_text(item, "reason", "no reason given"));
    cJSON *entry = make_entry(name, family, 1, 0);
    cJSON_AddTrueToObject(entry, "error_occurred");
    cJSON_AddStringToObject(entry, "error_message", message);
    cJSON_AddNumberToObject(entry, "iterations", 0);
    cJSON_AddNumberToObject(entry, "real_time", 0);
    cJSON_AddNumberToObject(entry, "cpu_time", 0);
    cJSON_AddStringToObject(entry, "time_unit", "ns");
    return entry;
}

int cb_export_gbench(FILE *out, const struct cb_export *e)
{
    int count = 0, family = 0;
    print_context(out, e->runs[0]);
    fputs(",\n\"benchmarks\": [", out);
    for (size_t i = 0; i < e->n_rows; i++)
        if (cb_export_is_time(e->rows[i].metric))
            cb_export_entry(out, &count, make_time(&e->rows[i], family++));
    for (int i = 0; i < e->n_runs; i++) {
        const cJSON *item;
        cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(e->runs[i], "cases"))
            if (strcmp(cb_json_text(item, "status", ""), "ok") != 0 || cb_row_is_spoilt(item))
                cb_export_entry(out, &count, make_failure(e->runs[i], item, family++));
    }
    fputs("\n]}\n", out);
    return count;
}
