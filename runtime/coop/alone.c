/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs of an app with no task beside it, in each execution mode.
 */
#include <stddef.h>

#include "kernels/discovery_abi.h"
#include "runtime/coop/internal.h"
#include "runtime/discovery.h"
#include "runtime/host/text.h"
#include "runtime/host/time.h"

#define MAX_ATTEMPTS 50

enum cb_status cb_coop_launch_discovery(void *self, size_t groups, size_t *participants,
                                        struct cb_err *err)
{
    struct cb_coop *c = self;
    cb_coop_expect_launch(c, groups);
    if (cb_coop_prepare(c, 0, err) != CB_OK)
        return err->status;
    cb_coop_clear_control(c, 0);
    const coop_host_words nothing = {0};
    if (cb_coop_channel_reset(&c->channel, &nothing, err) != CB_OK ||
        cb_coop_write_control(c, err) != CB_OK ||
        cb_launch_run(c->session, c->kernel, groups, c->config.wg_size, NULL, NULL, err) != CB_OK ||
        cb_coop_read_control(c, err) != CB_OK)
        return err->status;
    *participants = c->control->discovered;
    return CB_OK;
}

size_t cb_coop_found(const struct cb_coop *c, size_t workers)
{
    return workers + 1 + (size_t)cb_coop_channel_needs_thread(&c->channel);
}

enum cb_status cb_coop_check_found(const struct cb_coop *c, size_t found, struct cb_err *err)
{
    if (found >= cb_coop_found(c, 2))
        return CB_OK;
    return cb_fail(err, CB_UNSUPPORTED,
                   "%zu workgroup%s at once: a scheduler and two workers are the least "
                   "(PoCL: --cpu-workgroups; in a program of yours "
                   "POCL_MAX_PTHREAD_COUNT, from PoCL 4 on POCL_CPU_MAX_CU_COUNT, in its "
                   "environment before it first uses OpenCL)",
                   found, found == 1 ? " runs" : "s run");
}

enum cb_status cb_coop_find_workers(struct cb_coop *c, size_t *workers, struct cb_err *err)
{
    size_t found = 0;
    if (cb_discovery_search(c->session, cb_coop_launch_discovery, c, &found, err) != CB_OK ||
        cb_coop_check_found(c, found, err) != CB_OK)
        return err->status;
    size_t others = cb_coop_found(c, 0);
    *workers = found - others < COOP_MAX_WORKERS ? found - others : COOP_MAX_WORKERS;
    return CB_OK;
}

/* Launches one step after another until all workgroups have ended. */
static enum cb_status run_steps(struct cb_coop *c, size_t groups, struct cb_err *err)
{
    size_t bytes = offsetof(coop_control, started);
    do {
        c->control->steps_done = 0;
        /* The write needs no wait: it is done when the step returns. */
        if (CB_CL(err, clEnqueueWriteBuffer(c->session->queue, c->buffers[CONTROL], CL_FALSE, 0,
                                            bytes, c->control, 0, NULL, NULL)) != CB_OK ||
            cb_launch_step(c->session, c->kernel, groups, c->config.wg_size, c->buffers[CONTROL],
                           c->control, bytes, err) != CB_OK)
            return err->status;
        c->control->kernels[0].run++;
    } while (c->control->steps_done < groups);
    return CB_OK;
}

static enum cb_status run_multikernel(struct cb_coop *c, size_t groups, struct cb_coop_time *time,
                                      struct cb_err *err)
{
    double begin = (double)cb_now_ns();
    enum cb_status status = cb_launch_reset(c->session, c->kernel, err);
    if (status == CB_OK)
        status = run_steps(c, groups, err);
    time->host_ns = time->run_ns = (double)cb_now_ns() - begin;
    return status;
}

static enum cb_status run_launch(struct cb_coop *c, size_t groups, struct cb_coop_time *time,
                                 struct cb_err *err)
{
    /* A portable kernel is launched with more workgroups than run at once, of which the discovery
     * keeps as many as are asked for. */
    const size_t launched = c->discovers ? 2 * groups + 2 : groups;
    cb_coop_expect_launch(c, launched);
    /* A busy machine starts the threads of a CPU device late: too few take part then, and none has
     * begun. */
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        uint64_t event_ns;
        cb_discovery_rest(attempt);
        if (cb_coop_prepare(c, groups, err) != CB_OK || cb_coop_write_control(c, err) != CB_OK)
            return err->status;
        double begin = (double)cb_now_ns();
        if (cb_launch_run(c->session, c->kernel, launched, c->config.wg_size, &event_ns, NULL,
                          err) != CB_OK)
            return err->status;
        *time = (struct cb_coop_time){(double)event_ns, (double)cb_now_ns() - begin};
        if (cb_coop_read_control(c, err) != CB_OK)
            return err->status;
        if (c->control->discovered >= groups)
            return CB_OK;
    }
    return cb_fail(err, CB_ERROR, "%zu workgroup%s asked for, %u took part%s", groups,
                   CB_PLURAL(groups), c->control->discovered,
                   c->delay == CB_DELAY_ADAPTIVE ? "" : ": the delay is too short, try adaptive");
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
