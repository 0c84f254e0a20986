/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/coop.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/barrier_abi.h"
#include "kernels/discovery_abi.h"
#include "runtime/coop_channel.h"
#include "runtime/discovery.h"
#include "runtime/matmul.h"

#define BREATH_NS     100000.0 /* a CPU workgroup yields at least so often */
#define OFFER_NS      10e6     /* an offer waits at most so long for higher workgroups to go */
#define TURN_NS       100.0    /* of the scheduler, where there is no clock */
#define POLL_NS       20000    /* the host's pause between two looks, where it shares the CPU */
#define MAX_ATTEMPTS  50
#define FIRST_APP_ARG 12

_Static_assert(sizeof(coop_trace_event) == 24 && sizeof(coop_entry) == 32 &&
                   offsetof(coop_control, members) == COOP_LINE * 4 &&
                   offsetof(coop_control, plain) == 2 * COOP_LINE * 4,
               "as the kernels lay them out");

/* The kernel's arguments, in its order, from index 1 on. */
enum buffer { CONTROL, DISCOVERY, MAIL, ENTRIES, STATES, CHANNEL, TRACES, WORDS, A, B, C, BUFFERS };

struct cb_coop {
    struct cb_session *session;
    struct cb_coop_config config;
    cl_program program;
    cl_kernel kernel, task_kernel;
    struct cb_coop_channel channel;
    cl_mem buffers[BUFFERS]; /* CHANNEL is not used */
    size_t room;             /* workers that the buffers hold */
    size_t workers;          /* of the last start */
    coop_control *control;
    cl_event event;          /* of the megakernel that runs, or NULL */
    unsigned place;          /* of the barrier's word */
    struct sigaction before; /* what SIGTERM did before the start */
    double submitted_ns;
    uint32_t digest_size, digest; /* the product last computed */
};

static bool is_cpu(const struct cb_coop *c)
{
    return strcmp(c->session->info.type, "cpu") == 0;
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint64_t ticks(const struct cb_coop *c, double ns)
{
    return (uint64_t)(ns / (c->session->ns_per_tick > 0 ? c->session->ns_per_tick : TURN_NS));
}

/* ---- Building -------------------------------------------------------------------------------- */

static enum cb_status build(struct cb_coop *c, struct cb_err *err)
{
    const struct cb_coop_config *f = &c->config;
    char defines[320];
    int n =
        snprintf(defines, sizeof defines,
                 "-DCOOP_LOCAL_SIZE=%zu -DCOOP_MODE=%u -DCOOP_RESIZING=%u -DCB_PROTOCOL=lockfree "
                 "-DCB_BARRIER=patient%s%s%s",
                 f->local_size, f->mode, f->resizing, f->trace_events ? " -DCOOP_TRACE" : "",
                 f->defines ? " " : "", f->defines ? f->defines : "");
    if (n < 0 || (size_t)n >= sizeof defines)
        return cb_fail(err, CB_ERROR, "%s: too many compiler options", f->path);
    if (cb_program_build(c->session, f->path, defines, &c->program, err) != CB_OK)
        return err->status;
    cl_int code;
    c->kernel = clCreateKernel(c->program, "coop_main", &code);
    if (CB_CL_CODE(err, code, "clCreateKernel") != CB_OK)
        return err->status;
    c->task_kernel = clCreateKernel(c->program, "coop_task_alone", &code);
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

static enum cb_status create_matrices(struct cb_coop *c, struct cb_err *err)
{
    size_t elements = (size_t)c->config.task_size * c->config.task_size;
    elements = elements ? elements : 1;
    uint32_t *host[2] = {malloc(4 * elements), malloc(4 * elements)};
    enum cb_status status = host[0] && host[1] ? CB_OK : cb_fail(err, CB_ERROR, "out of memory");
    if (status == CB_OK)
        cb_matmul_fill(host[0], host[1], elements);
    for (int i = 0; i < 3 && status == CB_OK; i++) {
        c->buffers[A + i] = cb_buffer_create(c->session, 4 * elements, err);
        if (!c->buffers[A + i])
            status = err->status;
        else if (i < 2)
            status = CB_CL(err, clEnqueueWriteBuffer(c->session->queue, c->buffers[A + i], CL_TRUE,
                                                     0, 4 * elements, host[i], 0, NULL, NULL));
    }
    free(host[0]);
    free(host[1]);
    return status;
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
        status = create_matrices(c, err);
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

void cb_coop_close(struct cb_coop *c)
{
    if (!c)
        return;
    if (c->event) {
        struct cb_err ignored;
        cb_coop_abandon(c);
        cb_coop_stop(c, NULL, &ignored);
    }
    release_buffers(c, 0, BUFFERS);
    cb_coop_channel_close(&c->channel);
    if (c->kernel)
        clReleaseKernel(c->kernel);
    if (c->task_kernel)
        clReleaseKernel(c->task_kernel);
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
static enum cb_status prepare(struct cb_coop *c, size_t workers, struct cb_err *err)
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

static enum cb_status write_control(struct cb_coop *c, struct cb_err *err)
{
    return CB_CL(err,
                 clEnqueueWriteBuffer(c->session->queue, c->buffers[CONTROL], CL_TRUE, 0,
                                      offsetof(coop_control, started), c->control, 0, NULL, NULL));
}

static enum cb_status read_control(struct cb_coop *c, struct cb_err *err)
{
    return cb_buffer_read(c->session, c->buffers[CONTROL], c->control,
                          offsetof(coop_control, started), err);
}

static void clear_control(struct cb_coop *c, size_t workers)
{
    memset(c->control, 0, sizeof *c->control);
    c->control->workers = (cb_u32)workers;
    c->control->quiet = cb_discovery_quiet(c->session, cb_discovery_quiet_ns(&c->session->info));
    c->control->breath_ticks = ticks(c, BREATH_NS);
    c->control->offer_ticks = ticks(c, OFFER_NS);
    c->control->trace_events = c->config.trace_events;
    c->control->place = c->place;
}

void cb_coop_move(struct cb_coop *c, unsigned place)
{
    c->place = place % COOP_PLACES * COOP_PLACE_WORDS;
}

/* ---- Alone ----------------------------------------------------------------------------------- */

static enum cb_status launch_discovery(void *self, size_t groups, size_t *participants,
                                       struct cb_err *err)
{
    struct cb_coop *c = self;
    if (prepare(c, 0, err) != CB_OK)
        return err->status;
    clear_control(c, 0);
    if (cb_coop_channel_reset(&c->channel, false, err) != CB_OK || write_control(c, err) != CB_OK ||
        cb_launch_run(c->session, c->kernel, groups, c->config.local_size, NULL, NULL, err) !=
            CB_OK ||
        read_control(c, err) != CB_OK)
        return err->status;
    *participants = c->control->discovered;
    return CB_OK;
}

enum cb_status cb_coop_find_workers(struct cb_coop *c, size_t *workers, struct cb_err *err)
{
    size_t found = 0;
    if (cb_discovery_search(c->session, launch_discovery, c, &found, err) != CB_OK)
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
    do {
        c->control->steps_done = 0;
        if (write_control(c, err) != CB_OK ||
            cb_launch_run(c->session, c->kernel, groups, c->config.local_size, NULL, NULL, err) !=
                CB_OK ||
            read_control(c, err) != CB_OK)
            return err->status;
        c->control->run++;
    } while (c->control->steps_done < groups);
    return CB_OK;
}

enum cb_status cb_coop_run_alone(struct cb_coop *c, size_t groups, double *time_ns,
                                 struct cb_err *err)
{
    /* portable: more than run at once, of which the discovery keeps as many as are asked for */
    size_t launched = c->config.mode == COOP_PORTABLE ? 2 * groups + 2 : groups;
    if (prepare(c, groups, err) != CB_OK)
        return err->status;
    clear_control(c, groups);
    double begin = now_ns();
    if (c->config.mode == COOP_MULTIKERNEL) {
        enum cb_status status = run_steps(c, groups, err);
        *time_ns = now_ns() - begin;
        return status;
    }
    /* a busy machine starts the threads of a CPU device late: then too few took part, and none
     * began */
    uint64_t event_ns;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        if (prepare(c, groups, err) != CB_OK || write_control(c, err) != CB_OK ||
            cb_launch_run(c->session, c->kernel, launched, c->config.local_size, &event_ns, NULL,
                          err) != CB_OK ||
            read_control(c, err) != CB_OK)
            return err->status;
        *time_ns = (double)event_ns;
        if (c->control->discovered >= groups)
            return CB_OK;
    }
    return cb_fail(err, CB_ERROR, "%zu workgroups asked for, %u took part", groups,
                   c->control->discovered);
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

static bool is_right(struct cb_coop *c, uint32_t size, uint32_t salt, uint32_t digest)
{
    if (c->digest_size != size) {
        c->digest = cb_matmul_digest(size);
        c->digest_size = size;
    }
    return digest == cb_matmul_salted(c->digest, size, salt);
}

enum cb_status cb_coop_run_task(struct cb_coop *c, size_t groups, unsigned size, double *time_ns,
                                struct cb_err *err)
{
    if (prepare(c, groups, err) != CB_OK)
        return err->status;
    clear_control(c, groups);
    c->control->task_size = size;
    const struct cb_kernel_value args[] = {{sizeof(cl_mem), &c->buffers[CONTROL]},
                                           {sizeof(cl_mem), &c->buffers[A]},
                                           {sizeof(cl_mem), &c->buffers[B]},
                                           {sizeof(cl_mem), &c->buffers[C]}};
    uint64_t event_ns;
    if (cb_kernel_args(c->task_kernel, args, CB_COUNTOF(args), err) != CB_OK ||
        write_control(c, err) != CB_OK ||
        cb_launch_run(c->session, c->task_kernel, groups, c->config.local_size, &event_ns, NULL,
                      err) != CB_OK ||
        read_control(c, err) != CB_OK)
        return err->status;
    *time_ns = (double)event_ns;
    return is_right(c, size, 0, c->control->task_digest)
               ? CB_OK
               : cb_fail(err, CB_VERIFY_FAILED, "the task's product (size %u) is wrong", size);
}

/* ---- Ctrl-C --------------------------------------------------------------------------------
 * The supervisor ends a worker by SIGTERM. While a megakernel runs, that is put off until the
 * kernel has been told to give up, so that the device is free at once. */

static volatile sig_atomic_t terminated;

static void note_signal(int signal)
{
    (void)signal;
    terminated = 1;
}

static enum cb_status check_signal(struct cb_coop *c, struct cb_err *err)
{
    if (!terminated)
        return CB_OK;
    cb_coop_abandon(c);
    cb_coop_stop(c, NULL, err);
    return cb_fail(err, CB_INTERRUPTED, "interrupted");
}

/* ---- The megakernel -------------------------------------------------------------------------- */

enum cb_status cb_coop_start(struct cb_coop *c, size_t workers, const struct cb_coop_start *how,
                             struct cb_err *err)
{
    if (prepare(c, workers, err) != CB_OK)
        return err->status;
    clear_control(c, workers);
    c->workers = workers;
    c->control->first_groups = how->first_groups;
    c->control->lifetime_ticks = ticks(c, how->lifetime_s * 1e9);
    c->control->gather_ticks = ticks(c, how->gather_s * 1e9);
    if (write_control(c, err) != CB_OK ||
        cb_coop_channel_reset(&c->channel, how->repeat, err) != CB_OK)
        return err->status;
    const struct sigaction action = {.sa_handler = note_signal};
    sigaction(SIGTERM, &action, &c->before);
    return cb_launch_begin(c->session, c->kernel, workers + 1, c->config.local_size, &c->event,
                           err);
}

bool cb_coop_has_ended(const struct cb_coop *c)
{
    cl_int state = CL_COMPLETE;
    if (c->event)
        clGetEventInfo(c->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    return state <= CL_COMPLETE;
}

enum cb_status cb_coop_submit(struct cb_coop *c, unsigned groups, unsigned size, struct cb_err *err)
{
    coop_host_words *h = &c->channel.host;
    if (groups < 1 || groups >= c->workers || size < 1 || size > c->config.task_size)
        return cb_fail(err, CB_ERROR, "a task of %u workgroups, size %u: not possible", groups,
                       size);
    h->kind = COOP_COMMAND_TASK;
    h->groups = groups;
    h->size = size;
    h->salt = h->seq * 2654435761u;
    c->submitted_ns = now_ns();
    return cb_coop_channel_send(&c->channel, err);
}

/* CPU devices share their cores with the host. */
static void pause_polling(const struct cb_coop *c)
{
    const struct timespec pause = {0, POLL_NS};
    if (is_cpu(c))
        nanosleep(&pause, NULL);
}

/* Waits for the scheduler's answer. A megakernel that has ended without one has given up. */
static enum cb_status await(struct cb_coop *c, coop_device_words *words, struct cb_err *err)
{
    for (bool ended = false;;) {
        enum cb_status status =
            cb_coop_channel_receive(&c->channel, c->channel.host.seq, words, err);
        if (status != CB_OK || words->seq == c->channel.host.seq)
            return status;
        if (ended) {
            status = cb_coop_stop(c, NULL, err);
            return status != CB_OK ? status
                                   : cb_fail(err, CB_ERROR, "the megakernel ended before its task");
        }
        if (check_signal(c, err) != CB_OK)
            return err->status;
        ended = cb_coop_has_ended(c);
        pause_polling(c);
    }
}

enum cb_status cb_coop_await(struct cb_coop *c, struct cb_coop_task *task, struct cb_err *err)
{
    coop_device_words words;
    if (await(c, &words, err) != CB_OK)
        return err->status;
    double ns = c->session->ns_per_tick;
    *task = (struct cb_coop_task){
        .gather_ns = (double)(words.gathered - words.seen) * ns,
        .exec_ns = (double)(words.done - words.gathered) * ns,
        .answer_ns = now_ns() - c->submitted_ns,
        .done_ns = (double)words.done * ns,
        .active = words.active,
        .beside_kernel = words.app_running,
        .right = is_right(c, c->channel.host.size, c->channel.host.salt, words.digest),
    };
    return CB_OK;
}

enum cb_status cb_coop_runs(struct cb_coop *c, unsigned *runs, struct cb_err *err)
{
    coop_device_words words = {0};
    enum cb_status status = check_signal(c, err);
    if (status == CB_OK)
        status = cb_coop_channel_receive(&c->channel, 0, &words, err);
    *runs = words.app_runs;
    return status;
}

void cb_coop_abandon(struct cb_coop *c)
{
    struct cb_err ignored;
    c->channel.host.abandon = 1;
    cb_coop_channel_send(&c->channel, &ignored);
}

static enum cb_status read_times(struct cb_coop *c, struct cb_coop_result *r, struct cb_err *err)
{
    unsigned runs = c->control->run;
    unsigned kept = runs < COOP_MAX_RUNS ? runs : COOP_MAX_RUNS;
    if (cb_buffer_read(c->session, c->buffers[CONTROL], c->control, sizeof *c->control, err) !=
        CB_OK)
        return err->status;
    r->runs = runs;
    r->kills = c->control->kills;
    r->forks = c->control->forks;
    r->kept = kept;
    r->run_ns = calloc(kept + 1, sizeof *r->run_ns);
    r->start_ns = calloc(kept + 1, sizeof *r->start_ns);
    if (!r->run_ns || !r->start_ns)
        return cb_fail(err, CB_ERROR, "out of memory");
    for (unsigned i = 0; i < kept; i++) {
        unsigned k = (runs - kept + i) % COOP_MAX_RUNS;
        r->run_ns[i] =
            (double)(c->control->ended[k] - c->control->started[k]) * c->session->ns_per_tick;
        r->start_ns[i] = (double)c->control->started[k] * c->session->ns_per_tick;
    }
    return CB_OK;
}

enum cb_status cb_coop_stop(struct cb_coop *c, struct cb_coop_result *result, struct cb_err *err)
{
    if (!c->event)
        return cb_fail(err, CB_ERROR, "no megakernel runs");
    c->channel.host.kind = COOP_COMMAND_STOP;
    c->channel.host.repeat = 0;
    uint64_t event_ns = 0;
    struct cb_err sending = {0};
    cb_coop_channel_send(&c->channel, &sending); /* if it failed: the lifetime ends the kernel */
    enum cb_status status =
        cb_launch_end(c->session, c->event, c->workers + 1, &event_ns, NULL, err);
    c->event = NULL;
    sigaction(SIGTERM, &c->before, NULL);
    if (status == CB_OK)
        status = read_control(c, err);
    if (status == CB_OK && result) {
        *result = (struct cb_coop_result){.kernel_ns = (double)event_ns};
        status = read_times(c, result, err);
    }
    return status;
}

enum cb_status cb_coop_read_trace(struct cb_coop *c, coop_trace_event **events, uint32_t **counts,
                                  struct cb_err *err)
{
    size_t capacity = c->config.trace_events, rings = c->workers + 1;
    *events = malloc((rings * capacity + 1) * sizeof **events);
    *counts = calloc(rings, sizeof **counts);
    if (!*events || !*counts)
        return cb_fail(err, CB_ERROR, "out of memory");
    if (cb_buffer_read(c->session, c->buffers[TRACES], *events, rings * capacity * sizeof **events,
                       err) != CB_OK)
        return err->status;
    for (size_t r = 0; r < rings; r++)
        while ((*counts)[r] < capacity &&
               (*events)[r * capacity + (*counts)[r]].kind != COOP_EVENT_NONE)
            (*counts)[r]++;
    return CB_OK;
}
