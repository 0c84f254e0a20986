/* SPDX-License-Identifier: Apache-2.0
 *
 * What atomic and volatile accesses cost under contention (SO'11 Section 3, Tabs. 1 to 3).
 * See README.md beside this file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/discovery_abi.h"
#include "measure/json.h"
#include "probes/memory/memory_abi.h"
#include "probes/memory/plan.h"
#include "probes/memory/report.h"
#include "runtime/discovery.h"
#include "runtime/session.h"

#define FIRST_LAUNCH 2 /* times the compute units: workgroups of the first discovery */
#define MAX_LAUNCHED (1u << 20)

_Static_assert(sizeof(cb_memory_group) == 32, "as the kernel lays it out");

struct memory {
    struct cb_session *session;
    cl_program program;
    cl_kernel kernel;
    cl_mem state, records, words;
    cb_memory_group *groups; /* records read back */
    cb_u32 *values;          /* words read back */
    size_t room;             /* workgroups that the buffers hold */
    size_t launched, local_size;
    cl_uint accesses, stride;
    bool write, chase, atomic_first;
};

/* ---- Buffers --------------------------------------------------------------------------------- */

static void release_buffers(struct memory *m)
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

static size_t word_count(const struct memory *m, size_t groups)
{
    return m->stride ? groups * m->stride : 1;
}

static enum cb_status reserve(struct memory *m, size_t groups, struct cb_err *err)
{
    if (m->room >= groups)
        return CB_OK;
    release_buffers(m);
    m->state = cb_buffer_create(m->session, sizeof(cb_discovery), err);
    m->records = cb_buffer_create(m->session, groups * sizeof *m->groups, err);
    m->words = cb_buffer_create(m->session, word_count(m, groups) * sizeof *m->values, err);
    if (!m->state || !m->records || !m->words)
        return err->status;
    m->groups = calloc(groups, sizeof *m->groups);
    m->values = calloc(word_count(m, groups), sizeof *m->values);
    if (!m->groups || !m->values)
        return cb_fail(err, CB_ERROR, "out of memory");
    m->room = groups;
    return CB_OK;
}

static enum cb_status fill_words(struct memory *m, size_t groups, struct cb_err *err)
{
    cl_uint initial = CB_MEMORY_INITIAL;
    return CB_CL(err, clEnqueueFillBuffer(m->session->queue, m->words, &initial, sizeof initial, 0,
                                          word_count(m, groups) * sizeof initial, 0, NULL, NULL));
}

/* ---- Launching ------------------------------------------------------------------------------- */

static enum cb_status launch(struct memory *m, size_t groups, cl_uint discover, struct cb_err *err)
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
    if (cb_launch_run(m->session, m->kernel, groups, m->local_size, NULL, NULL, err) != CB_OK ||
        cb_buffer_read(m->session, m->records, m->groups, groups * sizeof *m->groups, err) != CB_OK)
        return err->status;
    return cb_buffer_read(m->session, m->words, m->values,
                          word_count(m, groups) * sizeof *m->values, err);
}

/* How many workgroups of this kernel run at once: doubles until some do not. */
static enum cb_status discover(struct memory *m, size_t *found, struct cb_err *err)
{
    for (size_t launched = FIRST_LAUNCH * m->session->info.compute_units;; launched *= 2) {
        if (launch(m, launched, 1, err) != CB_OK)
            return cb_context(err, "discovery of the occupancy");
        *found = 0;
        for (size_t i = 0; i < launched; i++)
            *found += m->groups[i].participating;
        if (*found < launched || launched >= MAX_LAUNCHED)
            return CB_OK;
    }
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static void check_reads(const struct memory *m, struct cb_sample *sample)
{
    cb_u32 expected = ((m->chase ? 0 : m->accesses) + m->atomic_first) * CB_MEMORY_INITIAL;
    for (size_t i = 0; i < m->launched; i++)
        cb_sample_check(sample, m->groups[i].sum == expected,
                        "workgroup %zu read a sum of %u instead of %u", i, m->groups[i].sum,
                        expected);
    for (size_t i = 0; i < word_count(m, m->launched); i++)
        cb_sample_check(sample, m->values[i] == CB_MEMORY_INITIAL, "a read has changed word %zu",
                        i);
}

/* The last value of a workgroup's word is its last; of a common word, some workgroup's last. */
static void check_writes(const struct memory *m, struct cb_sample *sample)
{
    if (m->stride == 0) {
        cb_u32 value = m->values[0];
        bool last = value % m->accesses == m->accesses - 1 && value / m->accesses < m->launched;
        cb_sample_check(sample, last, "the word holds %u, no workgroup's last value", value);
        return;
    }
    for (size_t i = 0; i < m->launched; i++) {
        cb_u32 expected = (cb_u32)(i + 1) * m->accesses - 1, value = m->values[i * m->stride];
        cb_sample_check(sample, value == expected, "word %zu holds %u instead of %u", i, value,
                        expected);
    }
}

static double time_ns(const struct memory *m)
{
    cb_u64 first = UINT64_MAX, last = 0;
    for (size_t i = 0; i < m->launched; i++) {
        first = m->groups[i].start < first ? m->groups[i].start : first;
        last = m->groups[i].end > last ? m->groups[i].end : last;
    }
    return last > first ? (double)(last - first) * m->session->ns_per_tick : NAN;
}

static enum cb_status memory_run(void *state, struct cb_sample *sample, struct cb_err *err)
{
    struct memory *m = state;
    enum cb_status status = launch(m, m->launched, 0, err);
    if (status != CB_OK)
        return status;
    for (size_t i = 0; i < m->launched; i++)
        cb_sample_check(sample, m->groups[i].passed, "workgroup %zu made no accesses", i);
    if (m->write)
        check_writes(m, sample);
    else
        check_reads(m, sample);
    double ns = time_ns(m);
    cb_sample_add(sample, "time", ns);
    cb_sample_add(sample, "access_time", ns / m->accesses);
    cb_sample_add(sample, "groups", (double)m->launched);
    return CB_OK;
}

/* ---- Opening a case -------------------------------------------------------------------------- */

static enum cb_status build(struct memory *m, const cJSON *params, struct cb_err *err)
{
    bool atomic = strcmp(cb_json_text(params, "access", ""), "atomic") == 0;
    char defines[160];
    snprintf(defines, sizeof defines,
             "-DCB_LOCAL_SIZE=%zu -DCB_ATOMIC_FIRST=%d -DCB_ACCESS=%s_%s "
             "-DCB_PROTOCOL=lockfree -DCB_MUTEX=ticket",
             m->local_size, m->atomic_first, atomic ? "atomic" : "volatile",
             cb_json_text(params, "operation", "read"));
    if (cb_program_build(m->session, "probes/memory/memory.cl", defines, &m->program, err) != CB_OK)
        return err->status;
    cl_int code;
    m->kernel = clCreateKernel(m->program, "memory", &code);
    return CB_CL_CODE(err, code, "clCreateKernel");
}

static void memory_close(void *state)
{
    struct memory *m = state;
    release_buffers(m);
    if (m->kernel)
        clReleaseKernel(m->kernel);
    if (m->program)
        clReleaseProgram(m->program);
    free(m);
}

static enum cb_status memory_open(struct cb_session *session, const cJSON *params, void **state,
                                  struct cb_err *err)
{
    struct memory *m = calloc(1, sizeof *m);
    *state = m;
    if (!m)
        return cb_fail(err, CB_ERROR, "out of memory");
    if (session->ns_per_tick <= 0)
        return cb_fail(err, CB_UNSUPPORTED, "%s has no device clock to time accesses with",
                       session->info.name);
    m->session = session;
    m->local_size = (size_t)cb_json_number(params, "wg");
    m->accesses = (cl_uint)cb_json_number(params, "accesses");
    m->write = strcmp(cb_json_text(params, "operation", ""), "write") == 0;
    m->chase = strcmp(cb_json_text(params, "operation", ""), "chase") == 0;
    m->atomic_first = strcmp(cb_json_text(params, "access", ""), "volatile_after_atomic") == 0;
    m->stride = (cl_uint)cb_json_number(params, "stride_bytes") / (cl_uint)sizeof(cb_u32);
    size_t found = 0;
    enum cb_status status = build(m, params, err);
    if (status == CB_OK)
        status = discover(m, &found, err);
    if (status != CB_OK)
        return status;
    return cb_memory_groups(cb_json_text(params, "groups", "N"), found, &m->launched, err);
}

/* ---- The table entry ------------------------------------------------------------------------- */

static const struct cb_metric metrics[] = {
    {"time", "ns", CB_LOWER, true, "first access to last one done, all workgroups"},
    {"access_time", "ns", CB_LOWER, false, "time over accesses of one workgroup"},
    {"groups", "workgroups", CB_NEITHER, false, "workgroups that made accesses"},
    {0},
};

const struct cb_bench cb_bench_memory = {
    .id = "memory",
    .summary = "What atomic and volatile accesses cost under contention",
    .reproduces = "SO'11 Tabs. 1 to 3",
    .details =
        "One work-item of each workgroup accesses one word again and again: the same word for\n"
        "all (contentious) or each its own, in a 256-byte block of its own; reads or writes;\n"
        "volatile, atomic (fetch-add of 0, exchange), or volatile after one atomic. As many\n"
        "workgroups as run at once (N, found by discovery), or fewer. Values are checked.",
    .params = cb_memory_params,
    .metrics = metrics,
    .stop = {.rule = CB_STOP_COUNT, .warmup = 2, .min_runs = 20, .max_runs = 20},
    .run_deadline_s = 60,
    .plan = cb_memory_plan,
    .open = memory_open,
    .run = memory_run,
    .close = memory_close,
    .report = cb_memory_report,
};
