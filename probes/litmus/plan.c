/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/litmus/plan.h"

#include <string.h>

#include "measure/case.h"
#include "probes/litmus/table.h"

/* What a case takes on average (PoCL). */
#define CASE_S 0.8

#define ITERATIONS     "16"
#define CPU_ITERATIONS "2"

#define WG_SIZE     "256"
#define CPU_WG_SIZE "1"

/* The options, whose rows say what each is. */
struct cb_litmus_options {
    struct cb_texts tests, scopes, orderings;
    unsigned iterations, stress_percent, wg_size;
};

#define OPTION(name, member) CB_OPTION(struct cb_litmus_options, name, member)

const struct cb_param cb_litmus_params[] = {
    {OPTION("test", tests), .default_value = CB_LITMUS_TESTS, .choices = CB_LITMUS_TESTS,
     .help = "Litmus tests."},
    {OPTION("scope", scopes), .choices = CB_LITMUS_SCOPES,
     .help = "Whether the threads of a test are in different workgroups, or in different subgroups "
             "of one. Without it: both, but on CPU devices, where the work-items of a workgroup "
             "run one after the other, workgroups."},
    {OPTION("ordering", orderings), .default_value = CB_LITMUS_ORDERS, .choices = CB_LITMUS_ORDERS,
     .help = "What orders the accesses: nothing; fences between them; release stores and acquire "
             "loads."},
    {OPTION("iterations", iterations), .min = 1, .max = 100000,
     .help = "Launches in a sample, each of many instances of the test. Without it: " ITERATIONS
             ", on CPU devices " CPU_ITERATIONS "."},
    {OPTION("stress", stress_percent), .default_value = "50", .max = 100, .value_name = "PERCENT",
     .help = "In how many of the launches other workgroups keep the memory busy."},
    {OPTION("wg-size", wg_size), .min = 1, .max = 65536,
     .help = "Work-items a workgroup, a power of two. Without it: " WG_SIZE
             ", on CPU devices " CPU_WG_SIZE "."},
    {0},
};

struct planner {
    const struct cb_bench *bench;
    const struct cb_device *device;
    const cJSON *options;
    struct cb_plan *plan;
};

/* An option that has a default for GPUs, and another for CPU devices. */
static void take(struct cb_case *c, const struct planner *p, const char *name, const char *gpu,
                 const char *cpu)
{
    cb_case_set(c, name,
                cb_option_text_or(p->options, name, cb_device_is_cpu(p->device) ? cpu : gpu));
}

static void add_case(const struct planner *p, const char *test, const char *scope,
                     const char *order)
{
    int i =
        cb_plan_add(p->plan, p->bench, p->device, "%s/%s/%s/%s", p->bench->id, test, scope, order);
    if (i < 0)
        return;
    struct cb_case *c = &p->plan->cases[i];
    c->expected_s = CASE_S;
    cb_case_set(c, "test", test);
    cb_case_set(c, "scope", scope);
    cb_case_set(c, "ordering", order);
    take(c, p, "iterations", ITERATIONS, CPU_ITERATIONS);
    cb_case_take(c, p->options, "stress");
    take(c, p, "wg-size", WG_SIZE, CPU_WG_SIZE);
    cJSON_AddNumberToObject(c->params, "seed", (double)(p->plan->seed % 1000000007));
}

static void add_scope(const struct planner *p, const char *scope)
{
    for (int t = 0; t < cb_options_count(p->options, "test"); t++)
        for (int o = 0; o < cb_options_count(p->options, "ordering"); o++)
            add_case(p, cb_options_text(p->options, "test", t), scope,
                     cb_options_text(p->options, "ordering", o));
}

static enum cb_status check_wg_size(const struct planner *p, struct cb_err *err)
{
    uint64_t size = cb_option_uint_or(p->options, "wg-size", 1);
    if ((size & (size - 1)) != 0)
        return cb_fail(err, CB_USAGE, "wg-size: expected a power of two, got %llu",
                       (unsigned long long)size);
    if (size > p->device->max_wg_size)
        return cb_fail(err, CB_USAGE, "wg-size: %s takes at most %llu work-items a workgroup",
                       p->device->name, (unsigned long long)p->device->max_wg_size);
    return CB_OK;
}

enum cb_status cb_litmus_plan(const struct cb_bench *bench, const struct cb_device *device,
                              const cJSON *options, struct cb_plan *plan, struct cb_err *err)
{
    struct planner p = {bench, device, options, plan};
    if (check_wg_size(&p, err) != CB_OK)
        return err->status;
    for (int i = 0; i < cb_options_count(options, "scope"); i++)
        add_scope(&p, cb_options_text(options, "scope", i));
    if (cb_options_count(options, "scope") == 0) {
        add_scope(&p, "workgroups");
        if (!cb_device_is_cpu(device))
            add_scope(&p, "subgroups");
    }
    return CB_OK;
}
