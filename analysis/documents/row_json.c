/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/row_json.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>

#include "measure/text/json.h"

#define ROUNDING 1e-9

const char *cb_better_name(enum cb_better better)
{
    static const char *const names[] = {
        [CB_LOWER] = "lower", [CB_HIGHER] = "higher", [CB_NEITHER] = "none"};
    return names[better];
}

static const struct {
    const char *key;
    size_t offset;
} statistics[] = {
    {"mean", offsetof(struct cb_stats, mean)},
    {"stddev", offsetof(struct cb_stats, stddev)},
    {"min", offsetof(struct cb_stats, min)},
    {"q1", offsetof(struct cb_stats, q1)},
    {"median", offsetof(struct cb_stats, median)},
    {"q3", offsetof(struct cb_stats, q3)},
    {"max", offsetof(struct cb_stats, max)},
    {"mad", offsetof(struct cb_stats, mad)},
    {"p95", offsetof(struct cb_stats, p95)},
    {"p99", offsetof(struct cb_stats, p99)},
    {"ci95_low", offsetof(struct cb_stats, ci95_low)},
    {"ci95_high", offsetof(struct cb_stats, ci95_high)},
};

void cb_stats_to_json(cJSON *metric, const struct cb_stats *stats)
{
    cb_json_put_number(metric, "n", (double)stats->n);
    for (size_t i = 0; i < CB_COUNTOF(statistics); i++) {
        cJSON_DeleteItemFromObjectCaseSensitive(metric, statistics[i].key);
        double value = *(const double *)((const char *)stats + statistics[i].offset);
        if (isfinite(value))
            cJSON_AddNumberToObject(metric, statistics[i].key, value);
    }
}

static cJSON *metric_to_json(const struct cb_series *series)
{
    const struct cb_metric *m = series->metric;
    cJSON *metric = cJSON_CreateObject();
    cJSON_AddStringToObject(metric, "name", m->name);
    cJSON_AddStringToObject(metric, "unit", m->unit);
    cJSON_AddStringToObject(metric, "better", cb_better_name(m->better));
    cJSON_AddBoolToObject(metric, "primary", m->primary);
    cb_stats_to_json(metric, &series->stats);
    return metric;
}

static void add_nullable(cJSON *object, const char *key, const char *text)
{
    if (text && *text)
        cJSON_AddStringToObject(object, key, text);
    else
        cJSON_AddNullToObject(object, key);
}

static void add_verification(cJSON *object, const struct cb_row *row)
{
    bool failed = row->status == CB_VERIFY_FAILED;
    cJSON *v = cJSON_AddObjectToObject(object, "verification");
    cJSON_AddStringToObject(v, "status", failed ? "fail" : row->verified ? "pass" : "none");
    add_nullable(v, "detail", failed ? row->reason : NULL);
}

static void add_sampling(cJSON *object, const struct cb_row *row)
{
    static const char *const rules[] = {
        [CB_STOP_COUNT] = "count", [CB_STOP_CI] = "ci", [CB_STOP_TIME] = "time"};
    cJSON *s = cJSON_AddObjectToObject(object, "sampling");
    cJSON_AddNumberToObject(s, "warmup", row->warmup);
    cJSON_AddNumberToObject(s, "runs", row->runs);
    cJSON_AddStringToObject(s, "stop_rule", rules[row->c->stop.rule]);
    add_nullable(s, "stop_reason", row->stop_reason);
}

cJSON *cb_row_to_json(const struct cb_row *row)
{
    const struct cb_case *c = row->c;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "id", c->id);
    cJSON_AddStringToObject(object, "bench", c->bench->id);
    cJSON_AddStringToObject(object, "device", c->device->id);
    cJSON_AddItemToObject(object, "params", cJSON_Duplicate(c->params, true));
    if (c->beside)
        cJSON_AddStringToObject(object, "beside", cb_json_text(c->beside, "what", ""));
    if (row->inputs)
        cJSON_AddItemToObject(object, "inputs", cJSON_Duplicate(row->inputs, true));
    cJSON_AddNumberToObject(object, "order", row->order);
    cJSON_AddStringToObject(object, "status", cb_status_name(row->status));
    add_nullable(object, "reason", row->reason);
    if (row->notes)
        cJSON_AddItemToObject(object, "notes", cJSON_Duplicate(row->notes, true));
    cJSON_AddNumberToObject(object, "duration_s", row->duration_s);
    add_verification(object, row);
    add_sampling(object, row);
    cJSON *metrics = cJSON_AddArrayToObject(object, "metrics");
    cJSON *samples = cJSON_AddObjectToObject(object, "samples");
    for (int i = 0; i < row->n_series; i++) {
        const struct cb_series *series = &row->series[i];
        if (series->n == 0)
            continue;
        cJSON_AddItemToArray(metrics, metric_to_json(series));
        cJSON_AddItemToObject(samples, series->metric->name,
                              cJSON_CreateDoubleArray(series->values, (int)series->n));
    }
    return object;
}

/* ---- Checking -------------------------------------------------------------------------------- */

static bool has_texts(const cJSON *object, const char *const *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!*cb_json_text(object, keys[i], ""))
            return false;
    return true;
}

/* The samples of a metric; what is no finite number was written as null. */
static bool are_samples(const cJSON *series, double n)
{
    const cJSON *value;
    if (!cJSON_IsArray(series) || cJSON_GetArraySize(series) != n)
        return false;
    cJSON_ArrayForEach (value, series)
        if (!cJSON_IsNumber(value) && !cJSON_IsNull(value))
            return false;
    return true;
}

/* Whether those of the statistics that a metric has grow in this order, but for rounding. */
static bool are_in_order(const cJSON *metric, const char *const *keys, size_t n)
{
    double last = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        const double value = cb_json_number(metric, keys[i]);
        if (value < last - ROUNDING * fabs(last))
            return false;
        last = isnan(value) ? last : value;
    }
    return true;
}

const char *cb_metric_flaw(const cJSON *metric)
{
    static const char *const values[] = {"min", "q1", "median", "q3", "p95", "p99", "max"};
    static const char *const interval[] = {"min", "ci95_low", "median", "ci95_high", "max"};
    const double n = cb_json_number(metric, "n");
    if (!(n >= 1 && n <= INT_MAX && n == floor(n)))
        return "its number of samples is no whole number";
    if (!isfinite(cb_json_number(metric, "median")))
        return "it has no median, or one that is no number";
    for (size_t i = 0; i < CB_COUNTOF(statistics); i++)
        if (cJSON_HasObjectItem(metric, statistics[i].key) &&
            !isfinite(cb_json_number(metric, statistics[i].key)))
            return "one of its statistics is no number";
    if (!are_in_order(metric, values, CB_COUNTOF(values)))
        return "its statistics are not in the order min, q1, median, q3, p95, p99, max";
    if (isnan(cb_json_number(metric, "ci95_low")) != isnan(cb_json_number(metric, "ci95_high")) ||
        !are_in_order(metric, interval, CB_COUNTOF(interval)))
        return "its confidence interval does not enclose its median, or is outside min and max";
    return NULL;
}

static const char *row_metric_flaw(const cJSON *metric, const cJSON *samples)
{
    static const char *const texts[] = {"name", "unit", "better"};
    const char *name = cb_json_text(metric, "name", ""), *flaw = cb_metric_flaw(metric);
    if (!has_texts(metric, texts, CB_COUNTOF(texts)))
        return "a metric lacks its name, unit or direction";
    if (flaw)
        return flaw;
    if (!are_samples(cJSON_GetObjectItemCaseSensitive(samples, name), cb_json_number(metric, "n")))
        return "a metric does not have as many samples as it says";
    return NULL;
}

const char *cb_row_flaw(const cJSON *row)
{
    static const char *const texts[] = {"id", "device", "status"};
    const cJSON *metric, *metrics = cJSON_GetObjectItemCaseSensitive(row, "metrics");
    const cJSON *samples = cJSON_GetObjectItemCaseSensitive(row, "samples");
    const char *flaw = NULL;
    if (!has_texts(row, texts, CB_COUNTOF(texts)))
        return "it lacks its id, device or status";
    if (!cJSON_IsArray(metrics))
        return "its metrics are no array";
    if (samples && !cJSON_IsObject(samples))
        return "its samples are no object";
    cJSON_ArrayForEach (metric, metrics)
        flaw = flaw ? flaw : row_metric_flaw(metric, samples);
    return flaw;
}
