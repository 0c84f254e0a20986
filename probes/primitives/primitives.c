/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast barriers, mutexes and semaphores between workgroups are (SO'11 Sections 5, 6).
 * See README.md beside this file.
 */
#include "probes/primitives/primitives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core_speed_abi.h"
#include "probes/primitives/best.h"
#include "probes/primitives/figures.h"
#include "probes/primitives/findings.h"
#include "probes/primitives/learnt.h"
#include "probes/primitives/native.h"
#include "probes/primitives/plan.h"
#include "probes/primitives/relaunch.h"
#include "probes/primitives/report.h"
#include "runtime/discovery.h"

#define MAX_OPERATIONS         1000 /* SO'11 Section 6 */
#define MIN_OPERATIONS         20
#define LAUNCH_NS              10e6 /* what a launch takes that chooses its operations, about */
#define CHECKED_BARRIERS       CB_MOST_CHECKED
#define CHECKED_OPERATIONS     50 /* at most, of each workgroup; these take some times as long */
#define CPU_CHECKED_OPERATIONS CB_MOST_CHECKED
#define BUDGET_OPERATIONS      100000000 /* more than a launch with a budget can make */

/* ---- Building -------------------------------------------------------------------------------- */

static void append_backoff(char *defines, size_t size, const char *text)
{
    size_t n = strlen(defines);
    const char *colon = text ? strchr(text, ':') : NULL;
    if (colon)
        snprintf(defines + n, size - n, " -DCB_BACKOFF_MIN=%luu -DCB_BACKOFF_MAX=%luu",
                 strtoul(text, NULL, 10), strtoul(colon + 1, NULL, 10));
    else if (text)
        snprintf(defines + n, size - n, " -DCB_BACKOFF_PLACE=%luu", strtoul(text, NULL, 10));
}

static enum cb_status build(struct cb_primitives *p, const struct cb_primitives_case *params,
                            struct cb_err *err)
{
    const char *file = p->relaunch ? CB_RELAUNCH : cb_kind_names[p->kind];
    char path[64], kernel[32], defines[240];
    snprintf(path, sizeof path, "probes/primitives/%s.cl", file);
    snprintf(defines, sizeof defines, "-DCB_WG_SIZE=%zu -DCB_PROTOCOL=lockfree", p->wg_size);
    if (!p->relaunch)
        snprintf(defines + strlen(defines), sizeof defines - strlen(defines), " -D%s=%s",
                 cb_kind_macros[p->kind], params->primitive);
    if (p->kind == CB_KIND_MUTEX)
        snprintf(defines + strlen(defines), sizeof defines - strlen(defines), " -DCB_SECTION=%u",
                 p->section);
    if (p->budget > 0)
        strcat(defines, " -DCB_BUDGET");
    if (p->times_cores)
        strcat(defines, " -DCB_CORE_SPEED");
    append_backoff(defines, sizeof defines, params->backoff);
    if (cb_program_build(p->session, path, defines, &p->program, err) != CB_OK)
        return err->status;
    for (int i = 0; i < CB_KERNELS; i++) {
        snprintf(kernel, sizeof kernel, "%s_%s", file, i == CB_TIMED ? "timed" : "checked");
        if (cb_kernel_create(p->program, kernel, &p->kernels[i], err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

/* ---- How many workgroups, how many operations ------------------------------------------------ */

struct discovery {
    struct cb_primitives *primitives;
    int kernel;
};

static enum cb_status launch_discovery(void *self, size_t groups, size_t *participants,
                                       struct cb_err *err)
{
    struct discovery *d = self;
    struct cb_primitives *p = d->primitives;
    if (cb_primitives_launch(p, d->kernel, groups, CB_LAUNCH_DISCOVER, NULL, err) != CB_OK)
        return err->status;
    *participants = 0;
    for (size_t i = 0; i < groups; i++)
        *participants += p->groups[i].participating;
    return CB_OK;
}

/* N is what both kernels can have. */
static enum cb_status find_groups(struct cb_primitives *p, const char *groups, struct cb_err *err)
{
    size_t least = SIZE_MAX;
    for (int i = 0; i < CB_KERNELS; i++) {
        struct discovery d = {p, i};
        size_t found = 0;
        if (cb_discovery_search(p->session, launch_discovery, &d, &found, err) != CB_OK)
            return err->status;
        least = found < least ? found : least;
    }
    return cb_groups_parse(groups, least, &p->launched, err);
}

static cl_uint within(double value, cl_uint low, cl_uint high)
{
    return !(value > low) ? low : value < high ? (cl_uint)value : high;
}

#define SIZING_LAUNCHES 8

/* Finds how many operations fill target_ns, by launches that try them: the first are mostly the
 * start of threads, and on a CPU device a thousand operations would be over before the next thread
 * has started. */
static enum cb_status fill_launch(struct cb_primitives *p, cl_uint most, double target_ns,
                                  struct cb_err *err)
{
    p->operations[CB_TIMED] = MIN_OPERATIONS;
    for (int i = 0; i < SIZING_LAUNCHES; i++) {
        cl_uint tried = p->operations[CB_TIMED];
        double ns;
        if (cb_primitives_launch(p, CB_TIMED, p->launched, CB_LAUNCH_MEASURE, &ns, err) != CB_OK)
            return err->status;
        if (ns > target_ns / 4 && ns < target_ns * 4)
            break;
        double wanted = ns > 0 ? fmin(target_ns / ns, 50) * tried : 50.0 * tried;
        p->operations[CB_TIMED] = within(wanted, MIN_OPERATIONS, most);
        if (p->operations[CB_TIMED] == tried)
            break;
    }
    return CB_OK;
}

/* Mutexes and semaphores of CPU devices are measured for a time (common.clh says why). */
static bool has_budget(const struct cb_primitives *p, const char *ops)
{
    return strcmp(ops, "auto") == 0 && p->times_cores && p->kind != CB_KIND_BARRIER;
}

static enum cb_status choose_operations(struct cb_primitives *p, const char *ops,
                                        struct cb_err *err)
{
    p->operations[CB_TIMED] = (cl_uint)strtoul(ops, NULL, 10);
    if (p->budget > 0)
        p->operations[CB_TIMED] = BUDGET_OPERATIONS;
    else if (strcmp(ops, "auto") == 0 && fill_launch(p, MAX_OPERATIONS, LAUNCH_NS, err) != CB_OK)
        return err->status;
    p->operations[CB_CHECKED] = p->kind == CB_KIND_BARRIER ? CHECKED_BARRIERS
                                : p->budget > 0
                                    ? CPU_CHECKED_OPERATIONS
                                    : within(p->operations[CB_TIMED] / 10.0, 4, CHECKED_OPERATIONS);
    return CB_OK;
}

/* A queue lock's slots: a power of two, one at least for each workgroup. */
static cl_uint slots_for(size_t groups)
{
    cl_uint slots = 1;
    while (slots < groups)
        slots *= 2;
    return slots;
}

static enum cb_status open_kernels(struct cb_primitives *p, const struct cb_primitives_case *params,
                                   struct cb_err *err)
{
    const char *ops = params->ops;
    p->section = (cl_uint)params->section.value;
    p->budget = has_budget(p, ops) ? (cl_ulong)(LAUNCH_NS / p->session->ns_per_tick) : 0;
    if (build(p, params, err) != CB_OK || find_groups(p, params->groups, err) != CB_OK)
        return err->status;
    if (p->session->rehearsal)
        return CB_OK;
    p->value = (cl_uint)params->initial.value;
    if (p->kind == CB_KIND_MUTEX) {
        p->value = slots_for(p->launched);
        cb_primitives_release(p); /* the words of a queue lock */
    }
    if (p->kind == CB_KIND_QUEUE) {
        p->value = within(slots_for(p->launched) / 4, 2, UINT32_MAX); /* full at times */
        cb_primitives_release(p);
    }
    return choose_operations(p, ops, err);
}

/* Threads in the place of workgroups: as many as the device has compute units at most. */
static enum cb_status open_native(struct cb_primitives *p, const struct cb_primitives_case *params,
                                  struct cb_err *err)
{
    const char *ops = params->ops;
    p->operations[CB_TIMED] =
        strcmp(ops, "auto") == 0 ? MAX_OPERATIONS : (cl_uint)strtoul(ops, NULL, 10);
    return cb_groups_parse(params->groups, (size_t)p->session->info.compute_units, &p->launched,
                           err);
}

static enum cb_status primitives_open(struct cb_session *session, const cJSON *params, void *batch,
                                      void **state, struct cb_err *err)
{
    (void)batch;
    struct cb_primitives *p = calloc(1, sizeof *p);
    *state = p;
    if (!p)
        return cb_no_memory(err);
    struct cb_primitives_case read;
    cb_fields_read(params, cb_primitives_fields, &read);
    p->session = session;
    p->kind = cb_kind_of(read.kind);
    if (p->kind == CB_KINDS)
        return cb_fail(err, CB_ERROR, "no such kind of primitives: %s", read.kind);
    p->wg_size = read.wg_size;
    p->native = cb_text_is(read.primitive, CB_NATIVE);
    p->relaunch = cb_text_is(read.primitive, CB_RELAUNCH)        ? CB_RELAUNCH_QUEUED
                  : cb_text_is(read.primitive, CB_RELAUNCH_SYNC) ? CB_RELAUNCH_WAITS
                                                                 : CB_RELAUNCH_NOT;
    p->times_cores = !cb_primitive_only_compared(read.primitive) &&
                     cb_device_is_cpu(&session->info) && session->ns_per_tick > 0;
    return p->native ? open_native(p, &read, err) : open_kernels(p, &read, err);
}

static void primitives_close(void *state)
{
    struct cb_primitives *p = state;
    cb_primitives_release(p);
    cb_relaunch_release(p);
    for (int i = 0; i < CB_KERNELS; i++)
        if (p->kernels[i])
            clReleaseKernel(p->kernels[i]);
    if (p->program)
        clReleaseProgram(p->program);
    free(p);
}

/* ---- Running --------------------------------------------------------------------------------- */

static void add_core_speed(const struct cb_primitives *p, struct cb_sample *sample)
{
    double ticks = 0;
    for (size_t i = 0; i < p->launched; i++)
        ticks += (double)p->groups[i].core_ticks;
    double loops = 2.0 * CB_CORE_LOOPS * (double)p->launched;
    cb_sample_add(sample, "core_speed", loops * 1e9 / (ticks * p->session->ns_per_tick));
}

static void add_speed(const struct cb_primitives *p, double ns, struct cb_sample *sample)
{
    double operations = 0;
    for (size_t i = 0; i < p->launched && !p->native; i++)
        operations += p->groups[i].operations;
    if (p->kind == CB_KIND_BARRIER) /* one operation of all workgroups together */
        operations = p->operations[CB_TIMED];
    cb_sample_add(sample, "throughput", operations / (ns / 1e9));
    cb_sample_add(sample, "op_time", ns / operations);
    cb_sample_add(sample, "groups", (double)p->launched);
    cb_sample_add(sample, "ops",
                  p->kind == CB_KIND_BARRIER ? operations : operations / (double)p->launched);
    if (p->times_cores)
        add_core_speed(p, sample);
}

/* Adds the fairness of the checked launch. */
static void add_fairness(const struct cb_primitives *p, struct cb_sample *sample)
{
    double waited = 0, longest = 0, overtaken = 0;
    double grants = (double)p->launched * p->operations[CB_CHECKED];
    for (size_t i = 0; i < p->launched; i++) {
        waited += (double)p->groups[i].waited;
        longest = fmax(longest, (double)p->groups[i].longest);
        overtaken += p->groups[i].overtaken;
    }
    if (waited > 0)
        cb_sample_add(sample, "longest_wait", longest / (waited / grants));
    if (p->kind == CB_KIND_MUTEX)
        cb_sample_add(sample, "out_of_order", overtaken / grants);
}

static enum cb_status run_native(struct cb_primitives *p, struct cb_sample *sample,
                                 struct cb_err *err)
{
    double ns;
    unsigned errors;
    if (cb_native_barrier((unsigned)p->launched, p->operations[CB_TIMED], &ns, &errors, err) !=
        CB_OK)
        return err->status;
    cb_sample_check(sample, errors == 0, "%u threads left the native barrier too early", errors);
    add_speed(p, ns, sample);
    return CB_OK;
}

static enum cb_status primitives_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct cb_primitives *p = state;
    double ns;
    if (p->native)
        return run_native(p, sample, err);
    cb_primitives_move(p);
    if (cb_primitives_launch(p, CB_TIMED, p->launched, CB_LAUNCH_MEASURE, &ns, err) != CB_OK)
        return err->status;
    cb_primitives_check(p, CB_TIMED, sample);
    add_speed(p, ns, sample);
    if (cb_primitives_launch(p, CB_CHECKED, p->launched, CB_LAUNCH_MEASURE, NULL, err) != CB_OK)
        return cb_context(err, "checked launch");
    cb_primitives_check(p, CB_CHECKED, sample);
    if (p->kind != CB_KIND_BARRIER)
        add_fairness(p, sample);
    return CB_OK;
}

/* ---- The table entry ------------------------------------------------------------------------- */

static const struct cb_derived derived[] = {{"op_time", "throughput"}, {0}};

static const struct cb_metric metrics[] = {
    {"throughput", "ops/s", CB_HIGHER, true,
     "barriers passed by all, or lock-unlock or wait-post pairs of all workgroups, in a second"},
    {"op_time", "ns", CB_LOWER, false, "time of one of these"},
    {"groups", "workgroups", CB_HIGHER, false, "workgroups that used it"},
    {"ops", "1", CB_NEITHER, false, "operations of a workgroup, on average"},
    {"core_speed", "loops/s", CB_NEITHER, false,
     "CPU devices: turns of a fixed loop that the same threads make, right before and after"},
    {"longest_wait", "1", CB_LOWER, false, "longest wait over mean wait: fairness"},
    {"out_of_order", "1", CB_LOWER, false, "share of grants after one that was asked for later"},
    {0},
};

static const char *const built_by[] = {"kind",    "primitive", "section", "backoff",
                                       "wg-size", "ops",       NULL};

static bool is_only_compared(const cJSON *params)
{
    struct cb_primitives_case c;
    cb_fields_read(params, cb_primitives_fields, &c);
    return c.primitive && cb_primitive_only_compared(c.primitive);
}

static const char *const chosen[] = {"primitive", "wg-size", NULL};
static const char *const tuned[] = {"backoff", NULL};

static const struct cb_choice choices[] = {
    {"primitive", chosen, tuned, .within = "kind", .only_compared = is_only_compared}, {0}};

const struct cb_bench cb_bench_primitives = {
    .id = "primitives",
    .summary = "How fast barriers, mutexes and semaphores between workgroups are",
    .reproduces = "SO'11 Figs. 1 to 3, Tab. 5",
    .details =
        "All workgroups use one barrier, mutex or semaphore again and again, from one workgroup\n"
        "to as many as run at once (N, found by discovery); one work-item of each acts for it.\n"
        "Every run is checked by a second launch with a critical section of all work-items:\n"
        "mutual exclusion, phases, values, and that plain writes before a barrier or unlock are\n"
        "seen after it; it also tells how fair the grants are. Waits are bounded: a primitive\n"
        "that starves somebody for --wait-deadline ends as 'timeout'.",
    .params = cb_primitives_params,
    .fields = cb_primitives_fields,
    .metrics = metrics,
    .derived = derived,
    .choices = choices,
    .figures = cb_primitives_figures,
    .stop = {.rule = CB_STOP_COUNT, .warmup = 1, .min_runs = 7, .max_runs = 7},
    .run_deadline_s = 120,
    .built_by = built_by,
    .quick_gpu_s = 45,
    .quick_cpu_s = 45,
    .plan = cb_primitives_plan,
    .open = primitives_open,
    .run = primitives_run,
    .close = primitives_close,
    .report = cb_primitives_report,
    .findings = cb_primitives_findings,
    .profile_section = "memory",
    .learn = cb_primitives_learn,
    .defines = cb_primitives_defines,
};
