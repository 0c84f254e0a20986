/* SPDX-License-Identifier: Apache-2.0
 *
 * What atomic and volatile accesses cost under contention (SO'11 Section 3, Tabs. 1 to 3).
 * See README.md beside this file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/discovery_abi.h"
#include "probes/memory/findings.h"
#include "probes/memory/memory.h"
#include "probes/memory/plan.h"
#include "probes/memory/report.h"
#include "runtime/discovery.h"

_Static_assert(sizeof(cb_memory_group) == 32, "as the kernel lays it out");

/* ---- Buffers --------------------------------------------------------------------------------- */

static void release_buffers(struct cb_memory *m)
{
    cl_mem all[] = {m->state, m->records, m->words};
    for (size_t i = 0; i < CB_COUNTOF(all); i++)
        if (all[i])
            clReleaseMemObject(all[i]);
    free(m->groups);
    free(m->values);
    m->state = m->records = m->words = NULL;
    m->groups = NULL;
    m->values = NULL;
    m->room = 0;
}

static enum cb_status reserve(struct cb_memory *m, size_t groups, struct cb_err *err)
{
    if (m->room >= groups)
        return CB_OK;
    release_buffers(m);
    m->state = cb_buffer_create(m->session, sizeof(cb_discovery), err);
    m->records = cb_buffer_create(m->session, groups * sizeof *m->groups, err);
    m->words =
        cb_buffer_create(m->session, cb_memory_word_count(m, groups) * sizeof *m->values, err);
    if (!m->state || !m->records || !m->words)
        return err->status;
    m->groups = calloc(groups, sizeof *m->groups);
    m->values = calloc(cb_memory_word_count(m, groups), sizeof *m->values);
    if (!m->groups || !m->values)
        return cb_no_memory(err);
    m->room = groups;
    return CB_OK;
}

static enum cb_status fill_words(struct cb_memory *m, size_t groups, struct cb_err *err)
{
    cl_uint initial = CB_MEMORY_INITIAL;
    return CB_CL(err, clEnqueueFillBuffer(m->session->queue, m->words, &initial, sizeof initial, 0,
                                          cb_memory_word_count(m, groups) * sizeof initial, 0, NULL,
                                          NULL));
}

/* ---- Launching ------------------------------------------------------------------------------- */

static enum cb_status launch(struct cb_memory *m, size_t groups, cl_uint discover,
                             struct cb_err *err)
{
    if (reserve(m, groups, err) != CB_OK || fill_words(m, groups, err) != CB_OK ||
        cb_buffer_clear(m->session, m->state, sizeof(cb_discovery), err) != CB_OK ||
        cb_buffer_clear(m->session, m->records, groups * sizeof *m->groups, err) != CB_OK)
        return err->status;
    cl_ulong quiet = cb_discovery_quiet(m->session, cb_discovery_quiet_ns(&m->session->info));
    cl_uint zero = 0;
    const struct cb_kernel_value args[] = {
        {sizeof m->state, &m->state},
        {sizeof m->records, &m->records},
        {sizeof m->words, &m->words},
        {sizeof discover, &discover},
        {sizeof m->accesses, &m->accesses},
        {sizeof m->stride, &m->stride},
        {sizeof zero, &zero},
        {sizeof quiet, &quiet},
    };
    if (cb_kernel_args(m->kernel, args, CB_COUNTOF(args), err) != CB_OK)
        return err->status;
    if (cb_launch_run(m->session, m->kernel, groups, m->wg_size, NULL, NULL, err) != CB_OK ||
        cb_buffer_read(m->session, m->records, m->groups, groups * sizeof *m->groups, err) != CB_OK)
        return err->status;
    return cb_buffer_read(m->session, m->words, m->values,
                          cb_memory_word_count(m, groups) * sizeof *m->values, err);
}

static enum cb_status launch_discovery(void *self, size_t groups, size_t *participants,
                                       struct cb_err *err)
{
    struct cb_memory *m = self;
    if (launch(m, groups, 1, err) != CB_OK)
        return err->status;
    *participants = 0;
    for (size_t i = 0; i < groups; i++)
        *participants += m->groups[i].participating;
    return CB_OK;
}

/* ---- Running --------------------------------------------------------------------------------- */

/* The time of a hostage's reader; else from the first workgroup's start to the last one's end. */
static double time_ns(const struct cb_memory *m)
{
    size_t timed = m->hostage ? 1 : m->launched;
    cb_u64 first = UINT64_MAX, last = 0;
    for (size_t i = 0; i < timed; i++) {
        first = m->groups[i].start < first ? m->groups[i].start : first;
        last = m->groups[i].end > last ? m->groups[i].end : last;
    }
    return last > first ? (double)(last - first) * m->session->ns_per_tick : NAN;
}

/* Accesses of all others while the reader made one. */
static double disturbance(const struct cb_memory *m)
{
    double made = 0;
    for (size_t i = 1; i < m->launched; i++)
        made += m->groups[i].sum;
    return made / m->accesses;
}

static enum cb_status memory_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct cb_memory *m = state;
    enum cb_status status = launch(m, m->launched, 0, err);
    if (status != CB_OK)
        return status;
    cb_memory_check(m, sample);
    double ns = time_ns(m);
    cb_sample_add(sample, "time", ns);
    cb_sample_add(sample, "access_time", ns / m->accesses);
    cb_sample_add(sample, "groups", (double)m->launched);
    if (m->hostage)
        cb_sample_add(sample, "disturbance", disturbance(m));
    return CB_OK;
}

/* ---- Opening a case -------------------------------------------------------------------------- */

/* The compiler options that make the kernel that of the case. */
static void define(const struct cb_memory *m, const struct cb_memory_case *params, char *defines,
                   size_t size)
{
    static const char common[] = "-DCB_PROTOCOL=lockfree -DCB_MUTEX=ticket";
    if (m->hostage)
        snprintf(defines, size, "-DCB_WG_SIZE=%zu -DCB_OTHERS=%s -DCB_RISES=%d %s", m->wg_size,
                 params->access, m->disturbed_by_atomics && m->stride == 0, common);
    else
        snprintf(defines, size, "-DCB_WG_SIZE=%zu -DCB_ATOMIC_FIRST=%d -DCB_ACCESS=%s_%s %s",
                 m->wg_size, m->atomic_first,
                 cb_text_is(params->access, "atomic") ? "atomic" : "volatile", params->operation,
                 common);
}

static enum cb_status build(struct cb_memory *m, const struct cb_memory_case *params,
                            struct cb_err *err)
{
    const char *source = m->hostage ? "probes/memory/hostage.cl" : "probes/memory/memory.cl";
    char defines[160];
    define(m, params, defines, sizeof defines);
    if (cb_program_build(m->session, source, defines, &m->program, err) != CB_OK)
        return err->status;
    return cb_kernel_create(m->program, m->hostage ? "hostage" : "memory", &m->kernel, err);
}

static void memory_close(void *state)
{
    struct cb_memory *m = state;
    release_buffers(m);
    if (m->kernel)
        clReleaseKernel(m->kernel);
    if (m->program)
        clReleaseProgram(m->program);
    free(m);
}

static enum cb_status memory_open(struct cb_session *session, const cJSON *params, void *batch,
                                  void **state, struct cb_err *err)
{
    (void)batch;
    struct cb_memory *m = calloc(1, sizeof *m);
    *state = m;
    if (!m)
        return cb_no_memory(err);
    if (session->ns_per_tick <= 0)
        return cb_fail(err, CB_UNSUPPORTED, "%s has no device clock to time accesses with",
                       session->info.name);
    struct cb_memory_case p;
    cb_fields_read(params, cb_memory_fields, &p);
    m->session = session;
    m->wg_size = p.wg_size;
    m->accesses = p.accesses;
    m->write = cb_text_is(p.operation, "write");
    m->chase = cb_text_is(p.operation, "chase");
    m->atomic_first = cb_text_is(p.access, "volatile_after_atomic");
    m->hostage = cb_text_is(p.contention, "hostage");
    m->disturbed_by_atomics = m->hostage && cb_text_is(p.access, "atomic");
    const struct cb_given_uint bytes = m->hostage ? p.distance_bytes : p.stride_bytes;
    m->stride = (cl_uint)(bytes.value / sizeof(cb_u32));
    size_t found = 0;
    enum cb_status status = build(m, &p, err);
    if (status == CB_OK)
        status = cb_discovery_search(session, launch_discovery, m, &found, err);
    if (status != CB_OK)
        return status;
    if (m->hostage && found < 2)
        return cb_fail(err, CB_UNSUPPORTED,
                       "one workgroup runs at a time: none to disturb another");
    return cb_groups_parse(p.groups, found, &m->launched, err);
}

/* ---- The table entry ------------------------------------------------------------------------- */

static const struct cb_derived derived[] = {{"access_time", "time"}, {0}};

static const struct cb_metric metrics[] = {
    {"time", "ns", CB_LOWER, true, "first access to last one done; hostage: the reader's"},
    {"access_time", "ns", CB_LOWER, false, "time over accesses of a workgroup"},
    {"groups", "workgroups", CB_NEITHER, false, "workgroups that made accesses"},
    {"disturbance", "1", CB_NEITHER, false, "hostage: the others' accesses for each read"},
    {0},
};

static const char *const built_by[] = {"contention",     "operation", "access",
                                       "distance_bytes", "wg-size",   NULL};

const struct cb_bench cb_bench_memory = {
    .id = "memory",
    .summary = "What atomic and volatile accesses cost under contention",
    .reproduces = "SO'11 Tabs. 1 to 3, Section 4",
    .details =
        "One work-item of each workgroup accesses one word again and again: the same word for\n"
        "all (contentious) or each its own, in a 256-byte block of its own; reads or writes;\n"
        "volatile, atomic (fetch-add of 0, exchange), or volatile after one atomic. As many\n"
        "workgroups as run at once (N, found by discovery), or fewer. Values are checked.\n\n"
        "From N and 1 workgroups and the hostage accesses follow the machine abstraction of the "
        "paper\n"
        "(is the device like Tesla or like Fermi?) and a prediction of the primitives that will "
        "be\n"
        "fastest. Both are kept in the device's profile.",
    .params = cb_memory_params,
    .fields = cb_memory_fields,
    .metrics = metrics,
    .derived = derived,
    .stop = {.rule = CB_STOP_COUNT, .warmup = 2, .min_runs = 20, .max_runs = 20},
    .run_deadline_s = 60,
    .built_by = built_by,
    .quick_gpu_s = 12,
    .quick_cpu_s = 45,
    .plan = cb_memory_plan,
    .open = memory_open,
    .run = memory_run,
    .close = memory_close,
    .report = cb_memory_report,
    .findings = cb_memory_findings,
    .learn = cb_memory_learn,
};
