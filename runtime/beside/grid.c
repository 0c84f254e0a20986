/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "runtime/beside/works.h"
#include "runtime/cl.h"
#include "runtime/coop/channel.h"
#include "runtime/host/time.h"

#define SHORT_WAITS   4    /* a short launch lasts so many of the longest waits in a kernel */
#define LONG_NS       60e9 /* a launch that the host can end */
#define MOST_TURNS    (1ull << 40) /* where the clock stands still */
#define BEGIN_NS      2e9          /* for a launch to begin; else others have the device */
#define LOOK_AGAIN_NS 1e6

struct grid {
    struct cb_session session;
    struct cb_coop_channel channel;
    struct cb_buffered_kernel kernel; /* of its two counts */
    size_t groups, wg_size;
    cl_event running; /* NULL: none */
    bool is_long;
    pthread_mutex_t mutex; /* of the channel, and of */
    bool is_ended;
};

static enum cb_status end_launch(struct grid *g, struct cb_err *err)
{
    cl_event event = g->running;
    g->running = NULL;
    return event ? cb_launch_end(&g->session, event, g->groups, NULL, NULL, err) : CB_OK;
}

/* Says stop to the launch that runs, and to all that follow. */
static void end_grid(void *self)
{
    struct grid *g = self;
    struct cb_err ignored;
    pthread_mutex_lock(&g->mutex);
    g->is_ended = true;
    if (g->running)
        cb_coop_channel_send_stop(&g->channel, &ignored);
    pthread_mutex_unlock(&g->mutex);
}

static void close_grid(void *self)
{
    struct grid *g = self;
    struct cb_err ignored;
    end_grid(g);
    end_launch(g, &ignored);
    cb_buffered_kernel_close(&g->kernel);
    cb_coop_channel_close(&g->channel);
    cb_session_close(&g->session);
    pthread_mutex_destroy(&g->mutex);
    free(g);
}

/* Until the driver says that the launch has begun, or for a while. */
static enum cb_status wait_for_begin(const struct grid *g, struct cb_err *err)
{
    const double until_ns = (double)cb_now_ns() + BEGIN_NS;
    cl_int state = CL_QUEUED;
    while (state > CL_RUNNING && (double)cb_now_ns() < until_ns) {
        if (CB_CL(err, clGetEventInfo(g->running, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                                      &state, NULL)) != CB_OK)
            return err->status;
        cb_sleep_until_ns((double)cb_now_ns() + LOOK_AGAIN_NS);
    }
    return CB_OK;
}

static double length_ns(const struct grid *g)
{
    return g->is_long ? LONG_NS : SHORT_WAITS * (double)g->session.wait_deadline_ns;
}

static enum cb_status begin_launch(struct grid *g, struct cb_err *err)
{
    const bool clock = g->session.ns_per_tick > 0;
    const cl_ulong ticks = clock ? (cl_ulong)(length_ns(g) / g->session.ns_per_tick) : CL_ULONG_MAX;
    const cl_ulong turns = clock ? MOST_TURNS : SHORT_WAITS * g->session.deadlines.deadline_turns;
    if (cb_kernel_arg(g->kernel.kernel, 2, sizeof ticks, &ticks, err) != CB_OK ||
        cb_kernel_arg(g->kernel.kernel, 3, sizeof turns, &turns, err) != CB_OK)
        return err->status;
    pthread_mutex_lock(&g->mutex);
    const coop_host_words words = {.stop = g->is_ended};
    enum cb_status status = cb_coop_channel_reset(&g->channel, &words, err);
    if (status == CB_OK)
        status =
            cb_launch_begin(&g->session, g->kernel.kernel, g->groups, g->wg_size, &g->running, err);
    pthread_mutex_unlock(&g->mutex);
    return status == CB_OK ? wait_for_begin(g, err) : status;
}

/* Lets the next launch follow the one that runs. */
static enum cb_status go_on(void *self, struct cb_err *err)
{
    return end_launch(self, err) == CB_OK ? begin_launch(self, err) : err->status;
}

/* Whether the host can end a launch: with a short one, which ends in any case. */
static enum cb_status try_end(struct grid *g, struct cb_err *err)
{
    if (g->session.ns_per_tick <= 0)
        return CB_OK;
    if (begin_launch(g, err) != CB_OK)
        return err->status;
    const double begin_ns = (double)cb_now_ns();
    if (cb_coop_channel_send_stop(&g->channel, err) != CB_OK || end_launch(g, err) != CB_OK)
        return err->status;
    g->is_long = (double)cb_now_ns() - begin_ns < length_ns(g) / 2;
    return CB_OK;
}

static enum cb_status open_grid(struct grid *g, struct cb_session *first, struct cb_err *err)
{
    if (g->wg_size > first->info.max_wg_size)
        return cb_fail(err, CB_UNSUPPORTED, "the device's workgroups have at most %zu work-items",
                       (size_t)first->info.max_wg_size);
    if (cb_session_open_second(&g->session, first, err) != CB_OK ||
        cb_coop_channel_open(&g->channel, &g->session, "auto", err) != CB_OK ||
        cb_buffered_kernel_open(&g->session, "kernels/beside.cl", NULL, "beside_grid",
                                2 * sizeof(cl_uint), &g->kernel, err) != CB_OK ||
        cb_coop_channel_arg(&g->channel, g->kernel.kernel, 4, err) != CB_OK)
        return err->status;
    return try_end(g, err);
}

enum cb_status cb_beside_grid(struct cb_session *session, size_t groups, size_t wg_size,
                              struct cb_beside_work *work, struct cb_err *err)
{
    struct grid *g = calloc(1, sizeof *g);
    if (!g)
        return cb_no_memory(err);
    g->groups = groups;
    g->wg_size = wg_size;
    pthread_mutex_init(&g->mutex, NULL);
    *work = (struct cb_beside_work){.self = g, .once = go_on, .end = end_grid, .close = close_grid};
    if (open_grid(g, session, err) != CB_OK)
        close_grid(g);
    return err->status;
}
