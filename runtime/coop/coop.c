/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/coop/internal.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/barrier_abi.h"
#include "kernels/discovery_abi.h"
#include "runtime/discovery.h"
#include "runtime/coop/matmul.h"

#define BREATH_NS     300000.0 /* a CPU workgroup yields at least so often */
#define OFFER_NS      10e6     /* an offer waits at most so long for higher workgroups to go */
#define TURN_NS       100.0    /* of the scheduler, where there is no clock */
#define MAX_ATTEMPTS  50
#define FIRST_APP_ARG 12

_Static_assert(sizeof(coop_trace_event) == 24 && sizeof(coop_entry) == 32 &&
                   offsetof(coop_control, members) == COOP_LINE * 4 &&
                   offsetof(coop_control, plain) == 2 * COOP_LINE * 4,
               "as the kernels lay them out");

double cb_coop_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

uint64_t cb_coop_ticks(const struct cb_coop *c, double ns)
{
    return (uint64_t)(ns / (c->session->ns_per_tick > 0 ? c->session->ns_per_tick : TURN_NS));
}

/* ---- Building -------------------------------------------------------------------------------- */

/* NVIDIA's compiler heeds its option (cl_nv_compiler_options) only where a kernel does not say how
 * large its workgroups are: COOP_REGISTERS keeps coop_main from that. */
static void limit_registers(const struct cb_coop *c, char option[80])
{
    const struct cb_coop_config *f = &c->config;
    *option = '\0';
    if (f->registers && f->mode == COOP_COOPERATIVE &&
        cb_device_nvidia_capability(c->session->device))
        snprintf(option, 80, " -DCOOP_REGISTERS=%u -cl-nv-maxrregcount=%u", f->registers,
                 f->registers);
}

static enum cb_status build(struct cb_coop *c, struct cb_err *err)
{
    const struct cb_coop_config *f = &c->config;
    char defines[400], registers[80];
    limit_registers(c, registers);
    int n =
        snprintf(defines, sizeof defines,
                 "-DCOOP_LOCAL_SIZE=%zu -DCOOP_MODE=%u -DCOOP_RESIZING=%u -DCB_PROTOCOL=lockfree "
                 "-DCB_BARRIER=patient%s%s%s",
                 f->local_size, f->mode, f->resizing, registers,
                 f->trace_events ? " -DCOOP_TRACE" : "", f->repeats ? " -DCOOP_REPEATS" : "");
    if (n < 0 || (size_t)n >= sizeof defines)
        return cb_fail(err, CB_ERROR, "%s: too many compiler options", f->path);
    if (cb_program_build(c->session, f->path, defines, &c->program, err) != CB_OK)
        return err->status;
    cl_int code;
    c->kernel = clCreateKernel(c->program, "coop_main", &code);
    return CB_CL_CODE(err, code, "clCreateKernel");
}

static enum cb_status check_device(struct cb_session *s, struct cb_err *err)
{
    size_t size = 0;
    clGetDeviceInfo(s->device, CL_DEVICE_EXTENSIONS, 0, NULL, &size);
    char *extensions = calloc(1, size + 1);
    if (!extensions)
        return cb_fail(err, CB_ERROR, "out of memory");
    clGetDeviceInfo(s->device, CL_DEVICE_EXTENSIONS, size, extensions, NULL);
    bool has = strstr(extensions, "cl_khr_int64_base_atomics") != NULL;
    free(extensions);
    return has ? CB_OK
               : cb_fail(err, CB_UNSUPPORTED,
                         "%s has no 64-bit atomics (cl_khr_int64_base_atomics), in which the "
                         "runtime keeps the membership",
                         s->info.name);
}

enum cb_status cb_coop_open(struct cb_session *session, const struct cb_coop_config *config,
                            struct cb_coop **coop, struct cb_err *err)
{
    struct cb_coop *c = calloc(1, sizeof *c);
    *coop = c;
    if (!c)
        return cb_fail(err, CB_ERROR, "out of memory");
    c->session = session;
    c->config = *config;
    c->control = calloc(1, sizeof *c->control);
    enum cb_status status =
        c->control ? check_device(session, err) : cb_fail(err, CB_ERROR, "out of memory");
    if (status == CB_OK)
        status = cb_coop_channel_open(&c->channel, session, config->channel, err);
    if (status == CB_OK)
        status = build(c, err);
    if (status == CB_OK)
        status = cb_matmul_matrices(session, config->task_size, &c->buffers[A], err);
    if (status != CB_OK) {
        cb_coop_close(c);
        *coop = NULL;
    }
    return status;
}

static void release_buffers(struct cb_coop *c, int first, int after)
{
    for (int i = first; i < after; i++) {
        if (c->buffers[i])
            clReleaseMemObject(c->buffers[i]);
        c->buffers[i] = NULL;
    }
}

/* Of a launch whose end nobody has waited for. */
static void end_launch(struct cb_coop *c)
{
    struct cb_err ignored;
    if (c->config.repeats) {
        cb_launch_end(c->session, c->event, c->workers, NULL, NULL, &ignored);
        return;
    }
    cb_coop_abandon(c);
    cb_coop_stop(c, NULL, &ignored);
}

void cb_coop_close(struct cb_coop *c)
{
    if (!c)
        return;
    if (c->event)
        end_launch(c);
    release_buffers(c, 0, BUFFERS);
    cb_coop_channel_close(&c->channel);
    if (c->kernel)
        clReleaseKernel(c->kernel);
    if (c->program)
        clReleaseProgram(c->program);
    free(c->control);
    free(c);
}

enum cb_status cb_coop_args(struct cb_coop *c, const struct cb_kernel_value *values, size_t n,
                            struct cb_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (cb_kernel_arg(c->kernel, (cl_uint)(FIRST_APP_ARG + i), values[i].size, values[i].value,
                          err) != CB_OK)
            return err->status;
    return CB_OK;
}

/* ---- Buffers --------------------------------------------------------------------------------- */

static size_t buffer_bytes(const struct cb_coop *c, enum buffer b, size_t workers)
{
    size_t states = c->config.mode == COOP_MULTIKERNEL ? workers * c->config.local_size : workers;
    switch (b) {
    case CONTROL:
        return sizeof(coop_control);
    case DISCOVERY:
        return sizeof(cb_discovery);
    case MAIL:
        return workers * COOP_LINE * 4;
    case ENTRIES:
        return (workers + 1) * sizeof(coop_entry);
    case STATES:
        return states * COOP_STATE_BYTES;
    case TRACES:
        return ((workers + 1) * c->config.trace_events + 1) * sizeof(coop_trace_event);
    default:
        return 4 * (COOP_PLACES * COOP_PLACE_WORDS + CB_BARRIER_WORDS(workers));
    }
}

static bool is_sized(enum buffer b)
{
    return b < A && b != CHANNEL;
}

/* Clears what a launch for so many workers needs, makes room where there is not enough, and sets
 * the arguments. */
enum cb_status cb_coop_prepare(struct cb_coop *c, size_t workers, struct cb_err *err)
{
    size_t room = workers ? workers : 1;
    if (room > c->room) {
        release_buffers(c, 0, A);
        c->room = 0;
    }
    for (enum buffer b = 0; b < BUFFERS; b++) {
        if (is_sized(b) && !c->buffers[b])
            c->buffers[b] = cb_buffer_create(c->session, buffer_bytes(c, b, room), err);
        if (b != CHANNEL && !c->buffers[b])
            return err->status;
        /* states are written before they are read, traces are as long as the launch needs */
        if (is_sized(b) && b != STATES &&
            cb_buffer_clear(c->session, c->buffers[b], buffer_bytes(c, b, room), err) != CB_OK)
            return err->status;
        enum cb_status status = b == CHANNEL
                                    ? cb_coop_channel_arg(&c->channel, c->kernel, b + 1, err)
                                    : cb_kernel_arg(c->kernel, (cl_uint)b + 1, sizeof c->buffers[b],
                                                    &c->buffers[b], err);
        if (status != CB_OK)
            return status;
    }
    c->room = room > c->room ? room : c->room;
    return CB_OK;
}

enum cb_status cb_coop_write_control(struct cb_coop *c, struct cb_err *err)
{
    return CB_CL(err,
                 clEnqueueWriteBuffer(c->session->queue, c->buffers[CONTROL], CL_TRUE, 0,
                                      offsetof(coop_control, started), c->control, 0, NULL, NULL));
}

enum cb_status cb_coop_read_control(struct cb_coop *c, struct cb_err *err)
{
    return cb_buffer_read(c->session, c->buffers[CONTROL], c->control,
                          offsetof(coop_control, started), err);
}

void cb_coop_clear_control(struct cb_coop *c, size_t workers)
{
    memset(c->control, 0, sizeof *c->control);
    c->control->workers = (cb_u32)workers;
    c->control->quiet = cb_discovery_quiet(c->session, cb_discovery_quiet_ns(&c->session->info));
    c->control->breath_ticks = cb_coop_ticks(c, BREATH_NS);
    c->control->offer_ticks = cb_coop_ticks(c, OFFER_NS);
    c->control->trace_events = c->config.trace_events;
    c->control->place = c->place;
}

void cb_coop_move(struct cb_coop *c, unsigned place)
{
    c->place = place % COOP_PLACES * COOP_PLACE_WORDS;
}

/* ---- Alone ----------------------------------------------------------------------------------- */

enum cb_status cb_coop_launch_discovery(void *self, size_t groups, size_t *participants,
                                        struct cb_err *err)
{
    struct cb_coop *c = self;
    if (cb_coop_prepare(c, 0, err) != CB_OK)
        return err->status;
    cb_coop_clear_control(c, 0);
    if (cb_coop_channel_reset(&c->channel, false, 0, err) != CB_OK ||
        cb_coop_write_control(c, err) != CB_OK ||
        cb_launch_run(c->session, c->kernel, groups, c->config.local_size, NULL, NULL, err) !=
            CB_OK ||
        cb_coop_read_control(c, err) != CB_OK)
        return err->status;
    *participants = c->control->discovered;
    return CB_OK;
}

enum cb_status cb_coop_find_workers(struct cb_coop *c, size_t *workers, struct cb_err *err)
{
    size_t found = 0;
    if (cb_discovery_search(c->session, cb_coop_launch_discovery, c, &found, err) != CB_OK)
        return err->status;
    size_t others = 1 + (size_t)cb_coop_channel_needs_thread(&c->channel);
    if (found < others + 2)
        return cb_fail(err, CB_UNSUPPORTED,
                       "%zu workgroups run at once: a scheduler and two workers are the least "
                       "(CPU devices: --cpu-workgroups)",
                       found);
    *workers = found - others < COOP_MAX_WORKERS ? found - others : COOP_MAX_WORKERS;
    return CB_OK;
}

/* Launches one step after another until all workgroups have ended. */
static enum cb_status run_steps(struct cb_coop *c, size_t groups, struct cb_err *err)
{
    size_t bytes = offsetof(coop_control, started);
    do {
        c->control->steps_done = 0;
        /* not waited for: the step's read comes behind it */
        if (CB_CL(err, clEnqueueWriteBuffer(c->session->queue, c->buffers[CONTROL], CL_FALSE, 0,
                                            bytes, c->control, 0, NULL, NULL)) != CB_OK ||
            cb_launch_step(c->session, c->kernel, groups, c->config.local_size, c->buffers[CONTROL],
                           c->control, bytes, err) != CB_OK)
            return err->status;
        c->control->run++;
    } while (c->control->steps_done < groups);
    return CB_OK;
}

static enum cb_status run_multikernel(struct cb_coop *c, size_t groups, struct cb_coop_time *time,
                                      struct cb_err *err)
{
    double begin = cb_coop_now_ns();
    enum cb_status status = cb_launch_reset(c->session, c->kernel, err);
    if (status == CB_OK)
        status = run_steps(c, groups, err);
    time->host_ns = time->run_ns = cb_coop_now_ns() - begin;
    return status;
}

static enum cb_status run_launch(struct cb_coop *c, size_t groups, struct cb_coop_time *time,
                                 struct cb_err *err)
{
    /* portable: more than run at once, of which the discovery keeps as many as are asked for */
    size_t launched = c->config.mode == COOP_PORTABLE ? 2 * groups + 2 : groups;
    /* a busy machine starts the threads of a CPU device late: then too few took part, and none
     * began */
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        uint64_t event_ns;
        cb_discovery_rest(attempt);
        if (cb_coop_prepare(c, groups, err) != CB_OK || cb_coop_write_control(c, err) != CB_OK)
            return err->status;
        double begin = cb_coop_now_ns();
        if (cb_launch_run(c->session, c->kernel, launched, c->config.local_size, &event_ns, NULL,
                          err) != CB_OK)
            return err->status;
        *time = (struct cb_coop_time){(double)event_ns, cb_coop_now_ns() - begin};
        if (cb_coop_read_control(c, err) != CB_OK)
            return err->status;
        if (c->control->discovered >= groups)
            return CB_OK;
    }
    return cb_fail(err, CB_ERROR, "%zu workgroups asked for, %u took part", groups,
                   c->control->discovered);
}

enum cb_status cb_coop_run_alone(struct cb_coop *c, size_t groups, struct cb_coop_time *time,
                                 struct cb_err *err)
{
    if (c->config.mode == COOP_COOPERATIVE)
        return cb_coop_run_megakernel(c, groups, time, err);
    if (cb_coop_prepare(c, groups, err) != CB_OK)
        return err->status;
    cb_coop_clear_control(c, groups);
    return c->config.mode == COOP_MULTIKERNEL ? run_multikernel(c, groups, time, err)
                                              : run_launch(c, groups, time, err);
}
