/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/primitives/learnt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/rows.h"
#include "measure/text/json.h"
#include "probes/primitives/best.h"
#include "probes/primitives/report.h"
#include "runtime/discovery.h"

#define LONGEST_NS    1000000
#define MAX_OCCUPANCY 1e7

#define LEADING_INITIAL 10 /* initial value of semaphores: between a mutex and no wait at all */

enum cb_backoff cb_backoff_of(const char *kind, const char *name)
{
    const struct cb_primitive *p = cb_primitive_find(kind, name);
    return p ? p->backoff : CB_BACKOFF_NONE;
}

enum cb_backoff cb_backoff_of_text(const char *text)
{
    size_t first = strspn(text, "0123456789");
    const char *rest = text + first;
    size_t second = *rest == ':' ? strspn(rest + 1, "0123456789") : 0;
    if (first == 0 || first > 7 || second > 7 || atol(text) < 1 || atol(text) > LONGEST_NS)
        return CB_BACKOFF_NONE;
    if (*rest == '\0')
        return CB_BACKOFF_PLACES;
    bool pair = second > 0 && rest[1 + second] == '\0';
    return pair && atol(rest + 1) >= atol(text) && atol(rest + 1) <= LONGEST_NS ? CB_BACKOFF_PAUSES
                                                                                : CB_BACKOFF_NONE;
}

/* ---- Reading --------------------------------------------------------------------------------- */

bool cb_learnt_backoff(const cJSON *profile, const char *kind, const char *name, const char *groups,
                       char text[CB_BACKOFF_BYTES])
{
    const cJSON *section = cJSON_GetObjectItemCaseSensitive(profile, "primitives"), *level;
    double occupancy = cb_json_number(section, "occupancy"), nearest = INFINITY;
    size_t wanted = 0;
    char key[64];
    struct cb_err ignored;
    snprintf(key, sizeof key, "%s.%s", kind, name);
    if (!(occupancy >= 1 && occupancy <= MAX_OCCUPANCY) ||
        cb_groups_parse(groups, (size_t)occupancy, &wanted, &ignored) != CB_OK)
        return false;
    const cJSON *backoff = cJSON_GetObjectItemCaseSensitive(section, "backoff");
    cJSON_ArrayForEach (level, cJSON_GetObjectItemCaseSensitive(backoff, key)) {
        const char *ns = cb_json_text(level, "ns", "");
        double distance = fabs(log(cb_json_number(level, "groups") / (double)wanted));
        if (cb_backoff_of_text(ns) != cb_backoff_of(kind, name) || !(distance < nearest))
            continue;
        nearest = distance;
        snprintf(text, CB_BACKOFF_BYTES, "%s", ns);
    }
    return nearest < INFINITY;
}

void cb_primitives_defines(FILE *out, const cJSON *profile)
{
    const cJSON *section = cJSON_GetObjectItemCaseSensitive(profile, "primitives");
    for (int kind = 0; kind < CB_KINDS; kind++) {
        const char *best = cb_json_text(section, cb_kind_names[kind], "");
        const struct cb_primitive *p = cb_primitive_find(cb_kind_names[kind], best);
        if (p && !p->slots)
            fprintf(out, " -D%s=%s", cb_kind_macros[kind], p->id);
    }
}

/* ---- Learning -------------------------------------------------------------------------------- */

/* The tuner's rows. */
static struct cb_rows tuned_rows(const cJSON *run, const char *device_id)
{
    struct cb_rows rows = {.run = run, .bench = "primitives", .device = device_id, .ok = true};
    cb_rows_flag(&rows, "tune");
    return rows;
}

/* The level of a list that was asked for as "N/4"; a new one if there is none. Not by the number of
 * workgroups, which the discovery may have found differently for each of the pauses. */
static cJSON *level_of(cJSON *levels, const char *asked, double groups)
{
    cJSON *level;
    cJSON_ArrayForEach (level, levels)
        if (strcmp(cb_json_text(level, "asked", ""), asked) == 0)
            return level;
    level = cJSON_CreateObject();
    cJSON_AddStringToObject(level, "asked", asked);
    cJSON_AddNumberToObject(level, "groups", groups);
    cJSON_AddItemToArray(levels, level);
    return level;
}

/* What some pauses gave a primitive at a level: together over the initial values tried. */
struct outcome {
    double log_mean; /* mean of the throughputs' logarithms */
    int n;
    /* Throughput of mutexes, and of semaphores of initial value 10; else the mean. */
    double leading;
};

/* tuned: the rows that are compared. */
static struct outcome outcome_of(struct cb_rows tuned, const cJSON *like)
{
    static const char *const same[] = {"kind", "primitive", "groups", "backoff"};
    struct outcome o = {0, 0, NAN};
    for (size_t i = 0; i < CB_COUNTOF(same); i++)
        cb_rows_like(&tuned, like, same[i]);
    for (const cJSON *row = cb_rows_next(&tuned, NULL); row; row = cb_rows_next(&tuned, row)) {
        double throughput = cb_json_metric(row, "throughput", "median");
        if (!(throughput > 0))
            continue;
        o.log_mean += log(throughput);
        o.n++;
        double initial = cb_row_number(row, "initial");
        if (isnan(initial) || initial == LEADING_INITIAL)
            o.leading = throughput;
    }
    o.log_mean /= o.n;
    o.leading = isnan(o.leading) ? exp(o.log_mean) : o.leading;
    return o;
}

#define WORTH_A_CHANGE 0.02 /* what the built-in pauses are better by, to outlast noise */

static double preference(const char *ns)
{
    return strcmp(ns, CB_BUILT_IN_PAUSES) == 0 || strcmp(ns, CB_BUILT_IN_PLACE) == 0
               ? WORTH_A_CHANGE
               : 0;
}

/* Keeps the pauses of the row if they are the best of their level so far. What they are compared by
 * is noted in the level until the end. */
static void compare_pauses(cJSON *backoff, const struct cb_rows *tuned, const cJSON *row)
{
    struct outcome o = outcome_of(*tuned, row);
    const char *ns = cb_row_text(row, "backoff");
    char key[64];
    if (o.n == 0)
        return;
    snprintf(key, sizeof key, "%s.%s", cb_row_text(row, "kind"), cb_row_text(row, "primitive"));
    if (!cJSON_GetObjectItemCaseSensitive(backoff, key))
        cJSON_AddArrayToObject(backoff, key);
    cJSON *level = level_of(cJSON_GetObjectItemCaseSensitive(backoff, key),
                            cb_row_text(row, "groups"), cb_json_metric(row, "groups", "median"));
    double n = cb_json_number(level, "n"), score = o.log_mean + preference(ns);
    if (o.n < n || (o.n == n && !(score > cb_json_number(level, "score"))))
        return;
    cb_json_put(level, "ns", cJSON_CreateString(ns));
    cb_json_put_number(level, "throughput", o.leading);
    cb_json_put_number(level, "score", score);
    cb_json_put_number(level, "n", o.n);
}

static void forget_scores(cJSON *backoff)
{
    cJSON *levels, *level;
    cJSON_ArrayForEach (levels, backoff)
        cJSON_ArrayForEach (level, levels) {
            cJSON_DeleteItemFromObjectCaseSensitive(level, "score");
            cJSON_DeleteItemFromObjectCaseSensitive(level, "n");
        }
}

/* Whether all implementations of a kind were measured with N workgroups: among some of them, none
 * is the best. */
static bool is_complete(const struct cb_primitive_cases *set, const char *kind, double variant)
{
    for (int i = 0; i < CB_PRIMITIVE_COUNT; i++) {
        struct cb_primitive_query q = {set, kind, variant, cb_primitive_table[i].id, "N"};
        if (cb_primitive_table[i].kind == cb_kind_of(kind) && !cb_primitive_next(&q, NULL))
            return false;
    }
    return true;
}

/* The best of a kind that was measured with older pauses, or one that the new ones make better
 * still. */
static const char *best_with_pauses(const cJSON *backoff, const char *kind, const char *name,
                                    double throughput)
{
    const cJSON *tuned, *level;
    size_t length = strlen(kind);
    cJSON_ArrayForEach (tuned, backoff)
        cJSON_ArrayForEach (level, tuned)
            if (strncmp(tuned->string, kind, length) == 0 && tuned->string[length] == '.' &&
                strcmp(cb_json_text(level, "asked", ""), "N") == 0 &&
                cb_json_number(level, "throughput") > throughput) {
                throughput = cb_json_number(level, "throughput");
                name = tuned->string + length + 1;
            }
    return name;
}

/* The best of each kind at full contention; of mutexes those with a section of one increment, of
 * semaphores those of initial value 10: what the tuner tunes. */
static void learn_best(const cJSON *run, const char *device_id, const cJSON *tuned, cJSON *section)
{
    int n = 0;
    struct cb_primitive_cases set = cb_primitive_cases_of(run, device_id);
    struct cb_verdict *verdicts = cb_verdicts_of(run, device_id, &n);
    for (int i = 0; i < n; i++) {
        const struct cb_best *best = &verdicts[i].best[CB_CONTENTION_FULL];
        bool leading =
            verdicts[i].variant == (strcmp(verdicts[i].kind, "barrier") == 0 ? 0
                                    : strcmp(verdicts[i].kind, "mutex") == 0 ? 1
                                                                             : LEADING_INITIAL);
        if (best->n > 0 && leading && is_complete(&set, verdicts[i].kind, verdicts[i].variant))
            cb_json_put(section, verdicts[i].kind,
                        cJSON_CreateString(best_with_pauses(tuned, verdicts[i].kind, best->names[0],
                                                            1e9 / best->op_time)));
    }
    free(verdicts);
    cb_primitive_cases_free(&set);
}

static cJSON *object_of(cJSON *parent, const char *key)
{
    cJSON *object = cJSON_GetObjectItemCaseSensitive(parent, key);
    if (cJSON_IsObject(object))
        return object;
    cJSON_DeleteItemFromObjectCaseSensitive(parent, key);
    return cJSON_AddObjectToObject(parent, key);
}

/* Moves what was tuned in this run into the profile; what was tuned before stays. */
static void keep_backoff(cJSON *section, cJSON *tuned)
{
    cJSON *backoff = object_of(section, "backoff");
    while (tuned->child) {
        cJSON *levels = cJSON_DetachItemViaPointer(tuned, tuned->child);
        char key[64];
        snprintf(key, sizeof key, "%s", levels->string);
        cb_json_put(backoff, key, levels);
    }
}

bool cb_primitives_learn(const cJSON *run, const char *device_id, cJSON *profile)
{
    struct cb_rows rows = tuned_rows(run, device_id);
    cJSON *tuned = cJSON_CreateObject();
    double occupancy = 0;
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        compare_pauses(tuned, &rows, row);
        occupancy = fmax(occupancy, cb_json_metric(row, "groups", "median"));
    }
    forget_scores(tuned);
    if (tuned->child) {
        cJSON *section = object_of(profile, "primitives");
        cb_json_put_number(section, "occupancy",
                           fmax(occupancy, cb_json_number(section, "occupancy")));
        learn_best(run, device_id, tuned, section);
        keep_backoff(section, tuned);
    }
    cJSON_Delete(tuned);
    return occupancy > 0;
}

/* ---- Reporting ------------------------------------------------------------------------------- */

/* The prediction of the profile as it was when the run began: what a run says is the same for every
 * reader. */
static const cJSON *prediction_for(void *run, const char *device_id)
{
    const cJSON *device = cb_json_device(run, device_id);
    const cJSON *profile = cJSON_GetObjectItemCaseSensitive(device, "profile");
    const cJSON *memory = cJSON_GetObjectItemCaseSensitive(profile, "memory");
    return cJSON_GetObjectItemCaseSensitive(memory, "prediction");
}

void cb_primitives_report(FILE *out, const cJSON *run)
{
    cb_primitives_report_with(out, run, prediction_for, (void *)run);
}
