/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/memory/plan.h"

#include <stdlib.h>
#include <string.h>

#define ACCESSES     1000
#define CPU_ACCESSES 100000

const struct cb_param cb_memory_params[] = {
    {"access", 0, CB_PARAM_CHOICE, true, "volatile,atomic,volatile_after_atomic",
     "volatile,atomic,volatile_after_atomic", 0, 0, NULL, "Kinds of access."},
    {"operation", 0, CB_PARAM_CHOICE, true, "read,write,chase", "read,write,chase", 0, 0, NULL,
     "chase: reads whose address depends on the value before: latency."},
    {"contention", 0, CB_PARAM_CHOICE, true, "contentious,noncontentious,spaced",
     "contentious,noncontentious,spaced", 0, 0, NULL,
     "One word for all workgroups; each its own in a 256-byte block; each its own, --strides apart "
     "(reads and writes, volatile and atomic, N workgroups)."},
    {"strides", 0, CB_PARAM_UINT, true, "4,8,16,32,64,128,256,512,1024,2048,4096", NULL, 4, 1048576,
     "BYTES", "Distances of spaced words, multiples of 4."},
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

#define BLOCK_BYTES 256 /* between noncontentious words */

struct planner {
    const struct cb_bench *bench;
    const struct cb_device *device;
    const cJSON *options;
    struct cb_plan *plan;
};

/* place: what follows the probe's name in the id. */
static void add_case(const struct planner *p, const char *contention, const char *operation,
                     const char *access, const char *groups, uint64_t stride_bytes,
                     const char *place)
{
    int i = cb_plan_add(p->plan, p->bench, p->device, "%s/%s.%s.%s/%s", p->bench->id, contention,
                        operation, access, place);
    if (i < 0)
        return;
    cJSON *params = p->plan->cases[i].params;
    cJSON_AddStringToObject(params, "contention", contention);
    cJSON_AddStringToObject(params, "operation", operation);
    cJSON_AddStringToObject(params, "access", access);
    cJSON_AddStringToObject(params, "groups", groups);
    cJSON_AddNumberToObject(params, "stride_bytes", (double)stride_bytes);
    bool cpu = strcmp(p->device->type, "cpu") == 0;
    uint64_t accesses = cb_options_uint(p->options, "accesses", cpu ? CPU_ACCESSES : ACCESSES);
    cJSON_AddNumberToObject(params, "accesses", (double)accesses);
    cJSON_AddNumberToObject(params, "wg", (double)cb_options_uint(p->options, "wg-size", 128));
}

static void add_sweep(const struct planner *p, const char *contention, const char *operation,
                      const char *access)
{
    uint64_t stride = strcmp(contention, "contentious") == 0 ? 0 : BLOCK_BYTES;
    for (int i = 0; i < cb_options_count(p->options, "groups"); i++) {
        char place[32];
        const char *groups = cb_options_text(p->options, "groups", i);
        snprintf(place, sizeof place, "groups=%.16s", groups);
        add_case(p, contention, operation, access, groups, stride, place);
    }
}

static void add_strides(const struct planner *p, const char *operation, const char *access)
{
    if (strcmp(operation, "chase") == 0 || strcmp(access, "volatile_after_atomic") == 0)
        return; /* they would show the same distances once more */
    for (int i = 0; i < cb_options_count(p->options, "strides"); i++) {
        char place[32];
        const char *bytes = cb_options_text(p->options, "strides", i);
        snprintf(place, sizeof place, "stride=%.16s", bytes);
        add_case(p, "spaced", operation, access, "N", strtoull(bytes, NULL, 10), place);
    }
}

static enum cb_status check_options(const struct planner *p, struct cb_err *err)
{
    if (cb_options_uint(p->options, "wg-size", 128) > p->device->max_wg_size)
        return cb_fail(err, CB_USAGE, "wg-size: %s takes at most %llu work-items a workgroup",
                       p->device->name, (unsigned long long)p->device->max_wg_size);
    for (int i = 0; i < cb_options_count(p->options, "groups"); i++)
        if (cb_memory_groups(cb_options_text(p->options, "groups", i), 0, NULL, err) != CB_OK)
            return err->status;
    for (int i = 0; i < cb_options_count(p->options, "strides"); i++) {
        const char *bytes = cb_options_text(p->options, "strides", i);
        if (strtoull(bytes, NULL, 10) % 4 != 0)
            return cb_fail(err, CB_USAGE, "strides: expected multiples of 4 bytes, got %s", bytes);
    }
    return CB_OK;
}

enum cb_status cb_memory_plan(const struct cb_bench *bench, const struct cb_device *device,
                              const cJSON *options, struct cb_plan *plan, struct cb_err *err)
{
    struct planner p = {bench, device, options, plan};
    if (check_options(&p, err) != CB_OK)
        return err->status;
    for (int c = 0; c < cb_options_count(options, "contention"); c++)
        for (int o = 0; o < cb_options_count(options, "operation"); o++)
            for (int a = 0; a < cb_options_count(options, "access"); a++) {
                const char *contention = cb_options_text(options, "contention", c);
                const char *operation = cb_options_text(options, "operation", o);
                const char *access = cb_options_text(options, "access", a);
                if (strcmp(contention, "spaced") == 0)
                    add_strides(&p, operation, access);
                else
                    add_sweep(&p, contention, operation, access);
            }
    return CB_OK;
}
