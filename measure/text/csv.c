/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/text/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "runtime/host/error.h"

/* Whether a spreadsheet would compute it: no number, which has a sign, too. */
static bool is_formula(const char *text)
{
    char *end;
    if (!*text || !strchr("=+-@\t\r", *text))
        return false;
    strtod(text, &end);
    return end == text || *end;
}

void cb_csv_text(FILE *out, const char *text)
{
    if (!text)
        return;
    const char *guard = is_formula(text) ? "'" : "";
    if (!text[strcspn(text, ",\"\r\n")]) {
        fprintf(out, "%s%s", guard, text);
        return;
    }
    fprintf(out, "\"%s", guard);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

/* A scalar; nothing for null, absent, or a structure. */
static void print_value(FILE *out, const cJSON *value)
{
    if (cJSON_IsNumber(value))
        fprintf(out, "%.17g", value->valuedouble);
    else if (cJSON_IsBool(value))
        fputs(cJSON_IsTrue(value) ? "true" : "false", out);
    else
        cb_csv_text(out, cJSON_GetStringValue(value));
}

static void print_field(FILE *out, const cJSON *object, const char *key)
{
    print_value(out, cJSON_GetObjectItemCaseSensitive(object, key));
    fputc(',', out);
}

/* Adds the names of all parameters, in the order of their first appearance, as an object's keys. */
static void add_parameter_names(cJSON *names, const cJSON *cases)
{
    const cJSON *c, *param;
    cJSON_ArrayForEach (c, cases)
        cJSON_ArrayForEach (param, cb_json_params(c))
            if (!cJSON_GetObjectItemCaseSensitive(names, param->string))
                cJSON_AddNullToObject(names, param->string);
}

static const char *const metric_keys[] = {
    "name",   "unit", "better", "n",  "median", "ci95_low", "ci95_high", "mean",
    "stddev", "mad",  "min",    "q1", "q3",     "p95",      "p99",       "max",
};

static void print_header(FILE *out, const cJSON *names)
{
    const cJSON *name;
    fputs("run_id,device_id,device_name,bench,case_id,status,", out);
    cJSON_ArrayForEach (name, names) {
        cb_csv_text(out, name->string);
        fputc(',', out);
    }
    for (size_t i = 0; i < CB_COUNTOF(metric_keys); i++)
        fprintf(out, "%s,", i == 0 ? "metric" : metric_keys[i]);
    fputs("reason\n", out);
}

static void print_line(FILE *out, const cJSON *run, const cJSON *c, const cJSON *names,
                       const cJSON *metric)
{
    const cJSON *name, *params = cb_json_params(c);
    print_field(out, run, "run_id");
    print_field(out, c, "device");
    print_field(out, cb_json_device(run, cb_json_text(c, "device", "")), "name");
    print_field(out, c, "bench");
    print_field(out, c, "id");
    print_field(out, c, "status");
    cJSON_ArrayForEach (name, names)
        print_field(out, params, name->string);
    for (size_t i = 0; i < CB_COUNTOF(metric_keys); i++)
        print_field(out, metric, metric_keys[i]);
    print_value(out, cJSON_GetObjectItemCaseSensitive(c, "reason"));
    fputc('\n', out);
}

static void print_run(FILE *out, const cJSON *run, const cJSON *names)
{
    const cJSON *c, *metric;
    cJSON_ArrayForEach (c, cJSON_GetObjectItemCaseSensitive(run, "cases")) {
        const cJSON *metrics = cJSON_GetObjectItemCaseSensitive(c, "metrics");
        cJSON_ArrayForEach (metric, metrics)
            print_line(out, run, c, names, metric);
        if (cJSON_GetArraySize(metrics) == 0)
            print_line(out, run, c, names, NULL);
    }
}

void cb_csv_runs(FILE *out, const cJSON *const *runs, int n)
{
    cJSON *names = cJSON_CreateObject();
    for (int i = 0; i < n; i++)
        add_parameter_names(names, cJSON_GetObjectItemCaseSensitive(runs[i], "cases"));
    print_header(out, names);
    for (int i = 0; i < n; i++)
        print_run(out, runs[i], names);
    cJSON_Delete(names);
}

void cb_csv_summary(FILE *out, const cJSON *run)
{
    cb_csv_runs(out, &run, 1);
}

void cb_csv_samples(FILE *out, const cJSON *run)
{
    const cJSON *c, *series, *value;
    fputs("case_id,device_id,metric,index,value\n", out);
    cJSON_ArrayForEach (c, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        cJSON_ArrayForEach (series, cJSON_GetObjectItemCaseSensitive(c, "samples")) {
            int index = 0;
            cJSON_ArrayForEach (value, series) {
                print_field(out, c, "id");
                print_field(out, c, "device");
                cb_csv_text(out, series->string);
                fprintf(out, ",%d,%.17g\n", index++, value->valuedouble);
            }
        }
}
