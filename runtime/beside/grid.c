/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "runtime/beside/works.h"
#include "runtime/cl.h"
#include "runtime/coop/channel.h"
#include "runtime/host/time.h"

#define WAITS_LONG    4            /* a launch lasts so many of the longest waits in a kernel */
#define MOST_TURNS    (1ull << 40) /* where the clock stands still */
#define BEGIN_NS      100e6        /* for all of it to begin; else there is no room for it */
#define LOOK_AGAIN_NS 100e3
#define ALL_OF_IT     0.98 /* of its length: clocks differ, and its workgroups do not end at once */
#define PAUSE_NS      1e6  /* between two looks whether it has ended */

struct grid {
    struct cb_session session, *measured;
    struct cb_coop_channel channel;
    cl_program program;
    cl_kernel kernel;
    size_t groups, wg_size;
    pthread_mutex_t mutex; /* of what follows */
    cl_event running;      /* NULL: none */
    double begun_ns;
    bool is_called; /* at launches: nothing is to run where there are none */
    struct cb_err failure;
};

static double length_ns(const struct grid *g)
{
    return WAITS_LONG * (double)g->session.wait_deadline_ns;
}

static enum cb_status end_launch(struct grid *g, struct cb_err *err)
{
    cl_event event = g->running;
    g->running = NULL;
    if (!event)
        return CB_OK;
    enum cb_status status = cb_coop_channel_send_stop(&g->channel, err);
    struct cb_err *of_launch = status == CB_OK ? err : &(struct cb_err){0};
    cb_launch_end(&g->session, event, g->groups, NULL, NULL, of_launch);
    return err->status;
}

/* Until all workgroups are there, or for a while. */
static enum cb_status wait_for_begin(struct grid *g, struct cb_err *err)
{
    coop_device_kernel seen = {0};
    const double until_ns = g->begun_ns + BEGIN_NS;
    while (seen.points < g->groups && (double)cb_now_ns() < until_ns) {
        if (cb_coop_channel_look(&g->channel, 0, &seen, err) != CB_OK)
            return err->status;
        cb_sleep_until_ns((double)cb_now_ns() + LOOK_AGAIN_NS);
    }
    return CB_OK;
}

static enum cb_status begin_launch(struct grid *g, struct cb_err *err)
{
    const bool clock = g->session.ns_per_tick > 0;
    const cl_ulong ticks = clock ? (cl_ulong)(length_ns(g) / g->session.ns_per_tick) : CL_ULONG_MAX;
    const cl_ulong turns = clock ? MOST_TURNS : WAITS_LONG * g->session.deadlines.deadline_turns;
    const coop_host_words words = {.stop = 0};
    if (end_launch(g, err) != CB_OK || cb_coop_channel_reset(&g->channel, &words, err) != CB_OK ||
        cb_kernel_arg(g->kernel, 2, sizeof ticks, &ticks, err) != CB_OK ||
        cb_kernel_arg(g->kernel, 3, sizeof turns, &turns, err) != CB_OK ||
        cb_launch_begin(&g->session, g->kernel, g->groups, g->wg_size, &g->running, err) != CB_OK)
        return err->status;
    g->begun_ns = (double)cb_now_ns();
    return wait_for_begin(g, err);
}

/* Lets a launch begin if the one before is that old; what fails, check() tells. */
static void renew(struct grid *g, double age_ns)
{
    const bool is_old = !g->running || (double)cb_now_ns() - g->begun_ns > age_ns;
    if (is_old && g->failure.status == CB_OK)
        begin_launch(g, &g->failure);
}

static void before_launch(void *self)
{
    struct grid *g = self;
    pthread_mutex_lock(&g->mutex);
    g->is_called = true;
    renew(g, length_ns(g) / 2);
    pthread_mutex_unlock(&g->mutex);
}

/* A launch that begins as this one ends by itself was not beside it. */
static void check_room(struct grid *g, cl_event grid, cl_event launch)
{
    if (cb_event_lag(grid, launch) > ALL_OF_IT * length_ns(g))
        cb_fail(&g->failure, CB_ERROR,
                "the grid leaves no room: a launch began only when its %zu workgroups had ended, "
                "after %.3g s. Take fewer (grid:groups=N)",
                g->groups, length_ns(g) / 1e9);
}

static void after_launch(void *self, cl_event launch)
{
    struct grid *g = self;
    pthread_mutex_lock(&g->mutex);
    cl_event grid = g->running;
    if (grid && g->failure.status == CB_OK && CB_CL(&g->failure, clRetainEvent(grid)) == CB_OK) {
        if (end_launch(g, &g->failure) == CB_OK &&
            CB_CL(&g->failure, clWaitForEvents(1, &launch)) == CB_OK)
            check_room(g, grid, launch);
        clReleaseEvent(grid);
    }
    pthread_mutex_unlock(&g->mutex);
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

static enum cb_status go_on(void *self, struct cb_err *err)
{
    struct grid *g = self;
    pthread_mutex_lock(&g->mutex);
    if (!g->is_called)
        renew(g, length_ns(g));
    pthread_mutex_unlock(&g->mutex);
    cb_sleep_until_ns((double)cb_now_ns() + PAUSE_NS);
    return check(g, err);
}

static void close_grid(void *self)
{
    struct grid *g = self;
    struct cb_err ignored = {0};
    g->measured->hook = (struct cb_launch_hook){0};
    end_launch(g, &ignored);
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
    return cb_coop_channel_arg(&g->channel, g->kernel, 1, err);
}

enum cb_status cb_beside_grid(struct cb_session *session, size_t groups, size_t wg_size,
                              struct cb_beside_work *work, struct cb_err *err)
{
    struct grid *g = calloc(1, sizeof *g);
    if (!g)
        return cb_no_memory(err);
    *g = (struct grid){.measured = session, .groups = groups, .wg_size = wg_size};
    pthread_mutex_init(&g->mutex, NULL);
    *work = (struct cb_beside_work){.self = g, .once = go_on, .check = check, .close = close_grid};
    if (open_grid(g, err) == CB_OK)
        session->hook = (struct cb_launch_hook){before_launch, after_launch, g};
    else
        close_grid(g);
    return err->status;
}
