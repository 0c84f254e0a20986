/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/learn.h"

#include <stdlib.h>
#include <string.h>

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

/* learnt: the names of the benches that changed the profile. Empty: none did. */
static void let_learn(const cJSON *run, const struct cb_plan *plan, const struct cb_device *device,
                      cJSON *profile, char learnt[256])
{
    learnt[0] = '\0';
    for (int i = 0; cb_benches[i]; i++) {
        const struct cb_bench *bench = cb_benches[i];
        size_t used = strlen(learnt);
        if (bench->learn && has_cases(plan, bench, device) &&
            bench->learn(run, device->id, profile))
            snprintf(learnt + used, 256 - used, "%s%s", used ? ", " : "", bench->id);
    }
}

static void learn_about(const cJSON *run, const struct cb_plan *plan,
                        const struct cb_device *device, bool quiet)
{
    struct cb_err err;
    cJSON *profile;
    char learnt[256], path[512];
    fflush(stdout); /* the report goes first, wherever the two end up */
    if (cb_profile_load(device, &profile, &err) != CB_OK) {
        fprintf(stderr, "coopbench: warning: the profile of %s was not updated: %s\n", device->name,
                err.text);
        return;
    }
    let_learn(run, plan, device, profile, learnt);
    if (learnt[0] && cb_profile_save(device, profile, path, &err) != CB_OK)
        fprintf(stderr, "coopbench: warning: the profile of %s was not saved: %s\n", device->name,
                err.text);
    else if (learnt[0] && !quiet)
        fprintf(stderr, "Profile of %s updated: %s (%s)\n", device->name, path, learnt);
    cJSON_Delete(profile);
}

void cb_learn(const cJSON *run, const struct cb_plan *plan, const struct cb_devices *devices,
              bool quiet)
{
    for (int i = 0; i < devices->count; i++)
        if (may_learn(plan, &devices->items[i]))
            learn_about(run, plan, &devices->items[i], quiet);
}
