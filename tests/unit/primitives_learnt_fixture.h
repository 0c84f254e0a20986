/* SPDX-License-Identifier: Apache-2.0
 *
 * A run of primitives and a profile that it teaches.
 */
#pragma once

#include "temp_folder.h"

#define BENCH "primitives"
#include "run_fixture.h"

#include "probes/primitives/learnt.h"
#include "runtime/device.h"
#include "runtime/host/error.h"
#include "runtime/profile.h"

/* --- Runs and profiles ------------------------------------------------------------------------ */

static cJSON *run, *profile;

static inline int setup(void **state)
{
    unsetenv("COOPBENCH_NO_PROFILE");
    if (make_folder(state) != 0 || setenv("COOPBENCH_PROFILE_DIR", folder, 1) != 0)
        return -1;
    run = new_run();
    profile = cJSON_CreateObject();
    return !run || !profile;
}

static inline int teardown(void **state)
{
    cJSON_Delete(run);
    cJSON_Delete(profile);
    return remove_folder(state);
}

/* A case of device "d" that is ok; variant: the parameter "section" or "initial", if it has one. */
static inline cJSON *add(const char *kind, const char *name, const char *groups, double count,
                         int variant, double throughput)
{
    const char *option = strcmp(kind, "mutex") == 0       ? "section"
                         : strcmp(kind, "semaphore") == 0 ? "initial"
                                                          : "wg-size";
    cJSON *item = add_case(run, "d", "id", "kind=%s primitive=%s groups=%s %s=%d", kind, name,
                           groups, option, variant);
    add_metric(item, "throughput", throughput);
    add_metric(item, "op_time", 1e9 / throughput);
    add_metric(item, "groups", count);
    return item;
}

/* A case of the tuner. */
static inline cJSON *add_tuned(const char *kind, const char *name, double count,
                               const char *backoff, double throughput)
{
    cJSON *item = add(kind, name, count == 8 ? "N" : "N/2", count,
                      strcmp(kind, "mutex") == 0 ? 1 : 10, throughput);
    return set_params(item, "backoff=%s tune=true", backoff);
}

static inline void add_all(const char *kind, const char *names, const char *groups, double count,
                           int variant, const char *best)
{
    char text[256], *rest = text;
    snprintf(text, sizeof text, "%s", names);
    for (char *name; (name = strtok_r(rest, ",", &rest)) != NULL;)
        add(kind, name, groups, count, variant, strcmp(name, best) == 0 ? 1e6 : 1e5);
}

#define ID(KIND, id, ...) #id ","
#define BARRIERS          CB_BARRIERS(ID)
#define MUTEXES           CB_MUTEXES(ID)
#define SEMAPHORES        CB_SEMAPHORES(ID)
