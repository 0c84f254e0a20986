/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/memory/plan.h"

#include <stdlib.h>
#include <string.h>

#define ACCESSES     1000
#define CPU_ACCESSES 100000

const struct cb_param cb_memory_params[] = {
    {"access", 0, CB_PARAM_CHOICE, true, "volatile,atomic,volatile_after_atomic",
     "volatile,atomic,volatile_after_atomic", 0, 0, NULL, "Kinds of access."},
    {"operation", 0, CB_PARAM_CHOICE, true, "read,write", "read,write", 0, 0, NULL,
     "Reads, writes, or both in turn."},
    {"contention", 0, CB_PARAM_CHOICE, true, "contentious,noncontentious",
     "contentious,noncontentious", 0, 0, NULL,
     "One word for all workgroups, or each its own in a 256-byte block."},
    {"groups", 0, CB_PARAM_TEXT, true, "1,N/8,N/4,N/2,N", NULL, 0, 0, "GROUPS",
     "Workgroups: a number, N (as many as run at once) or N/K."},
    {"accesses", 0, CB_PARAM_UINT, false, NULL, NULL, 1, 10000000, NULL,
     "Accesses of each workgroup. Without it: 1000 as in the paper, 100000 on CPU devices, whose "
     "threads would else not overlap."},
    {"wg-size", 0, CB_PARAM_UINT, false, "128", NULL, 1, 65536, NULL,
     "Work-items a workgroup; one of them makes the accesses."},
    {0},
};

enum cb_status cb_memory_groups(const char *text, size_t n, size_t *groups, struct cb_err *err)
{
    const char *digits = strncmp(text, "N/", 2) == 0 ? text + 2 : text;
    bool number = *digits && strspn(digits, "0123456789") == strlen(digits) && strlen(digits) < 10;
    unsigned long value = number ? strtoul(digits, NULL, 10) : 1;
    if ((!number && strcmp(text, "N") != 0) || value == 0)
        return cb_fail(err, CB_USAGE, "groups: expected a number from 1, N or N/K, got \"%s\"",
                       text);
    if (n == 0)
        return CB_OK;
    bool share = text[0] == 'N';
    *groups = share ? n / value : value;
    if (*groups == 0)
        *groups = 1;
    if (*groups > n)
        return cb_fail(err, CB_UNSUPPORTED,
                       "%zu workgroups asked for, but only %zu run at once: they could not start "
                       "together",
                       *groups, n);
    return CB_OK;
}

static void add_case(const struct cb_bench *bench, const struct cb_device *device,
                     const cJSON *options, struct cb_plan *plan, const char *const names[4])
{
    int i = cb_plan_add(plan, bench, device, "%s/%s.%s.%s/groups=%.16s", bench->id, names[0],
                        names[1], names[2], names[3]);
    if (i < 0)
        return;
    cJSON *params = plan->cases[i].params;
    cJSON_AddStringToObject(params, "contention", names[0]);
    cJSON_AddStringToObject(params, "operation", names[1]);
    cJSON_AddStringToObject(params, "access", names[2]);
    cJSON_AddStringToObject(params, "groups", names[3]);
    bool cpu = strcmp(device->type, "cpu") == 0;
    uint64_t accesses = cb_options_uint(options, "accesses", cpu ? CPU_ACCESSES : ACCESSES);
    cJSON_AddNumberToObject(params, "accesses", (double)accesses);
    cJSON_AddNumberToObject(params, "wg", (double)cb_options_uint(options, "wg-size", 128));
}

enum cb_status cb_memory_plan(const struct cb_bench *bench, const struct cb_device *device,
                              const cJSON *options, struct cb_plan *plan, struct cb_err *err)
{
    static const char *const keys[] = {"contention", "operation", "access", "groups"};
    int counts[4], total = 1;
    uint64_t wg = cb_options_uint(options, "wg-size", 128);
    if (wg > device->max_wg_size)
        return cb_fail(err, CB_USAGE, "wg-size: %s takes at most %llu work-items a workgroup",
                       device->name, (unsigned long long)device->max_wg_size);
    for (int i = 0; i < cb_options_count(options, "groups"); i++)
        if (cb_memory_groups(cb_options_text(options, "groups", i), 0, NULL, err) != CB_OK)
            return err->status;
    for (int k = 0; k < 4; k++)
        total *= counts[k] = cb_options_count(options, keys[k]);
    for (int i = 0; i < total; i++) {
        const char *names[4];
        for (int k = 3, rest = i; k >= 0; rest /= counts[k--])
            names[k] = cb_options_text(options, keys[k], rest % counts[k]);
        add_case(bench, device, options, plan, names);
    }
    return CB_OK;
}
