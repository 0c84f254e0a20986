/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "runtime/discovery.h"
#include "runtime/host/text.h"

const struct cb_bench *cb_bench_find(const char *id)
{
    for (int i = 0; cb_benches[i]; i++)
        if (strcmp(cb_benches[i]->id, id) == 0)
            return cb_benches[i];
    return NULL;
}

const char *cb_bench_derived_from(const char *id, const char *metric)
{
    const struct cb_bench *bench = cb_bench_find(id);
    for (const struct cb_derived *d = bench ? bench->derived : NULL; d && d->metric; d++)
        if (strcmp(d->metric, metric) == 0)
            return d->from;
    return NULL;
}

/* Room for one more case: twice as many whenever the number is a power of two. */
static bool grow(struct cb_plan *plan)
{
    size_t n = (size_t)plan->count;
    if (n & (n - 1))
        return true;
    struct cb_case *grown = realloc(plan->cases, sizeof *grown * (n ? 2 * n : 1));
    if (grown)
        plan->cases = grown;
    return grown != NULL;
}

struct cb_case *cb_plan_add(struct cb_plan *plan, const char *place_format, ...)
{
    cJSON *params = grow(plan) ? cJSON_CreateObject() : NULL;
    struct cb_case *c = params ? &plan->cases[plan->count++] : &plan->lost;
    *c = (struct cb_case){
        .bench = plan->bench,
        .device = plan->device,
        .params = params,
        .needs = -1,
        .stop = plan->bench->stop,
        .run_deadline_s = plan->bench->run_deadline_s,
    };
    char id[sizeof c->id];
    int n = snprintf(id, sizeof id, "%.64s/", plan->bench->id);
    va_list args;
    va_start(args, place_format);
    vsnprintf(id + n, sizeof id - (size_t)n, place_format, args);
    va_end(args);
    cb_text_clean(c->id, sizeof c->id, id, strlen(id), CB_TEXT_STORED);
    return c;
}

enum cb_status cb_plan_bench(struct cb_plan *plan, const struct cb_bench *bench,
                             const struct cb_device *device, const cJSON *options,
                             struct cb_err *err)
{
    plan->bench = bench;
    plan->device = device;
    const enum cb_status status = bench->plan(plan, options, err);
    return plan->lost.bench ? cb_no_memory(err) : status;
}

static int by_id(const void *a, const void *b)
{
    const struct cb_case *x = *(struct cb_case *const *)a, *y = *(struct cb_case *const *)b;
    int order = strcmp(x->id, y->id);
    return order ? order : strcmp(x->device->id, y->device->id);
}

struct cb_case **cb_plan_sorted(const struct cb_plan *plan)
{
    struct cb_case **sorted = calloc((size_t)plan->count + 1, sizeof(struct cb_case *));
    for (int i = 0; sorted && i < plan->count; i++)
        sorted[i] = &plan->cases[i];
    if (sorted)
        qsort(sorted, (size_t)plan->count, sizeof(struct cb_case *), by_id);
    return sorted;
}

enum cb_status cb_plan_check_wg_size(const struct cb_device *device, uint64_t wg_size,
                                     struct cb_err *err)
{
    if (wg_size <= device->max_wg_size)
        return CB_OK;
    return cb_fail(err, CB_USAGE, "wg-size: %s takes at most %llu work-items a workgroup",
                   device->name, (unsigned long long)device->max_wg_size);
}

enum cb_status cb_plan_check_groups(struct cb_texts groups, const char *word, struct cb_err *err)
{
    for (int i = 0; i < groups.n; i++) {
        const char *text = cb_texts_at(groups, i);
        if (!(word && strcmp(text, word) == 0) && cb_groups_parse(text, 0, NULL, err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

void cb_plan_free(struct cb_plan *plan)
{
    for (int i = 0; i < plan->count; i++)
        cJSON_Delete(plan->cases[i].params);
    cJSON_Delete(plan->besides);
    free(plan->cases);
    *plan = (struct cb_plan){0};
}

void cb_sample_add(struct cb_sample *sample, const char *metric, double value)
{
    if (!isfinite(value))
        return; /* what was not measured is absent, never a number */
    cJSON *values = cJSON_GetObjectItemCaseSensitive(sample->values, metric);
    if (!values)
        values = cJSON_AddArrayToObject(sample->values, metric);
    cJSON_AddItemToArray(values, cJSON_CreateNumber(value));
}

void cb_sample_note(struct cb_sample *sample, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cb_json_add_once(&sample->notes, text);
}

void cb_sample_take(struct cb_sample *sample, cJSON *answer)
{
    cJSON *values = cJSON_DetachItemFromObjectCaseSensitive(answer, "values");
    if (values) {
        cJSON_Delete(sample->values);
        sample->values = values;
    }
    sample->notes = cJSON_DetachItemFromObjectCaseSensitive(answer, "notes");
    sample->inputs = cJSON_DetachItemFromObjectCaseSensitive(answer, "inputs");
    snprintf(sample->failure, sizeof sample->failure, "%s", cb_json_text(answer, "failure", ""));
    sample->verified = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "verified"));
}

void cb_sample_free(struct cb_sample *sample)
{
    cJSON_Delete(sample->values);
    cJSON_Delete(sample->notes);
    cJSON_Delete(sample->inputs);
    *sample = (struct cb_sample){0};
}

bool cb_sample_check(struct cb_sample *sample, bool ok, const char *format, ...)
{
    sample->verified = true;
    if (!ok && !sample->failure[0]) {
        va_list args;
        va_start(args, format);
        vsnprintf(sample->failure, sizeof sample->failure, format, args);
        va_end(args);
    }
    return ok;
}

void cb_sample_context(struct cb_sample *sample, const char *format, ...)
{
    char context[128], text[sizeof sample->failure];
    if (!sample->failure[0])
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(context, sizeof context, format, args);
    va_end(args);
    strcpy(text, sample->failure);
    snprintf(sample->failure, sizeof sample->failure, "%s: %.890s", context, text);
}
