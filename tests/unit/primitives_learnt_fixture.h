/* SPDX-License-Identifier: Apache-2.0
 *
 * A run of primitives and a profile that it teaches.
 */
#pragma once

#include "temp_folder.h"

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
    run = cJSON_Parse("{\"devices\": [], \"cases\": []}");
    profile = cJSON_CreateObject();
    return !run || !profile;
}

static inline int teardown(void **state)
{
    cJSON_Delete(run);
    cJSON_Delete(profile);
    return remove_folder(state);
}

/* A case of device "d" that is ok; variant: "section": 1 or "initial": 10 go into the parameters.
 */
static inline cJSON *add_case(const char *kind, const char *name, const char *groups, double count,
                              int variant, double throughput)
{
    char text[1024];
    const char *option = strcmp(kind, "mutex") == 0       ? "section"
                         : strcmp(kind, "semaphore") == 0 ? "initial"
                                                          : "wg-size";
    snprintf(text, sizeof text,
             "{\"bench\": \"primitives\", \"device\": \"d\", \"status\": \"ok\", \"params\": {"
             "\"kind\": \"%s\", \"primitive\": \"%s\", \"groups\": \"%s\", \"%s\": %d},"
             "\"metrics\": [{\"name\": \"throughput\", \"median\": %.17g},"
             "{\"name\": \"op_time\", \"median\": %.17g}, {\"name\": \"groups\", \"median\": %g}]}",
             kind, name, groups, option, variant, throughput, 1e9 / throughput, count);
    cJSON *item = cJSON_Parse(text);
    assert_non_null(item);
    cJSON_AddItemToArray(cJSON_GetObjectItem(run, "cases"), item);
    return item;
}

/* A case of the tuner. */
static inline cJSON *add_tuned(const char *kind, const char *name, double count,
                               const char *backoff, double throughput)
{
    cJSON *item = add_case(kind, name, count == 8 ? "N" : "N/2", count,
                           strcmp(kind, "mutex") == 0 ? 1 : 10, throughput);
    cJSON_AddStringToObject(cJSON_GetObjectItem(item, "params"), "backoff", backoff);
    cJSON_AddTrueToObject(cJSON_GetObjectItem(item, "params"), "tune");
    return item;
}

static inline void set(cJSON *item, const char *key, const char *text)
{
    assert_true(cJSON_ReplaceItemInObject(item, key, cJSON_CreateString(text)));
}

static inline void add_all(const char *kind, const char *names, const char *groups, double count,
                           int variant, const char *best)
{
    char text[256], *rest = text;
    snprintf(text, sizeof text, "%s", names);
    for (char *name; (name = strtok_r(rest, ",", &rest)) != NULL;)
        add_case(kind, name, groups, count, variant, strcmp(name, best) == 0 ? 1e6 : 1e5);
}

#define ID(KIND, id, ...) #id ","
#define BARRIERS          CB_BARRIERS(ID)
#define MUTEXES           CB_MUTEXES(ID)
#define SEMAPHORES        CB_SEMAPHORES(ID)
