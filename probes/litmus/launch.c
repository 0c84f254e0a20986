/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/litmus/launch.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(cb_litmus_launch) == 56, "as the kernel lays it out");

/* Instances in a launch. */
#define CPU_INSTANCES (1u << 16)
#define GPU_INSTANCES (1u << 18)

#define GPU_GROUPS_PER_UNIT 2
#define MOST_STRIDE         16 /* words: a line of 64 bytes */

/* Threads of a CPU device may have to wait for a core, for milliseconds. */
#define CPU_TURNS    (1u << 22)
#define GPU_TURNS    1024u
#define STRESS_TURNS 512

#define DITHERS 9 /* choices of the most turns: 0, 1, 3, ... 255 */

/* ---- How many play --------------------------------------------------------------------------- */

static cl_uint power_of_two_below(uint64_t n)
{
    cl_uint power = 1;
    while (power <= n / 2)
        power *= 2;
    return power;
}

/* Counts the workgroups that run at once, and at least one for each thread of the test. */
static cl_uint count_groups(const struct cb_litmus *l)
{
    const struct cb_device *d = &l->session->info;
    uint64_t most = d->compute_units * GPU_GROUPS_PER_UNIT;
    if (cb_device_is_cpu(&l->session->info))
        most = d->host_cores > 0 && d->host_cores < d->compute_units ? d->host_cores
                                                                     : d->compute_units;
    cl_uint groups = power_of_two_below(most);
    return groups > cb_litmus_parts(l->test) ? groups : cb_litmus_parts(l->test);
}

/* The work-items among which the threads of an instance are. In a subgroup they share instructions,
 * or take turns, as the device has it. */
static enum cb_status find_domain(const struct cb_litmus *l, size_t *domain, struct cb_err *err)
{
    size_t width = 0, parts = cb_litmus_parts(l->test);
    *domain = count_groups(l) * l->wg_size;
    if (l->scope == CB_LITMUS_WORKGROUPS)
        return CB_OK;
    if (cb_device_is_cpu(&l->session->info))
        return cb_fail(err, CB_UNSUPPORTED,
                       "the work-items of a workgroup run one after the other on %s: use --scope "
                       "workgroups",
                       l->session->info.name);
    cl_int code = clGetKernelWorkGroupInfo(l->play, l->session->device,
                                           CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                           sizeof width, &width, NULL);
    if (CB_CL_CODE(err, code, "clGetKernelWorkGroupInfo") != CB_OK)
        return err->status;
    *domain = l->wg_size;
    if (l->scope == CB_LITMUS_SUBGROUPS && l->wg_size < width * parts)
        return cb_fail(err, CB_UNSUPPORTED,
                       "%zu threads in subgroups of %zu work-items need --wg-size %zu", parts,
                       width, width * parts);
    if (l->scope == CB_LITMUS_SUBGROUPS)
        return CB_OK;
    *domain = width;
    if (width < parts || (width & (width - 1)) != 0 || l->wg_size < width)
        return cb_fail(err, CB_UNSUPPORTED,
                       "%zu threads in a subgroup of %zu work-items: use --scope workgroups, or "
                       "--wg-size %zu",
                       parts, width, width);
    return CB_OK;
}

static void fill_launch(struct cb_litmus *l, size_t domain)
{
    cl_uint groups = count_groups(l), items = groups * (cl_uint)l->wg_size;
    cl_uint each_round = items / cb_litmus_parts(l->test);
    cl_uint instances = cb_device_is_cpu(&l->session->info) ? CPU_INSTANCES : GPU_INSTANCES;
    cl_uint rounds = instances > each_round ? instances / each_round : 1;
    l->launch = (cb_litmus_launch){
        .kind = l->test->kind,
        .threads = cb_litmus_parts(l->test),
        .outcomes = cb_litmus_outcomes(CB_LITMUS_C11, l->test, l->order, l->scope, l->outcomes),
        .groups = groups,
        .domain = (cl_uint)domain,
        .rounds = rounds,
        .instances = rounds * each_round,
        .turns = cb_device_is_cpu(&l->session->info) ? CPU_TURNS / (cl_uint)l->wg_size : GPU_TURNS,
        .stress = STRESS_TURNS,
    };
}

/* ---- Kernels and buffers --------------------------------------------------------------------- */

static enum cb_status build(struct cb_litmus *l, struct cb_err *err)
{
    char defines[32];
    snprintf(defines, sizeof defines, "-DCB_ORDER=%d", l->order);
    if (cb_program_build(l->session, "probes/litmus/litmus.cl", defines, &l->program, err) != CB_OK)
        return err->status;
    if (cb_kernel_create(l->program, "litmus_play", &l->play, err) != CB_OK)
        return err->status;
    return cb_kernel_create(l->program, "litmus_count", &l->count, err);
}

static size_t bytes_of_words(const cb_litmus_launch *launch)
{
    return (size_t)CB_LITMUS_LOCATIONS * launch->instances * launch->stride * sizeof(cb_u32);
}

static size_t bytes_of_reads(const cb_litmus_launch *launch)
{
    return (size_t)launch->instances * launch->threads * CB_LITMUS_READS * sizeof(cb_u32);
}

static enum cb_status create_buffers(struct cb_litmus *l, struct cb_err *err)
{
    cb_litmus_launch widest = l->launch;
    widest.stride = MOST_STRIDE;
    cl_mem *const all[] = {&l->words, &l->meets, &l->reads, &l->scratch, &l->counts, &l->digits};
    const size_t bytes[CB_COUNTOF(all)] = {
        bytes_of_words(&widest),           l->launch.instances * sizeof(cb_u32),
        bytes_of_reads(&l->launch),        CB_LITMUS_SCRATCH * sizeof(cb_u32),
        CB_LITMUS_COUNTS * sizeof(cb_u32), CB_LITMUS_OUTCOMES * sizeof(cb_u64),
    };
    cl_mem made[CB_COUNTOF(all)] = {NULL};
    enum cb_status status = cb_buffers_create(l->session, bytes, CB_COUNTOF(all), made, err);
    for (size_t i = 0; i < CB_COUNTOF(all); i++)
        *all[i] = made[i];
    return status;
}

static enum cb_status write_outcomes(struct cb_litmus *l, struct cb_err *err)
{
    cb_u64 digits[CB_LITMUS_OUTCOMES];
    for (unsigned i = 0; i < l->launch.outcomes; i++)
        digits[i] = l->outcomes[i].digits;
    return cb_buffer_write(l->session, l->digits, digits, l->launch.outcomes * sizeof *digits, err);
}

enum cb_status cb_litmus_prepare(struct cb_litmus *l, struct cb_err *err)
{
    enum cb_status status = build(l, err);
    size_t domain = 0;
    if (status == CB_OK)
        status = find_domain(l, &domain, err);
    if (status != CB_OK)
        return status;
    fill_launch(l, domain);
    status = create_buffers(l, err);
    return status == CB_OK ? write_outcomes(l, err) : status;
}

void cb_litmus_release(struct cb_litmus *l)
{
    cl_mem buffers[] = {l->words, l->meets, l->reads, l->scratch, l->counts, l->digits};
    for (size_t i = 0; i < CB_COUNTOF(buffers); i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    if (l->play)
        clReleaseKernel(l->play);
    if (l->count)
        clReleaseKernel(l->count);
    if (l->program)
        clReleaseProgram(l->program);
}

/* ---- Launching ------------------------------------------------------------------------------- */

/* Neighbours in a row in one half of the launches, spread over memory in the other. */
static cb_litmus_launch draw(struct cb_litmus *l)
{
    cb_litmus_launch drawn = l->launch;
    struct cb_random *r = &l->random;
    drawn.shift = cb_random_below(r, drawn.instances);
    drawn.factor = cb_random_below(r, 2) ? 1 : 2 * cb_random_below(r, drawn.instances / 2) + 1;
    drawn.offset = cb_random_below(r, drawn.instances);
    drawn.dither = (1u << cb_random_below(r, DITHERS)) - 1;
    drawn.stride = cb_random_between(r, 1, MOST_STRIDE);
    return drawn;
}

/* Nothing has been stored yet, and nothing read. */
static enum cb_status begin(const struct cb_litmus *l, const cb_litmus_launch *launch,
                            struct cb_err *err)
{
    cl_uint nothing = CB_LITMUS_NOTHING;
    if (cb_buffer_clear(l->session, l->words, bytes_of_words(launch), err) != CB_OK ||
        cb_buffer_clear(l->session, l->meets, launch->instances * sizeof(cb_u32), err) != CB_OK)
        return err->status;
    return CB_CL(err, clEnqueueFillBuffer(l->session->queue, l->reads, &nothing, sizeof nothing, 0,
                                          bytes_of_reads(launch), 0, NULL, NULL));
}

static enum cb_status play(struct cb_litmus *l, const cb_litmus_launch *launch, struct cb_err *err)
{
    const struct cb_kernel_value args[] = {
        {sizeof l->words, &l->words},   {sizeof l->meets, &l->meets},
        {sizeof l->reads, &l->reads},   {sizeof l->scratch, &l->scratch},
        {sizeof l->counts, &l->counts}, {sizeof *launch, launch},
    };
    size_t groups = launch->groups;
    if (cb_random_below(&l->random, 100) < l->stress_percent)
        groups += cb_random_between(&l->random, 1, launch->groups);
    if (cb_kernel_args(l->play, args, CB_COUNTOF(args), err) != CB_OK)
        return err->status;
    return cb_launch_run(l->session, l->play, groups, l->wg_size, NULL, NULL, err);
}

static enum cb_status count(struct cb_litmus *l, const cb_litmus_launch *launch, struct cb_err *err)
{
    const struct cb_kernel_value args[] = {
        {sizeof l->words, &l->words},   {sizeof l->reads, &l->reads},
        {sizeof l->counts, &l->counts}, {sizeof *launch, launch},
        {sizeof l->digits, &l->digits},
    };
    if (cb_kernel_args(l->count, args, CB_COUNTOF(args), err) != CB_OK)
        return err->status;
    size_t wg_size = launch->instances < l->wg_size ? launch->instances : l->wg_size;
    return cb_launch_run(l->session, l->count, launch->instances / wg_size, wg_size, NULL, NULL,
                         err);
}

enum cb_status cb_litmus_iterate(struct cb_litmus *l, struct cb_err *err)
{
    cb_litmus_launch launch = draw(l);
    enum cb_status status = begin(l, &launch, err);
    if (status == CB_OK)
        status = play(l, &launch, err);
    return status == CB_OK ? count(l, &launch, err) : status;
}
