/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/record.h"

#include <stdlib.h>
#include <string.h>

#include "cli/suite/plan.h"
#include "measure/text/json.h"
#include "runtime/profile.h"

#define MAX_KEY 100 /* letters of a label's key */

enum cb_status cb_suite_check_labels(const struct cb_run_options *options, struct cb_err *err)
{
    for (int i = 0; i < options->labels.n; i++) {
        const char *label = cb_texts_at(options->labels, i), *equals = strchr(label, '=');
        if (!equals || equals == label || equals - label > MAX_KEY)
            return cb_fail(err, CB_USAGE,
                           "--label: expected KEY=VALUE, as driver=beta (no commas, a key of %d "
                           "letters at most), got \"%.100s\"",
                           MAX_KEY, label);
    }
    return CB_OK;
}

static void add_labels(cJSON *object, struct cb_texts given)
{
    cJSON *labels = cJSON_AddObjectToObject(object, "labels");
    for (int i = 0; i < given.n; i++) {
        const char *label = cb_texts_at(given, i), *equals = strchr(label, '=');
        char key[MAX_KEY + 1];
        snprintf(key, sizeof key, "%.*s", (int)(equals - label), label);
        cb_json_put(labels, key, cJSON_CreateString(equals + 1)); /* the last one counts */
    }
}

/* What changes the result without being said on the command line. */
static void add_environment(cJSON *object)
{
    static const char *const names[] = {
        "POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT", "POCL_WORK_GROUP_METHOD",
        "POCL_AFFINITY",          "CUDA_VISIBLE_DEVICES",  "COOPBENCH_KERNEL_DIR",
        "COOPBENCH_POWERCAP",     "COOPBENCH_SHARED",
    };
    cJSON *environment = cJSON_AddObjectToObject(object, "environment");
    for (size_t i = 0; i < CB_COUNTOF(names); i++)
        if (getenv(names[i]))
            cJSON_AddStringToObject(environment, names[i], getenv(names[i]));
}

static void merge(cJSON *into, const cJSON *from)
{
    const cJSON *item;
    cJSON_ArrayForEach (item, from)
        cJSON_AddItemToObject(into, item->string, cJSON_Duplicate(item, true));
}

/* The benchmarks with what was said of them: not their defaults. */
static void add_entries(cJSON *object, const struct cb_suite *suite)
{
    cJSON *entries = cJSON_AddArrayToObject(object, "entries");
    for (int i = 0; i < suite->count; i++) {
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "bench", suite->entries[i].bench->id);
        cJSON *options = cJSON_AddObjectToObject(entry, "options");
        merge(options, suite->entries[i].options);
        merge(options, suite->entries[i].globals);
        cJSON_AddItemToArray(entries, entry);
    }
}

cJSON *cb_suite_invocation(const struct cb_suite *suite, const struct cb_run_options *options,
                           uint64_t seed)
{
    char text[32];
    cJSON *object = cJSON_CreateObject(), *argv = cJSON_AddArrayToObject(object, "argv");
    for (int i = 0; i < suite->argc; i++)
        cJSON_AddItemToArray(argv, cJSON_CreateString(suite->argv[i]));
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    cJSON_AddStringToObject(object, "seed", text); /* a string: JSON numbers lose digits */
    if (suite->config_path)
        cJSON_AddStringToObject(object, "config", suite->config_path);
    else
        cJSON_AddNullToObject(object, "config");
    cJSON_AddItemToObject(object, "settings", cJSON_Duplicate(options->values, true));
    cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItem(object, "settings"), "label");
    add_entries(object, suite);
    add_environment(object);
    add_labels(object, options->labels);
    return object;
}

/* What reports of this plan read in the device's profile. A profile that cannot be read is one
 * without sections: cli/suite/suite.c warns of it. */
static void add_profile(cJSON *item, const struct cb_device *device, const struct cb_plan *plan)
{
    struct cb_err ignored;
    cJSON *profile = NULL, *kept = cJSON_CreateObject();
    for (int i = 0; cb_benches[i]; i++) {
        const char *name = cb_benches[i]->profile_section;
        if (!name || !cb_plan_has(plan, cb_benches[i]))
            continue;
        if (!profile && cb_profile_load(device, &profile, &ignored) != CB_OK)
            break;
        cJSON *section = cJSON_DetachItemFromObjectCaseSensitive(profile, name);
        if (section)
            cJSON_AddItemToObject(kept, name, section);
    }
    if (kept->child)
        cJSON_AddItemToObject(item, "profile", kept);
    else
        cJSON_Delete(kept);
    cJSON_Delete(profile);
}

/* A device with the profile that it had when the run began, which is now if nothing was before. */
static cJSON *describe(const struct cb_device *d, const struct cb_plan *plan, const cJSON *before)
{
    const cJSON *known = cb_json_device(before, d->id);
    const cJSON *profile = cJSON_GetObjectItemCaseSensitive(known, "profile");
    cJSON *item = cb_device_to_json(d);
    if (profile)
        cJSON_AddItemToObject(item, "profile", cJSON_Duplicate(profile, true));
    else if (!before)
        add_profile(item, d, plan);
    return item;
}

cJSON *cb_suite_devices(const struct cb_supervisor *supervisor, const struct cb_devices *devices,
                        const struct cb_plan *plan, const cJSON *before)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < devices->count; i++) {
        const struct cb_device *d = &devices->items[i];
        const cJSON *value, *session = cb_supervisor_session(supervisor, d);
        const cJSON *known = session ? NULL : cb_json_device(before, d->id);
        if (!cb_plan_uses(plan, d))
            continue;
        cJSON *item = known ? cJSON_Duplicate(known, true) : describe(d, plan, before);
        cJSON_AddItemToArray(list, item);
        cJSON_ArrayForEach (value, session)
            cb_json_put(item, value->string, cJSON_Duplicate(value, true));
    }
    return list;
}

uint64_t cb_suite_seed_of(const cJSON *document)
{
    const cJSON *invocation = cJSON_GetObjectItemCaseSensitive(document, "invocation");
    return strtoull(cb_json_text(invocation, "seed", "0"), NULL, 10);
}
