/* SPDX-License-Identifier: Apache-2.0
 *
 * Made-up runs, for tests of what a bench makes of a run. BENCH is its id, defined before this is
 * included. A parameter or a metric that no row of the bench's tables has fails the test at once.
 */
#pragma once

#include "bench_fixture.h"
#include "measure/text/json.h"

#include <math.h>
#include <stdarg.h>

/* --- Runs ------------------------------------------------------------------------------------- */

static inline void add_device(cJSON *run, const char *id, const char *name)
{
    cJSON *device = cJSON_CreateObject();
    cJSON_AddStringToObject(device, "id", id);
    cJSON_AddStringToObject(device, "index", "1:0");
    cJSON_AddStringToObject(device, "name", name);
    cJSON_AddNumberToObject(device, "compute_units", 4);
    cJSON_AddItemToArray(cJSON_GetObjectItem(run, "devices"), device);
}

/* A run without cases, of a GPU "d" and a CPU "e"; its command line had --gpu. */
static inline cJSON *new_run(void)
{
    cJSON *run = cJSON_Parse("{\"run_id\": \"first\", \"invocation\": {\"seed\": \"7\", "
                             "\"settings\": {\"gpu\": [\"true\"]}}, \"devices\": [], "
                             "\"cases\": []}");
    assert_non_null(run);
    add_device(run, "d", "GPU");
    add_device(run, "e", "CPU");
    return run;
}

/* Replaces a text of a run, a device or a case, such as its "status". Returns the object. */
static inline cJSON *set_text(cJSON *object, const char *key, const char *text)
{
    assert_true(cJSON_ReplaceItemInObject(object, key, cJSON_CreateString(text)));
    return object;
}

static inline void rename_devices(cJSON *run, const char *name)
{
    cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItem(run, "devices"))
        set_text(device, "name", name);
}

/* --- Cases ------------------------------------------------------------------------------------ */

static inline const struct cb_bench *bench_of(const cJSON *item)
{
    const struct cb_bench *bench =
        cb_bench_find(cJSON_GetStringValue(cJSON_GetObjectItem(item, "bench")));
    assert_non_null(bench);
    return bench;
}

/* The value as the field's type has it; NULL: it is of another type. */
static inline cJSON *value_of(const struct cb_field *field, const char *text)
{
    char *end;
    const double number = strtod(text, &end);
    switch (field->member.kind) {
    case CB_FIELD_FLAG:
    case CB_FIELD_GIVEN_FLAG:
        return strcmp(text, "true") == 0    ? cJSON_CreateTrue()
               : strcmp(text, "false") == 0 ? cJSON_CreateFalse()
                                            : NULL;
    case CB_FIELD_TEXT:
        return cJSON_CreateString(text);
    default:
        return *text && !*end ? cJSON_CreateNumber(number) : NULL;
    }
}

static inline void set_param(cJSON *item, const char *key, const char *text)
{
    cJSON *params = cJSON_GetObjectItem(item, "params");
    const struct cb_field *field = bench_of(item)->fields;
    while (field->key && strcmp(field->key, key) != 0)
        field++;
    cJSON *value = field->key ? value_of(field, text) : NULL;
    if (!value)
        fail_msg("no parameter of %s is %s=%s", bench_of(item)->id, key, text);
    cJSON_DeleteItemFromObjectCaseSensitive(params, key);
    cJSON_AddItemToObject(params, key, value);
}

/* Sets parameters: "name=value name=value". Returns the case. */
__attribute__((format(printf, 2, 0))) static inline cJSON *
set_params_of(cJSON *item, const char *format, va_list values)
{
    char text[2048], *rest = text;
    assert_in_range(vsnprintf(text, sizeof text, format, values), 0, sizeof text - 1);
    for (char *param; (param = strsep(&rest, " "));) {
        char *value = strchr(param, '=');
        if (!*param)
            continue;
        assert_non_null(value);
        *value++ = '\0';
        set_param(item, param, value);
    }
    return item;
}

__attribute__((format(printf, 2, 3))) static inline cJSON *set_params(cJSON *item,
                                                                      const char *format, ...)
{
    va_list values;
    va_start(values, format);
    set_params_of(item, format, values);
    va_end(values);
    return item;
}

/* A case of a bench that is ok, with no metrics yet; id: without the bench's. */
__attribute__((format(printf, 5, 6))) static inline cJSON *
add_case_of(cJSON *run, const char *bench, const char *device, const char *id, const char *params,
            ...)
{
    char whole_id[192];
    va_list values;
    cJSON *item = cJSON_CreateObject();
    assert_in_range(snprintf(whole_id, sizeof whole_id, "%s/%s", bench, id), 1,
                    sizeof whole_id - 1);
    cJSON_AddStringToObject(item, "id", whole_id);
    cJSON_AddStringToObject(item, "bench", bench);
    cJSON_AddStringToObject(item, "device", device);
    cJSON_AddStringToObject(item, "status", "ok");
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(item, "sampling"), "runs", 10);
    cJSON_AddObjectToObject(item, "params");
    cJSON_AddArrayToObject(item, "metrics");
    cJSON_AddItemToArray(cJSON_GetObjectItem(run, "cases"), item);
    va_start(values, params);
    set_params_of(item, params, values);
    va_end(values);
    return item;
}

#define add_case(run, device, id, ...) add_case_of(run, BENCH, device, id, __VA_ARGS__)
#define NO_PARAMS                      " "

/* Lets the case have failed, "because". */
static inline cJSON *make_failed(cJSON *item, const char *status)
{
    set_text(item, "status", status);
    cJSON_AddStringToObject(item, "reason", "because");
    cJSON_ReplaceItemInObject(item, "metrics", cJSON_CreateArray());
    return item;
}

static inline void add_note(cJSON *item, const char *note)
{
    cJSON *notes = cJSON_GetObjectItem(item, "notes");
    if (!notes)
        notes = cJSON_AddArrayToObject(item, "notes");
    cJSON_AddItemToArray(notes, cJSON_CreateString(note));
}

/* --- Metrics ---------------------------------------------------------------------------------- */

/* A statistic: "p95", "ci95_low"; NaN: there were too few samples for it. Returns the metric. */
static inline cJSON *set_statistic(cJSON *metric, const char *name, double value)
{
    cJSON_DeleteItemFromObjectCaseSensitive(metric, name);
    if (!isnan(value))
        cJSON_AddNumberToObject(metric, name, value);
    return metric;
}

/* By which part of its median a metric's least and greatest samples are apart from it, so that a
 * table of the wrong statistic is seen. */
#ifndef SPREAD
#define SPREAD 0
#endif

/* A metric of this median: all of its samples are that, or with SPREAD around it. */
static inline cJSON *add_metric(cJSON *item, const char *name, double value)
{
    static const struct {
        const char *name;
        double by;
    } statistics[] = {{"mean", SPREAD / 2.0}, {"min", -SPREAD}, {"median", 0}, {"max", SPREAD}};
    const struct cb_metric *known = bench_of(item)->metrics;
    cJSON *metric = cJSON_CreateObject();
    while (known->name && strcmp(known->name, name) != 0)
        known++;
    if (!known->name)
        fail_msg("no metric of %s is %s", bench_of(item)->id, name);
    cJSON_AddStringToObject(metric, "name", name);
    for (size_t i = 0; i < CB_COUNTOF(statistics); i++)
        set_statistic(metric, statistics[i].name, value * (1 + statistics[i].by));
    cJSON_AddItemToArray(cJSON_GetObjectItem(item, "metrics"), metric);
    return metric;
}

/* A metric of this mean: its median is another with SPREAD. */
static inline cJSON *add_mean(cJSON *item, const char *name, double mean)
{
    return set_statistic(add_metric(item, name, mean * (1 - SPREAD / 2.0)), "mean", mean);
}

/* Metrics and their medians in turns, after the first; ends with NULL. */
static inline void add_metrics(cJSON *item, const char *name, double median, ...)
{
    va_list more;
    va_start(more, median);
    while (name) {
        add_metric(item, name, median);
        name = va_arg(more, const char *);
        median = name ? va_arg(more, double) : 0;
    }
    va_end(more);
}

/* The metric of this name that a case has. */
static inline cJSON *metric_of(const cJSON *item, const char *name)
{
    cJSON *metric;
    cJSON_ArrayForEach (metric, cJSON_GetObjectItem(item, "metrics"))
        if (strcmp(cb_json_text(metric, "name", ""), name) == 0)
            return metric;
    fail_msg("%s has no %s", cb_json_text(item, "id", "?"), name);
    return NULL;
}

/* A metric whose median has this interval; NaN: there are too few samples for one. */
static inline cJSON *add_interval(cJSON *item, const char *name, double median, double low,
                                  double high)
{
    cJSON *metric = set_statistic(add_metric(item, name, median), "ci95_low", low);
    return set_statistic(metric, "ci95_high", isnan(low) ? NAN : high);
}
