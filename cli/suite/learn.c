/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/learn.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/documents/beside.h"
#include "analysis/documents/disturbed.h"
#include "measure/text/json.h"
#include "runtime/host/text.h"
#include "runtime/profile.h"

static bool has_cases(const struct cb_plan *plan, const struct cb_bench *bench,
                      const struct cb_device *device)
{
    for (int i = 0; i < plan->count; i++)
        if (plan->cases[i].bench == bench && plan->cases[i].device == device)
            return true;
    return false;
}

/* Does the plan have cases whose bench learns from them? Else the profile is not even opened. */
static bool may_learn(const struct cb_plan *plan, const struct cb_device *device)
{
    for (int i = 0; i < plan->count; i++)
        if (plan->cases[i].device == device && plan->cases[i].bench->learn)
            return true;
    return false;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The runs of a typical case: the median over those of the bench that are ok. 0: there are none. */
static double typical_runs(const cJSON *run, const struct cb_bench *bench, const char *device_id)
{
    const cJSON *item, *cases = cJSON_GetObjectItemCaseSensitive(run, "cases");
    double *runs = calloc((size_t)cJSON_GetArraySize(cases) + 1, sizeof *runs);
    size_t n = 0;
    cJSON_ArrayForEach (item, cases) {
        double count = cb_json_number(cJSON_GetObjectItemCaseSensitive(item, "sampling"), "runs");
        if (runs && count > 0 && strcmp(cb_json_text(item, "bench", ""), bench->id) == 0 &&
            strcmp(cb_json_text(item, "device", ""), device_id) == 0 &&
            strcmp(cb_json_text(item, "status", ""), "ok") == 0)
            runs[n++] = count;
    }
    if (n > 0)
        qsort(runs, n, sizeof *runs, by_value);
    double typical = n > 0 ? runs[n / 2] : 0;
    free(runs);
    return typical;
}

/* A run as benches learn from it: rows that had nothing of ours beside them; for those that learn
 * each case by itself, all that were not disturbed. */
struct taught {
    const cJSON *all, *alone, *undisturbed;
};

/* What became of a profile: the names of the benches that changed it, and of one whose section was
 * learnt from more runs than it would be now. */
struct lesson {
    char learnt[256];
    const char *kept; /* NULL: no such */
    double kept_runs, runs;
    const char *disturbed; /* a bench whose cases others disturbed; NULL: none */
};

/* What was measured beside others is not the device's. */
static bool is_disturbed(const cJSON *run, const struct cb_bench *bench, const char *device_id)
{
    const cJSON *row;
    cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        if (cb_row_is_spoilt(row) && strcmp(cb_json_text(row, "bench", ""), bench->id) == 0 &&
            strcmp(cb_json_text(row, "device", ""), device_id) == 0)
            return true;
    return false;
}

/* Puts what a bench has learnt in place of the profile. */
static void take(const struct cb_bench *bench, cJSON *changed, cJSON **profile,
                 struct lesson *lesson)
{
    const size_t used = strlen(lesson->learnt);
    cJSON_Delete(*profile);
    *profile = changed;
    snprintf(lesson->learnt + used, sizeof lesson->learnt - used, "%s%s", used ? ", " : "",
             bench->id);
}

/* Lets a bench learn from each case that nobody disturbed. */
static void let_each_teach(const struct taught *taught, const struct cb_bench *bench,
                           const char *device_id, cJSON **profile, struct lesson *lesson)
{
    cJSON *changed = cJSON_Duplicate(*profile, true);
    if (changed && bench->learn(taught->undisturbed, device_id, changed)) {
        take(bench, changed, profile, lesson);
        return;
    }
    if (changed && bench->learn(taught->all, device_id, changed))
        lesson->disturbed = bench->id;
    cJSON_Delete(changed);
}

/* Lets a bench learn, unless its section was learnt from more than twice as many runs: a quick look
 * at whether everything works is no reason to forget a thorough measurement. (Twice: how many runs
 * an interval needs differs from time to time.) */
static void let_one_learn(const cJSON *run, const struct cb_bench *bench, const char *device_id,
                          cJSON **profile, struct lesson *lesson)
{
    double runs = typical_runs(run, bench, device_id);
    const cJSON *before = cJSON_GetObjectItemCaseSensitive(*profile, bench->id);
    double known = cb_json_number(before, "runs");
    cJSON *changed = cJSON_Duplicate(*profile, true);
    if (is_disturbed(run, bench, device_id)) {
        cJSON_Delete(changed);
        lesson->disturbed = bench->id;
    } else if (!changed || !bench->learn(run, device_id, changed)) {
        cJSON_Delete(changed);
    } else if (known > 2 * runs) {
        cJSON_Delete(changed);
        lesson->kept = bench->id;
        lesson->kept_runs = known;
        lesson->runs = runs;
    } else {
        cb_json_put_number(cJSON_GetObjectItemCaseSensitive(changed, bench->id), "runs", runs);
        take(bench, changed, profile, lesson);
    }
}

static void tell(const struct cb_device *device, const char *path, const struct lesson *lesson)
{
    if (lesson->learnt[0])
        cb_text_print(stderr, "Profile of %s updated: %s (%s)\n", device->name, path,
                      lesson->learnt);
    if (lesson->disturbed)
        cb_text_print(stderr,
                      "Profile of %s: nothing is learnt from cases during which another program "
                      "used the device (%s)\n",
                      device->name, lesson->disturbed);
    if (lesson->kept)
        cb_text_print(
            stderr,
            "Profile of %s kept: it learnt from %.0f run%s of a case (%s), these were %.0f. To "
            "learn anew, delete %s\n",
            device->name, lesson->kept_runs, CB_PLURAL(lesson->kept_runs), lesson->kept,
            lesson->runs, path);
}

static void let_all_learn(const struct taught *taught, const struct cb_plan *plan,
                          const struct cb_device *device, cJSON **profile, struct lesson *lesson)
{
    for (int i = 0; cb_benches[i]; i++)
        if (!cb_benches[i]->learn || !has_cases(plan, cb_benches[i], device))
            continue;
        else if (cb_benches[i]->learns_each)
            let_each_teach(taught, cb_benches[i], device->id, profile, lesson);
        else
            let_one_learn(taught->alone, cb_benches[i], device->id, profile, lesson);
}

static void learn_about(const struct taught *taught, const struct cb_plan *plan,
                        const struct cb_device *device, bool quiet)
{
    struct cb_err err;
    struct lesson lesson = {0};
    cJSON *profile;
    char path[512];
    enum cb_status status = CB_OK;
    fflush(stdout); /* the report goes first, wherever the two end up */
    if (cb_profile_load(device, &profile, &err) != CB_OK)
        return; /* cli/suite/suite.c has warned of it */
    let_all_learn(taught, plan, device, &profile, &lesson);
    if (lesson.learnt[0])
        status = cb_profile_save(device, profile, path, &err);
    else if (lesson.kept)
        status = cb_profile_path(device, path, &err);
    if (status != CB_OK)
        cb_text_print(stderr, "Warning: the profile of %s was not saved: %s\n", device->name,
                      err.text);
    else if (!quiet)
        tell(device, path, &lesson);
    cJSON_Delete(profile);
}

static bool is_undisturbed(const cJSON *row, const void *unused)
{
    (void)unused;
    return !cb_row_is_spoilt(row);
}

void cb_learn(const cJSON *run, const struct cb_plan *plan, const struct cb_devices *devices,
              bool quiet)
{
    cJSON *alone = cb_run_beside(run, ""), *undisturbed = cb_run_part(run, is_undisturbed, NULL);
    const struct taught taught = {run, alone, undisturbed};
    for (int i = 0; i < devices->count; i++)
        if (may_learn(plan, &devices->items[i]))
            learn_about(&taught, plan, &devices->items[i], quiet);
    cJSON_Delete(alone);
    cJSON_Delete(undisturbed);
}
