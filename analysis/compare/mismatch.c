/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/mismatch.h"

#include <stdio.h>
#include <string.h>

#include "measure/identity.h"
#include "measure/text/json.h"

static const struct {
    unsigned bit;
    const char *key;
} device_keys[] = {
    {CB_MISMATCH_DEVICE, "name"},           {CB_MISMATCH_DEVICE, "compute_units"},
    {CB_MISMATCH_DRIVER, "driver_version"}, {CB_MISMATCH_DRIVER, "platform_version"},
    {CB_MISMATCH_DRIVER, "device_version"}, {CB_MISMATCH_PARAMS, "atomics"},
    {CB_MISMATCH_PARAMS, "clock"},          {CB_MISMATCH_PARAMS, "host_channel"},
};

static const char *const host_keys[] = {"cpu", "arch", "num_cpus", "governor"};

static const char *const words[] = {"device", "driver", "host", "params"};

unsigned cb_mismatch_bit(const char *word)
{
    for (unsigned i = 0; i < CB_COUNTOF(words); i++)
        if (strcmp(words[i], word) == 0)
            return 1u << i;
    return 0;
}

/* A member of an object, as a reference in another. */
static void refer(cJSON *to, const cJSON *from, const char *key)
{
    cJSON *member = cJSON_GetObjectItemCaseSensitive(from, key);
    if (member)
        cJSON_AddItemReferenceToObject(to, key, member);
}

/* What has been found, and what is not looked for. */
struct search {
    unsigned found, allowed;
    char *why;
    size_t size;
};

/* Whether it is the first that is found, so that it has to be said. */
static bool is_first(struct search *s, unsigned bit)
{
    const bool first = !(s->allowed & bit) && !s->found;
    s->found |= bit & ~s->allowed;
    return first;
}

static void note(struct search *s, unsigned bit, const char *what, const char *was, const char *is)
{
    if (is_first(s, bit))
        snprintf(s->why, s->size, "%s was %s, is %s", what, was ? was : "?", is ? is : "?");
}

static void check(struct search *s, unsigned bit, const char *what, const cJSON *was,
                  const cJSON *is)
{
    if (!was || !is || cJSON_IsNull(was) || cJSON_IsNull(is) || cJSON_Compare(was, is, true))
        return;
    char *before = cJSON_PrintUnformatted(was), *now = cJSON_PrintUnformatted(is);
    note(s, bit, what, before, now);
    cJSON_free(before);
    cJSON_free(now);
}

static void check_device(struct search *s, const cJSON *was, const cJSON *is)
{
    char what[64];
    for (size_t i = 0; i < CB_COUNTOF(device_keys); i++) {
        snprintf(what, sizeof what, "%s of the device", device_keys[i].key);
        check(s, device_keys[i].bit, what,
              cJSON_GetObjectItemCaseSensitive(was, device_keys[i].key),
              cJSON_GetObjectItemCaseSensitive(is, device_keys[i].key));
    }
}

static void check_host(struct search *s, const cJSON *was, const cJSON *is)
{
    char what[64];
    for (size_t i = 0; i < CB_COUNTOF(host_keys); i++) {
        snprintf(what, sizeof what, "%s of the host", host_keys[i]);
        check(s, CB_MISMATCH_HOST, what, cJSON_GetObjectItemCaseSensitive(was, host_keys[i]),
              cJSON_GetObjectItemCaseSensitive(is, host_keys[i]));
    }
}

/* The last part of the path that a parameter is. */
static const char *name_of(const struct cb_run_case *c, const char *param)
{
    const char *path = cb_json_text(c->params, param, "?"), *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A parameter that names an input stands for its contents, where both tell them. */
static void check_params(struct search *s, const struct cb_run_case *was,
                         const struct cb_run_case *is)
{
    const cJSON *param;
    char what[96];
    cJSON_ArrayForEach (param, was->params) {
        const char *name = param->string ? param->string : "";
        const enum cb_identity_match match = cb_identity_compare(was->inputs, is->inputs, name);
        snprintf(what, sizeof what, "parameter %.64s", name);
        if (match == CB_IDENTITY_UNKNOWN)
            check(s, CB_MISMATCH_PARAMS, what, param,
                  cJSON_GetObjectItemCaseSensitive(is->params, name));
        else if (match == CB_IDENTITY_OTHER && is_first(s, CB_MISMATCH_PARAMS))
            cb_identity_differ(name, name_of(is, name), cb_identity_in(was->inputs, name),
                               cb_identity_in(is->inputs, name), s->why, s->size);
    }
}

cJSON *cb_mismatch_circumstances(const cJSON *document)
{
    cJSON *all = cJSON_CreateObject(), *devices = cJSON_AddArrayToObject(all, "devices");
    cJSON *host = cJSON_AddObjectToObject(all, "host"), *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(document, "devices")) {
        cJSON *part = cJSON_CreateObject();
        refer(part, device, "id");
        for (size_t i = 0; i < CB_COUNTOF(device_keys); i++)
            refer(part, device, device_keys[i].key);
        cJSON_AddItemToArray(devices, part);
    }
    for (size_t i = 0; i < CB_COUNTOF(host_keys); i++)
        refer(host, cJSON_GetObjectItemCaseSensitive(document, "host"), host_keys[i]);
    return all;
}

unsigned cb_mismatch(const struct cb_run_table *baseline, const struct cb_run_case *before,
                     const struct cb_run_table *run, const struct cb_run_case *now,
                     unsigned allowed, char *why, size_t size)
{
    struct search s = {0, allowed, why, size};
    why[0] = '\0';
    if (strcmp(before->device, now->device) != 0)
        note(&s, CB_MISMATCH_DEVICE, "the device", before->device, now->device);
    if (before->device_json && now->device_json)
        check_device(&s, before->device_json, now->device_json);
    check_host(&s, cJSON_GetObjectItemCaseSensitive(baseline->document.tree, "host"),
               cJSON_GetObjectItemCaseSensitive(run->document.tree, "host"));
    check_params(&s, before, now);
    return s.found;
}
