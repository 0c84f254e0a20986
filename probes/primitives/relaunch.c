/* SPDX-License-Identifier: Apache-2.0
 *
 * What global barriers of any device are compared with.
 */
#include "probes/primitives/relaunch.h"

#include "runtime/host/time.h"

#define ROUND_ARGUMENT 6 /* `operations` of CB_PRIMITIVE_ARGUMENTS */

/* In order, as the session's, but without profiling, which may cost each launch a time stamp. */
static enum cb_status open_queue(struct cb_primitives *p, struct cb_err *err)
{
    if (!p->queue)
        p->queue = cb_queue_create(p->session, 0, err);
    return p->queue ? CB_OK : err->status;
}

static enum cb_status enqueue_round(struct cb_primitives *p, int kernel, size_t groups,
                                    cl_uint round, struct cb_err *err)
{
    const struct cb_range range = cb_range_of(1, groups, p->wg_size);
    if (kernel == CB_CHECKED &&
        cb_kernel_arg(p->kernels[kernel], ROUND_ARGUMENT, sizeof round, &round, err) != CB_OK)
        return err->status;
    if (cb_launch_enqueue(p->session, p->queue, p->kernels[kernel], &range, NULL, err) != CB_OK)
        return err->status;
    return p->relaunch == CB_RELAUNCH_WAITS ? CB_CL(err, clFinish(p->queue)) : CB_OK;
}

enum cb_status cb_relaunch_run(struct cb_primitives *p, int kernel, size_t groups, double *time_ns,
                               struct cb_err *err)
{
    /* the reset waits for the session's queue, and so for the clearing of what this one uses */
    if (cb_launch_reset(p->session, p->kernels[kernel], err) != CB_OK ||
        open_queue(p, err) != CB_OK)
        return err->status;
    enum cb_status status = CB_OK;
    uint64_t start = cb_now_ns();
    for (cl_uint round = 1; round <= p->operations[kernel] && status == CB_OK; round++)
        status = enqueue_round(p, kernel, groups, round, err);
    cl_int code = clFinish(p->queue);
    *time_ns = (double)(cb_now_ns() - start);
    return status == CB_OK ? CB_CL_CODE(err, code, "clFinish") : status;
}

void cb_relaunch_release(struct cb_primitives *p)
{
    if (p->queue)
        clReleaseCommandQueue(p->queue);
}
