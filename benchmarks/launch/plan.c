/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/launch/plan.h"

#include <stdlib.h>
#include <string.h>

#include "benchmarks/launch/chain_programs.h"
#include "benchmarks/launch/nest_programs.h"
#include "measure/case.h"
#include "measure/text/json.h"

#define ALL              "all"
#define MOST_DESCENDANTS 65536
#define PROGRAMS         "bfs_nested,sssp_nested,equal,power,los,pd,pt,sc,unq,upd"
#define LAUNCHERS        "host,serial,flat,thread,warp,block,grid,loop,PA,PAO"

/* What a case takes on average (PoCL, H100). */
#define CPU_CASE_S 0.6
#define GPU_CASE_S 0.4

const char *const cb_launch_size_names[] = {"small", "medium", "large", NULL};

const struct cb_param cb_launch_params[] = {
    {"program", 'p', CB_PARAM_CHOICE, true, PROGRAMS, PROGRAMS, 0, 0, NULL,
     "Of parents with children: bfs_nested, breadth-first search; sssp_nested, shortest paths; "
     "equal and power, which do next "
     "to nothing, for the price of a launch. Of launches of themselves: los, line of sight; pd, "
     "upd, padding and unpadding of a matrix; pt, partition; sc, stream compaction; unq, unique."},
    {"launcher", 'l', CB_PARAM_CHOICE, true, LAUNCHERS, LAUNCHERS, 0, 0, NULL,
     "host: each launch by the host. Of parents: serial, they do their child's work themselves; "
     "flat, a workgroup does it; from within a kernel, thread, each launch on its own, warp and "
     "block, those of 32 work-items or of a workgroup as one; grid, all children are launched as "
     "one. Of launches of "
     "themselves: loop, one workgroup does all; PA, promoted and aggregated, --descendants in a "
     "launch; PAO, with overlap, what does not depend on the step before first."},
    {"descendants", 0, CB_PARAM_TEXT, true, "2,128,all", NULL, 0, 0, "STEPS",
     "PA and PAO: steps that are launched together; all of them in one launch."},
    {"threshold", 0, CB_PARAM_UINT, true, "1", NULL, 1, 1u << 30, "ITEMS",
     "Launchers with launches of children: a parent with less work than so many work-items does it "
     "itself."},
    {"pool", 0, CB_PARAM_UINT, false, NULL, NULL, 1, 1u << 28, "LAUNCHES",
     "host and grid: room for so many launches of a round. Without it: one of each parent."},
    {"size", 0, CB_PARAM_CHOICE, true, "small,medium,large", "small,medium,large", 0, 0, NULL,
     "Inputs; large ones are the paper's, of programs that launch themselves all.",
     .quick = "medium"},
    {0},
};

/* The launchers that programs of each kind can have. */
static const char *const of_chains[] = {CB_LAUNCH_HOST, CB_LAUNCH_LOOP, CB_LAUNCH_PA, CB_LAUNCH_PAO,
                                        NULL};
static const char *const of_nests[] = {
    CB_LAUNCH_HOST, CB_LAUNCH_SERIAL, CB_LAUNCH_FLAT, CB_LAUNCH_THREAD,
    CB_LAUNCH_WARP, CB_LAUNCH_BLOCK,  CB_LAUNCH_GRID, NULL};

struct planner {
    const struct cb_bench *bench;
    const struct cb_device *device;
    const cJSON *options;
    struct cb_plan *plan;
};

enum cb_launch_size cb_launch_size_of(const cJSON *params, bool rehearsal)
{
    const char *name = cb_json_text(params, "size", "");
    int size = 0;
    while (!rehearsal && size + 1 < CB_LAUNCH_SIZES &&
           strcmp(cb_launch_size_names[size], name) != 0)
        size++;
    return (enum cb_launch_size)size;
}

uint32_t cb_launch_descendants_of(const char *text, uint32_t steps)
{
    return strcmp(text, ALL) == 0 ? steps : (uint32_t)strtoul(text, NULL, 10);
}

static enum cb_status check_descendants(const cJSON *options, struct cb_err *err)
{
    for (int i = 0; i < cb_options_count(options, "descendants"); i++) {
        const char *text = cb_options_text(options, "descendants", i);
        char *end;
        unsigned long n = strtoul(text, &end, 10);
        if (strcmp(text, ALL) != 0 &&
            (text[0] < '0' || text[0] > '9' || *end || n < 1 || n > MOST_DESCENDANTS))
            return cb_fail(err, CB_USAGE,
                           "descendants: expected a number from 1 to %d, or all, got \"%s\"",
                           MOST_DESCENDANTS, text);
    }
    return CB_OK;
}

/* What a launcher is told beside the program: a number, by its parameter. NULL: nothing. */
struct detail {
    const char *param, *value;
};

/* "PAO-128", "grid,threshold=64"; without a threshold "grid". */
static void name_launcher(const char *launcher, const struct detail *detail, char name[64])
{
    if (!detail->param)
        snprintf(name, 64, "%s", launcher);
    else if (strcmp(detail->param, "descendants") == 0)
        snprintf(name, 64, "%s-%.20s", launcher, detail->value);
    else if (strcmp(detail->value, "1") == 0)
        snprintf(name, 64, "%s", launcher);
    else
        snprintf(name, 64, "%s,%s=%.20s", launcher, detail->param, detail->value);
}

static void add_case(const struct planner *p, const char *program, const char *size,
                     const char *launcher, const struct detail *detail)
{
    char name[64];
    name_launcher(launcher, detail, name);
    int i =
        cb_plan_add(p->plan, p->bench, p->device, "%s/%s/%s/%s", p->bench->id, program, name, size);
    if (i < 0)
        return;
    const bool is_nest = cb_nest_program_of(program);
    struct cb_case *c = &p->plan->cases[i];
    c->group = p->plan->groups;
    c->expected_s = strcmp(p->device->type, "cpu") == 0 ? CPU_CASE_S : GPU_CASE_S;
    cJSON_AddStringToObject(c->params, "kind",
                            is_nest ? CB_LAUNCH_AGGREGATION : CB_LAUNCH_PROMOTION);
    cb_case_set(c, "program", program);
    cb_case_set(c, "size", size);
    cb_case_set(c, "launcher", launcher);
    if (detail->param)
        cb_case_set(c, detail->param, detail->value);
    if (is_nest)
        cb_case_take(c, p->options, "pool");
    if (is_nest && strcmp(launcher, CB_LAUNCH_HOST) == 0) /* takes seconds */
        c->stop = (struct cb_stop){.rule = CB_STOP_COUNT, .min_runs = 3, .max_runs = 3};
}

static bool has(const char *const *list, const char *text)
{
    while (*list && strcmp(*list, text) != 0)
        list++;
    return *list;
}

/* The option whose values a launcher is tried with; NULL: none. */
static const char *option_of(const char *program, const char *launcher)
{
    static const char *const promoted[] = {CB_LAUNCH_PA, CB_LAUNCH_PAO, NULL};
    static const char *const alone[] = {CB_LAUNCH_SERIAL, CB_LAUNCH_FLAT, NULL};
    if (cb_nest_program_of(program))
        return has(alone, launcher) ? NULL : "threshold";
    return has(promoted, launcher) ? "descendants" : NULL;
}

/* Of one program and size: they take turns. */
static void add_group(const struct planner *p, const char *program, const char *size)
{
    p->plan->groups++;
    for (int l = 0; l < cb_options_count(p->options, "launcher"); l++) {
        const char *launcher = cb_options_text(p->options, "launcher", l);
        struct detail detail = {.param = option_of(program, launcher)};
        const int n = detail.param ? cb_options_count(p->options, detail.param) : 1;
        if (!has(cb_nest_program_of(program) ? of_nests : of_chains, launcher))
            continue;
        for (int k = 0; k < n; k++) {
            detail.value = detail.param ? cb_options_text(p->options, detail.param, k) : NULL;
            add_case(p, program, size, launcher, &detail);
        }
    }
}

enum cb_status cb_launch_plan(const struct cb_bench *bench, const struct cb_device *device,
                              const cJSON *options, struct cb_plan *plan, struct cb_err *err)
{
    const struct planner p = {bench, device, options, plan};
    const int before = plan->count;
    if (check_descendants(options, err) != CB_OK)
        return err->status;
    for (int s = 0; s < cb_options_count(options, "size"); s++)
        for (int i = 0; i < cb_options_count(options, "program"); i++)
            add_group(&p, cb_options_text(options, "program", i),
                      cb_options_text(options, "size", s));
    return plan->count > before
               ? CB_OK
               : cb_fail(err, CB_USAGE,
                         "launcher: none of the programs has it: bfs_nested, sssp_nested, equal "
                         "and power have host, serial, flat, thread, warp, block, grid; the "
                         "others host, loop, PA, PAO");
}
