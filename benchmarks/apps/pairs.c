/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/apps/pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/stats.h"
#include "measure/text/json.h"

/* ---- Pairs ----------------------------------------------------------------------------------- */

bool cb_apps_is_of(const cJSON *item, const char *device_id)
{
    return strcmp(cb_json_text(item, "bench", ""), "apps") == 0 &&
           strcmp(cb_json_text(item, "device", ""), device_id) == 0;
}

static struct cb_apps_pair *pair_of(struct cb_apps_pairs *pairs, const cJSON *params)
{
    const struct cb_apps_pair new = {
        .app = cb_json_text(params, "app", ""),
        .input_name = cb_json_text(params, "input_name", ""),
        .input = cb_json_text(params, "input", ""),
        .stealing = strcmp(cb_json_text(params, "barrier", ""), "none") == 0,
    };
    for (int i = 0; i < pairs->n; i++)
        if (strcmp(pairs->list[i].app, new.app) == 0 &&
            strcmp(pairs->list[i].input_name, new.input_name) == 0)
            return &pairs->list[i];
    pairs->list[pairs->n] = new;
    return &pairs->list[pairs->n++];
}

struct cb_apps_pairs cb_apps_pairs_of(const cJSON *run, const char *device_id)
{
    const cJSON *item, *cases = cJSON_GetObjectItemCaseSensitive(run, "cases");
    struct cb_apps_pairs pairs = {calloc((size_t)cJSON_GetArraySize(cases) + 1, sizeof *pairs.list),
                                  0};
    if (!pairs.list)
        return pairs;
    cJSON_ArrayForEach (item, cases) {
        const cJSON *params = cb_json_params(item);
        const char *mode = cb_json_text(params, "mode", NULL);
        bool measured =
            cb_apps_is_of(item, device_id) && mode && !cb_json_text(params, "sizes", NULL);
        if (measured)
            pair_of(&pairs, params)->rows[cb_app_mode_of(mode)] = item;
    }
    return pairs;
}

void cb_apps_pairs_free(struct cb_apps_pairs *pairs)
{
    free(pairs->list);
    *pairs = (struct cb_apps_pairs){0};
}

void cb_apps_label(const struct cb_apps_pair *pair, char *label, size_t size)
{
    snprintf(label, size, "%.40s [%.40s]", pair->app, pair->input_name);
}

/* ---- Ratios ---------------------------------------------------------------------------------- */

static const struct {
    unsigned over, under; /* modes */
    const char *metric;
} ratios[CB_APPS_RATIOS] = {
    [CB_APPS_SPEEDUP] = {COOP_MULTIKERNEL, COOP_PORTABLE, "host_time"},
    [CB_APPS_PORTABILITY] = {COOP_PORTABLE, COOP_SPECIALISED, "run_time"},
    [CB_APPS_COOPERATION] = {COOP_COOPERATIVE, COOP_SPECIALISED, "run_time"},
    [CB_APPS_COOPERATION_PORTABLE] = {COOP_COOPERATIVE, COOP_PORTABLE, "run_time"},
};

static struct cb_estimate time_of(const cJSON *row, const char *metric)
{
    bool verify = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(cb_json_params(row), "verify"));
    return verify ? (struct cb_estimate){NAN, NAN, NAN} : cb_estimate_of(row, metric);
}

struct cb_estimate cb_apps_ratio_estimate(const struct cb_apps_pair *pair, enum cb_apps_ratio ratio)
{
    struct cb_estimate over = time_of(pair->rows[ratios[ratio].over], ratios[ratio].metric);
    struct cb_estimate under = time_of(pair->rows[ratios[ratio].under], ratios[ratio].metric);
    bool meaningless = ratio == CB_APPS_SPEEDUP && pair->stealing;
    if (!(over.median > 0) || !(under.median > 0) || meaningless)
        return (struct cb_estimate){NAN, NAN, NAN};
    return cb_estimate_quotient(over, under);
}

double cb_apps_ratio(const struct cb_apps_pair *pair, enum cb_apps_ratio ratio)
{
    return cb_apps_ratio_estimate(pair, ratio).median;
}

struct cb_apps_summary cb_apps_summary_of(const struct cb_apps_pairs *pairs,
                                          enum cb_apps_ratio ratio, enum cb_apps_kind kind)
{
    struct cb_apps_summary s = {0, NAN, NAN, NAN, NAN, NULL};
    double *values = calloc((size_t)pairs->n + 1, sizeof *values), logs = 0;
    for (int i = 0; values && i < pairs->n; i++) {
        const struct cb_apps_pair *pair = &pairs->list[i];
        double value = cb_apps_ratio(pair, ratio);
        if (isnan(value) || (kind != CB_APPS_ALL && pair->stealing != (kind == CB_APPS_STEALING)))
            continue;
        values[s.n++] = value;
        logs += log(value);
        s.worst = s.worst && s.max >= value ? s.worst : pair;
        s.max = fmax(s.max, value); /* of a NaN and a number: the number */
        s.min = fmin(s.min, value);
    }
    if (s.n > 0) {
        s.mean = exp(logs / s.n);
        s.median = cb_stats_of(values, (size_t)s.n).median;
    }
    free(values);
    return s;
}
