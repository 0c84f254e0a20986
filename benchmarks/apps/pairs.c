/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/apps/pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/run/rows.h"
#include "measure/stats.h"

/* ---- Pairs ----------------------------------------------------------------------------------- */

static struct cb_apps_pair *pair_of(struct cb_apps_pairs *pairs, const cJSON *row)
{
    const struct cb_apps_pair new = {
        .app = cb_row_text(row, "app"),
        .input_name = cb_row_text(row, "input_name"),
        .input = cb_row_text(row, "input"),
        .stealing = strcmp(cb_row_text(row, "barrier"), "none") == 0,
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
    struct cb_rows measured = {.run = run, .bench = "apps", .device = device_id};
    cb_rows_have(&measured, "mode");
    cb_rows_lack(&measured, "sizes");
    struct cb_apps_pairs pairs = {NULL, 0};
    pairs.list = calloc((size_t)cb_rows_count(&measured) + 1, sizeof *pairs.list);
    const cJSON *row = pairs.list ? cb_rows_next(&measured, NULL) : NULL;
    for (; row; row = cb_rows_next(&measured, row))
        pair_of(&pairs, row)->rows[cb_app_mode_of(cb_row_text(row, "mode"))] = row;
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
    return cb_row_flag(row, "verify") ? (struct cb_estimate){NAN, NAN, NAN}
                                      : cb_estimate_of(row, metric);
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
