/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "runtime/beside/works.h"
#include "runtime/cl.h"
#include "runtime/host/time.h"

#define WAITS_LONG    4            /* a launch lasts so many of the longest waits in a kernel */
#define MOST_TURNS    (1ull << 40) /* where the clock stands still */
#define BEGIN_NS      2e9          /* for a launch to begin; else others have the device */
#define LOOK_AGAIN_NS 1e6

struct grid {
    struct cb_session session;
    struct cb_buffered_kernel kernel; /* of its two counts */
    size_t groups, wg_size;
    cl_event running; /* NULL: none */
};

static enum cb_status end_launch(struct grid *g, struct cb_err *err)
{
    cl_event event = g->running;
    g->running = NULL;
    return event ? cb_launch_end(&g->session, event, g->groups, NULL, NULL, err) : CB_OK;
}

static void close_grid(void *self)
{
    struct grid *g = self;
    struct cb_err ignored;
    end_launch(g, &ignored);
    cb_buffered_kernel_close(&g->kernel);
    cb_session_close(&g->session);
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

/* Lets the next launch follow the one that runs. */
static enum cb_status go_on(void *self, struct cb_err *err)
{
    struct grid *g = self;
    if (end_launch(g, err) != CB_OK || cb_launch_begin(&g->session, g->kernel.kernel, g->groups,
                                                       g->wg_size, &g->running, err) != CB_OK)
        return err->status;
    return wait_for_begin(g, err);
}

static enum cb_status open_grid(struct grid *g, struct cb_session *first, struct cb_err *err)
{
    const double length_ns = WAITS_LONG * (double)first->wait_deadline_ns;
    const bool clock = first->ns_per_tick > 0;
    const cl_ulong ticks = clock ? (cl_ulong)(length_ns / first->ns_per_tick) : CL_ULONG_MAX;
    const cl_ulong turns = clock ? MOST_TURNS : WAITS_LONG * first->deadlines.deadline_turns;
    if (g->wg_size > first->info.max_wg_size)
        return cb_fail(err, CB_UNSUPPORTED, "the device's workgroups have at most %zu work-items",
                       (size_t)first->info.max_wg_size);
    if (cb_session_open_second(&g->session, first, err) != CB_OK ||
        cb_buffered_kernel_open(&g->session, "kernels/beside.cl", NULL, "beside_grid",
                                2 * sizeof(cl_uint), &g->kernel, err) != CB_OK ||
        cb_kernel_arg(g->kernel.kernel, 2, sizeof ticks, &ticks, err) != CB_OK)
        return err->status;
    return cb_kernel_arg(g->kernel.kernel, 3, sizeof turns, &turns, err);
}

enum cb_status cb_beside_grid(struct cb_session *session, size_t groups, size_t wg_size,
                              struct cb_beside_work *work, struct cb_err *err)
{
    struct grid *g = calloc(1, sizeof *g);
    if (!g)
        return cb_no_memory(err);
    g->groups = groups;
    g->wg_size = wg_size;
    *work = (struct cb_beside_work){g, go_on, close_grid};
    if (open_grid(g, session, err) != CB_OK)
        close_grid(g);
    return err->status;
}
