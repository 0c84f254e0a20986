/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/apps/pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/rows.h"
#include "measure/stats.h"
#include "probes/apps/bound.h"
#include "probes/apps/plan.h"
#include "runtime/discovery.h"
#include "runtime/host/text.h"

/* ---- Pairs ----------------------------------------------------------------------------------- */

static const char *text_or(const cJSON *row, const char *key, const char *usual)
{
    const char *text = cb_row_text(row, key);
    return *text ? text : usual;
}

static bool is_same_system(const struct cb_apps_pair *a, const struct cb_apps_pair *b)
{
    return strcmp(a->variant, b->variant) == 0 && strcmp(a->protocol, b->protocol) == 0 &&
           strcmp(a->ids, b->ids) == 0 && strcmp(a->barrier, b->barrier) == 0;
}

static bool is_same_work(const struct cb_apps_pair *a, const struct cb_apps_pair *b)
{
    return strcmp(a->app, b->app) == 0 && strcmp(a->input_name, b->input_name) == 0 &&
           strcmp(a->variant, b->variant) == 0;
}

/* The pair of a row; one that is new comes after the others of its system. */
static struct cb_apps_pair *pair_of(struct cb_apps_pairs *pairs, const cJSON *row)
{
    const char *protocol = text_or(row, "protocol", CB_APPS_PROTOCOL);
    const struct cb_apps_pair new = {
        .app = cb_row_text(row, "app"),
        .input_name = cb_row_text(row, "input_name"),
        .input = cb_row_text(row, "input"),
        .variant = text_or(row, "variant", CB_APP_OURS),
        .protocol = protocol,
        .ids = cb_discovery_order(protocol, text_or(row, "ids", NULL)),
        .barrier = text_or(row, "global-barrier", CB_APPS_BARRIER),
        .stealing = strcmp(cb_row_text(row, "barrier"), "none") == 0,
    };
    int after = pairs->n;
    for (int i = 0; i < pairs->n; i++) {
        if (!is_same_system(&pairs->list[i], &new))
            continue;
        if (is_same_work(&pairs->list[i], &new))
            return &pairs->list[i];
        after = i + 1;
    }
    struct cb_apps_pair *at = pairs->list + after;
    memmove(at + 1, at, (size_t)(pairs->n++ - after) * sizeof *at);
    *at = new;
    return at;
}

static bool is_alone(const struct cb_apps_pair *pair)
{
    return !pair->rows[COOP_PORTABLE] && !pair->rows[COOP_COOPERATIVE];
}

/* Gives to a pair what it shares with another. Returns whether it took all that this one has. */
static bool lend(const struct cb_apps_pair *from, struct cb_apps_pair *to)
{
    bool same_barrier = strcmp(from->barrier, to->barrier) == 0;
    if (!is_same_work(from, to) || !to->rows[COOP_PORTABLE])
        return false;
    if (!to->rows[COOP_MULTIKERNEL])
        to->rows[COOP_MULTIKERNEL] = from->rows[COOP_MULTIKERNEL];
    if (!to->rows[CB_APP_BASELINE])
        to->rows[CB_APP_BASELINE] = from->rows[CB_APP_BASELINE];
    if (!to->rows[COOP_SPECIALISED] && same_barrier)
        to->rows[COOP_SPECIALISED] = from->rows[COOP_SPECIALISED];
    return is_alone(from) && (same_barrier || !from->rows[COOP_SPECIALISED]);
}

/* A pair that only had what others share needs no line of its own. */
static void share(struct cb_apps_pairs *pairs)
{
    int kept = 0;
    for (int i = 0; i < pairs->n; i++) {
        bool lent = false;
        for (int k = 0; k < pairs->n; k++)
            lent = (k != i && lend(&pairs->list[i], &pairs->list[k])) || lent;
        pairs->list[i].lent = lent;
    }
    for (int i = 0; i < pairs->n; i++)
        if (!pairs->list[i].lent)
            pairs->list[kept++] = pairs->list[i];
    pairs->n = kept;
}

struct cb_apps_pairs cb_apps_pairs_of(const cJSON *run, const char *device_id)
{
    struct cb_rows measured = {.run = run, .bench = "apps", .device = device_id};
    cb_rows_have(&measured, "mode");
    cb_rows_lack(&measured, "sizes");
    cb_rows_lack(&measured, CB_APPS_BOUND);
    struct cb_apps_pairs pairs = {NULL, 0};
    pairs.list = calloc((size_t)cb_rows_count(&measured) + 1, sizeof *pairs.list);
    const cJSON *row = pairs.list ? cb_rows_next(&measured, NULL) : NULL;
    for (; row; row = cb_rows_next(&measured, row))
        pair_of(&pairs, row)->rows[cb_app_mode_of(cb_row_text(row, "mode"))] = row;
    share(&pairs);
    return pairs;
}

/* ---- Systems --------------------------------------------------------------------------------- */

static struct cb_apps_pairs system_from(const struct cb_apps_pairs *all, int first)
{
    struct cb_apps_pairs system = {all->list + first, 0};
    while (first + system.n < all->n && is_same_system(system.list, system.list + system.n))
        system.n++;
    return system;
}

struct cb_apps_pairs cb_apps_first_system(const struct cb_apps_pairs *all)
{
    return system_from(all, 0);
}

struct cb_apps_pairs cb_apps_next_system(const struct cb_apps_pairs *all,
                                         const struct cb_apps_pairs *system)
{
    return system_from(all, (int)(system->list - all->list) + system->n);
}

struct cb_apps_pairs cb_apps_main_system(const struct cb_apps_pairs *all)
{
    char name[CB_APPS_SYSTEM_BYTES];
    struct cb_apps_pairs system = cb_apps_first_system(all);
    for (; system.n > 0; system = cb_apps_next_system(all, &system)) {
        cb_apps_system_name(system.list, name, sizeof name);
        if (!*name)
            return system;
    }
    return cb_apps_first_system(all);
}

static void append_choice(char *name, size_t size, const char *what, const char *value,
                          const char *usual)
{
    if (strcmp(value, usual) != 0)
        cb_text_join(name, size, "%s %.40s", what, value);
}

void cb_apps_system_name(const struct cb_apps_pair *pair, char *name, size_t size)
{
    *name = '\0';
    append_choice(name, size, "variant", pair->variant, CB_APP_OURS);
    append_choice(name, size, "protocol", pair->protocol, CB_APPS_PROTOCOL);
    append_choice(name, size, "ids", pair->ids, cb_discovery_order(pair->protocol, NULL));
    append_choice(name, size, "barrier", pair->barrier, CB_APPS_BARRIER);
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
    [CB_APPS_BASELINE_SPEEDUP] = {CB_APP_BASELINE, COOP_PORTABLE, "host_time"},
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
