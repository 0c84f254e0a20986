/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "runtime/beside/works.h"
#include "runtime/cl.h"
#include "runtime/coop/channel.h"
#include "runtime/host/time.h"

#define WAITS_LONG    4 /* a launch lasts so many of the longest waits in a kernel, and at least */
#define LEAST_NS      4e9
#define MOST_TURNS    (1ull << 40) /* where the clock stands still */
#define BEGIN_NS      100e6        /* at least, and a longest wait, for all of it to begin */
#define LOOK_AGAIN_NS 100e3
#define LINGER_NS     1e6 /* after the last launch beside it: the next step may come */
#define PAUSE_NS      1e6 /* where nothing is launched */
#define MOST_QUEUES   8

struct grid {
    struct cb_session session, *measured;
    struct cb_coop_channel channel;
    cl_program program;
    cl_kernel kernel;
    size_t groups, wg_size;
    bool after;            /* launches, it begins */
    pthread_mutex_t mutex; /* of what follows */
    cl_event running;      /* NULL: none */
    double begun_ns;
    bool is_called;    /* at launches: nothing is to run where there are none */
    unsigned coming;   /* launches that are about to be enqueued */
    uint64_t launches; /* so far */
    struct used {      /* queues that may have launches to do */
        cl_command_queue queue;
        uint64_t launch; /* the number of the last one */
    } used[MOST_QUEUES];
    unsigned n_used;
    struct cb_err failure;
};

static double length_ns(const struct grid *g)
{
    return fmax(LEAST_NS, WAITS_LONG * (double)g->session.wait_deadline_ns);
}

static double age_ns(const struct grid *g)
{
    return (double)cb_now_ns() - g->begun_ns;
}

/* The next launch is to have another. */
static bool is_old(const struct grid *g)
{
    return age_ns(g) > length_ns(g) / 2;
}

static bool is_over(const struct grid *g)
{
    cl_int state = CL_COMPLETE;
    return g->running &&
           clGetEventInfo(g->running, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state,
                          NULL) == CL_SUCCESS &&
           state == CL_COMPLETE;
}

static enum cb_status end_launch(struct grid *g, struct cb_err *err)
{
    cl_event event = g->running;
    g->running = NULL;
    if (!event)
        return CB_OK;
    enum cb_status status = cb_coop_channel_send_stop(&g->channel, COOP_STOP_END, err);
    struct cb_err *of_launch = status == CB_OK ? err : &(struct cb_err){0};
    cb_launch_end(&g->session, event, g->groups, NULL, NULL, of_launch);
    return err->status;
}

/* Until all workgroups are there. The last look comes when it is too late: the host may have waited
 * for a core longer than they have. */
static enum cb_status wait_for_begin(struct grid *g, struct cb_err *err)
{
    coop_device_kernel seen = {0};
    const double most_ns = fmax(BEGIN_NS, (double)g->session.wait_deadline_ns);
    for (bool is_late = false; !is_late;) {
        is_late = age_ns(g) >= most_ns;
        if (cb_coop_channel_look(&g->channel, 0, &seen, err) != CB_OK)
            return err->status;
        if (seen.points >= g->groups)
            return CB_OK;
        cb_sleep_until_ns((double)cb_now_ns() + LOOK_AGAIN_NS);
    }
    end_launch(g, err);
    return cb_fail(err, CB_ERROR,
                   "there is no room for the grid: of its %zu workgroups %u have begun in %.3g s. "
                   "Take fewer (grid:groups=N)",
                   g->groups, seen.points, most_ns / 1e9);
}

/* Ends what there is; then start() is all that a launch takes. */
static enum cb_status prepare(struct grid *g, struct cb_err *err)
{
    const bool clock = g->session.ns_per_tick > 0;
    const double waits = length_ns(g) / (double)g->session.wait_deadline_ns;
    const cl_ulong ticks = clock ? (cl_ulong)(length_ns(g) / g->session.ns_per_tick) : CL_ULONG_MAX;
    const cl_ulong turns =
        clock ? MOST_TURNS : (cl_ulong)(waits * (double)g->session.deadlines.deadline_turns);
    const coop_host_words words = {.stop = 0};
    if (end_launch(g, err) != CB_OK || cb_coop_channel_reset(&g->channel, &words, err) != CB_OK ||
        cb_kernel_arg(g->kernel, 2, sizeof ticks, &ticks, err) != CB_OK ||
        cb_kernel_arg(g->kernel, 3, sizeof turns, &turns, err) != CB_OK)
        return err->status;
    return cb_launch_reset(&g->session, g->kernel, err);
}

static enum cb_status start(struct grid *g, struct cb_err *err)
{
    const struct cb_range range = cb_range_of(1, g->groups, g->wg_size);
    g->begun_ns = (double)cb_now_ns();
    if (cb_launch_enqueue(&g->session, g->session.queue, g->kernel, &range, &g->running, err) !=
        CB_OK)
        return err->status;
    return CB_CL(err, clFlush(g->session.queue));
}

/* Lets a launch begin if the one before is that old; what fails, check() tells. */
static void renew(struct grid *g, double old_ns)
{
    if ((!g->running || age_ns(g) > old_ns) && g->failure.status == CB_OK &&
        prepare(g, &g->failure) == CB_OK && start(g, &g->failure) == CB_OK)
        wait_for_begin(g, &g->failure);
}

static bool is_alone(const struct grid *g)
{
    return g->n_used == 0 && g->coming == 0;
}

/* What the host has still to talk to may run beside it now: that is not waited for. */
static void before_launch(void *self)
{
    struct grid *g = self;
    pthread_mutex_lock(&g->mutex);
    g->is_called = true;
    if (g->after && is_alone(g) && g->failure.status == CB_OK)
        prepare(g, &g->failure);
    else if (!g->after && (is_alone(g) || !g->running))
        renew(g, length_ns(g) / 2);
    g->coming++;
    pthread_mutex_unlock(&g->mutex);
}

static struct used *find_used(struct grid *g, cl_command_queue queue)
{
    struct used *u = g->used;
    while (u < g->used + g->n_used && u->queue != queue)
        u++;
    return u;
}

static void note_launch(struct grid *g, cl_command_queue queue)
{
    struct used *u = find_used(g, queue);
    if (u == g->used + MOST_QUEUES) {
        cb_fail(&g->failure, CB_ERROR, "launches from more than %d queues at once", MOST_QUEUES);
        return;
    }
    if (u == g->used + g->n_used && CB_CL(&g->failure, clRetainCommandQueue(queue)) != CB_OK)
        return;
    g->n_used += u == g->used + g->n_used;
    *u = (struct used){queue, ++g->launches};
}

static void end_if_alone(struct grid *g)
{
    if (is_alone(g))
        end_launch(g, g->failure.status == CB_OK ? &g->failure : &(struct cb_err){0});
}

static void after_launch(void *self, cl_command_queue queue)
{
    struct grid *g = self;
    pthread_mutex_lock(&g->mutex);
    g->coming--;
    if (queue)
        note_launch(g, queue);
    if (queue && g->after && !g->running && CB_CL(&g->failure, clFlush(queue)) == CB_OK)
        start(g, &g->failure);
    end_if_alone(g); /* it was refused */
    pthread_mutex_unlock(&g->mutex);
}

/* What had to wait for its end was not beside it, and what lasted longer not all the time. */
static void check_length(struct grid *g)
{
    if (g->failure.status == CB_OK && is_over(g))
        cb_fail(&g->failure, CB_ERROR,
                "the grid ended, after %.3g s, before what was launched beside it: that takes "
                "longer (a longer --wait-deadline makes longer grids), or there was no room for it "
                "(take fewer workgroups: grid:groups=N)",
                length_ns(g) / 1e9);
}

/* A queue that has done all: after the last one the grid ends. */
static void forget(struct grid *g, struct used *u)
{
    check_length(g);
    clReleaseCommandQueue(u->queue);
    *u = g->used[--g->n_used];
    end_if_alone(g);
}

static void after_end(void *self, cl_command_queue queue, bool goes_on)
{
    struct grid *g = self;
    pthread_mutex_lock(&g->mutex);
    struct used *u = find_used(g, queue);
    if (u < g->used + g->n_used && (!goes_on || is_old(g)))
        forget(g, u);
    pthread_mutex_unlock(&g->mutex);
}

/* Waits until a queue has done all, and a little longer, unless the grid is old. */
static void finish(struct grid *g, struct used seen)
{
    clFinish(seen.queue);
    pthread_mutex_lock(&g->mutex);
    check_length(g);
    const bool lingers = !is_old(g);
    pthread_mutex_unlock(&g->mutex);
    if (lingers)
        cb_sleep_until_ns((double)cb_now_ns() + LINGER_NS);
    pthread_mutex_lock(&g->mutex);
    struct used *u = find_used(g, seen.queue);
    if (u < g->used + g->n_used && u->launch == seen.launch && g->coming == 0)
        forget(g, u);
    pthread_mutex_unlock(&g->mutex);
    clReleaseCommandQueue(seen.queue);
}

static enum cb_status check(void *self, struct cb_err *err)
{
    struct grid *g = self;
    pthread_mutex_lock(&g->mutex);
    const enum cb_status status = g->failure.status;
    if (status != CB_OK)
        *err = g->failure;
    pthread_mutex_unlock(&g->mutex);
    return status;
}

/* Looks after launches that nobody says the end of. */
static enum cb_status go_on(void *self, struct cb_err *err)
{
    struct grid *g = self;
    struct used seen = {0};
    pthread_mutex_lock(&g->mutex);
    if (!g->is_called)
        renew(g, length_ns(g));
    if (g->n_used > 0 && clRetainCommandQueue(g->used[0].queue) == CL_SUCCESS)
        seen = g->used[0];
    pthread_mutex_unlock(&g->mutex);
    if (seen.queue)
        finish(g, seen);
    else
        cb_sleep_until_ns((double)cb_now_ns() + PAUSE_NS);
    return check(g, err);
}

static void close_grid(void *self)
{
    struct grid *g = self;
    struct cb_err ignored = {0};
    g->measured->hook = (struct cb_launch_hook){0};
    end_launch(g, &ignored);
    for (unsigned i = 0; i < g->n_used; i++)
        clReleaseCommandQueue(g->used[i].queue);
    if (g->kernel)
        clReleaseKernel(g->kernel);
    if (g->program)
        clReleaseProgram(g->program);
    cb_coop_channel_close(&g->channel);
    cb_session_close(&g->session);
    pthread_mutex_destroy(&g->mutex);
    free(g);
}

static enum cb_status open_grid(struct grid *g, struct cb_err *err)
{
    if (g->wg_size > g->measured->info.max_wg_size)
        return cb_fail(err, CB_UNSUPPORTED, "the device's workgroups have at most %zu work-items",
                       (size_t)g->measured->info.max_wg_size);
    if (cb_session_open_second(&g->session, g->measured, err) != CB_OK ||
        cb_coop_channel_open(&g->channel, &g->session, "auto", err) != CB_OK ||
        cb_program_build(&g->session, "kernels/beside.cl", NULL, &g->program, err) != CB_OK ||
        cb_kernel_create(g->program, "beside_grid", &g->kernel, err) != CB_OK)
        return err->status;
    g->session.calls_no_hook = true;
    if (cb_coop_channel_arg(&g->channel, g->kernel, 1, err) != CB_OK || prepare(g, err) != CB_OK ||
        start(g, err) != CB_OK)
        return err->status;
    return end_launch(g, err); /* the first launch takes longer where it compiles the kernel */
}

enum cb_status cb_beside_grid(struct cb_session *session, size_t groups, size_t wg_size, bool after,
                              struct cb_beside_work *work, struct cb_err *err)
{
    struct grid *g = calloc(1, sizeof *g);
    if (!g)
        return cb_no_memory(err);
    *g = (struct grid){.measured = session, .groups = groups, .wg_size = wg_size, .after = after};
    pthread_mutex_init(&g->mutex, NULL);
    *work = (struct cb_beside_work){.self = g, .once = go_on, .check = check, .close = close_grid};
    if (open_grid(g, err) == CB_OK)
        session->hook = (struct cb_launch_hook){before_launch, after_launch, after_end, g};
    else
        close_grid(g);
    return err->status;
}
