/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/launch/plan.h"

#include <stdlib.h>
#include <string.h>

#include "measure/case.h"

#define ALL       "all"
#define MOST_POOL 65536

/* What a case takes on average (PoCL, H100). */
#define CPU_CASE_S 0.6
#define GPU_CASE_S 0.4

const struct cb_param cb_launch_params[] = {
    {"program", 'p', CB_PARAM_CHOICE, true, "los,pd,pt,sc,unq,upd", "los,pd,pt,sc,unq,upd", 0, 0,
     NULL,
     "los: line of sight; pd, upd: padding and unpadding of a matrix; pt: partition; sc: stream "
     "compaction; unq: unique. All but los work in place."},
    {"launcher", 'l', CB_PARAM_CHOICE, true, "host,loop,PA,PAO", "host,loop,PA,PAO", 0, 0, NULL,
     "host: a launch for each step; loop: one workgroup does all; PA: promoted and aggregated, "
     "--pool steps in a launch; PAO: with overlap, what does not depend on the step before first."},
    {"pool", 0, CB_PARAM_TEXT, true, "2,128,all", NULL, 0, 0, "STEPS",
     "PA and PAO: steps that are launched together; all of them in one launch."},
    {"size", 0, CB_PARAM_CHOICE, true, "small,medium,large", "small,medium,large", 0, 0, NULL,
     "Inputs of the paper's sizes: of 2, 25 and up to 3073 steps.", .quick = "medium,large"},
    {0},
};

struct planner {
    const struct cb_bench *bench;
    const struct cb_device *device;
    const cJSON *options;
    struct cb_plan *plan;
};

enum cb_chain_size_name cb_launch_size_of(const char *name)
{
    int size = 0;
    while (size + 1 < CB_CHAIN_SIZES && strcmp(cb_chain_size_names[size], name) != 0)
        size++;
    return (enum cb_chain_size_name)size;
}

uint32_t cb_launch_pool_of(const char *text, uint32_t steps)
{
    return strcmp(text, ALL) == 0 ? steps : (uint32_t)strtoul(text, NULL, 10);
}

static enum cb_status check_pools(const cJSON *options, struct cb_err *err)
{
    for (int i = 0; i < cb_options_count(options, "pool"); i++) {
        const char *text = cb_options_text(options, "pool", i);
        char *end;
        unsigned long pool = strtoul(text, &end, 10);
        if (strcmp(text, ALL) != 0 &&
            (text[0] < '0' || text[0] > '9' || *end || pool < 1 || pool > MOST_POOL))
            return cb_fail(err, CB_USAGE,
                           "pool: expected a number from 1 to %d, or all, got \"%s\"", MOST_POOL,
                           text);
    }
    return CB_OK;
}

/* pool: NULL: the launcher has none. */
static void add_case(const struct planner *p, const char *program, const char *size,
                     const char *launcher, const char *pool)
{
    int i = cb_plan_add(p->plan, p->bench, p->device, "%s/%s/%s%s%s/%s", p->bench->id, program,
                        launcher, pool ? "-" : "", pool ? pool : "", size);
    if (i < 0)
        return;
    struct cb_case *c = &p->plan->cases[i];
    c->group = p->plan->groups;
    c->expected_s = strcmp(p->device->type, "cpu") == 0 ? CPU_CASE_S : GPU_CASE_S;
    cb_case_set(c, "program", program);
    cb_case_set(c, "size", size);
    cb_case_set(c, "launcher", launcher);
    if (pool)
        cb_case_set(c, "pool", pool);
}

/* Of one program and size: they take turns. */
static void add_group(const struct planner *p, const char *program, const char *size)
{
    p->plan->groups++;
    for (int l = 0; l < cb_options_count(p->options, "launcher"); l++) {
        const char *launcher = cb_options_text(p->options, "launcher", l);
        bool has_pool = strcmp(launcher, CB_LAUNCH_PA) == 0 || strcmp(launcher, CB_LAUNCH_PAO) == 0;
        for (int k = 0; k < cb_options_count(p->options, "pool") && has_pool; k++)
            add_case(p, program, size, launcher, cb_options_text(p->options, "pool", k));
        if (!has_pool)
            add_case(p, program, size, launcher, NULL);
    }
}

enum cb_status cb_launch_plan(const struct cb_bench *bench, const struct cb_device *device,
                              const cJSON *options, struct cb_plan *plan, struct cb_err *err)
{
    const struct planner p = {bench, device, options, plan};
    if (check_pools(options, err) != CB_OK)
        return err->status;
    for (int s = 0; s < cb_options_count(options, "size"); s++)
        for (int i = 0; i < cb_options_count(options, "program"); i++)
            add_group(&p, cb_options_text(options, "program", i),
                      cb_options_text(options, "size", s));
    return CB_OK;
}
