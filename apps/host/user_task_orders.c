/* SPDX-License-Identifier: Apache-2.0
 *
 * The merged task alone, whose workgroups come in other orders.
 */
#include "apps/host/user_task_run.h"

#define FEW_ITEMS 64

/* The arguments that a merged task has after its own (coopbench merge --help). */
static enum cb_status set_range(const struct cb_user_task_run *r, cl_kernel kernel,
                                struct cb_err *err)
{
    const struct cb_setup_range *of = &r->task->setup.range;
    cl_uint4 groups = {{1, 1, 1, of->dimensions}}, items = {{1, 1, 1, 0}};
    const cl_ulong4 offset = {{0}};
    const cl_uint n = r->task->setup.n_arguments;
    for (unsigned d = 0; d < of->dimensions; d++) {
        groups.s[d] = (cl_uint)(of->global[d] / of->local[d]);
        items.s[d] = (cl_uint)of->local[d];
    }
    if (CB_CL(err, clSetKernelArg(kernel, n, sizeof groups, &groups)) != CB_OK ||
        CB_CL(err, clSetKernelArg(kernel, n + 1, sizeof items, &items)) != CB_OK)
        return err->status;
    return CB_CL(err, clSetKernelArg(kernel, n + 2, sizeof offset, &offset));
}

/* Launches the merged task alone: so many workgroups do all of its own in turn. */
static enum cb_status launch_merged(struct cb_user_task_run *r, size_t groups, struct cb_err *err)
{
    const struct cb_setup_range *of = &r->task->setup.range;
    size_t most = 1;
    for (unsigned d = 0; d < of->dimensions; d++)
        most *= of->local[d];
    const struct cb_range range = {1, {groups, 1, 1}, {most > FEW_ITEMS ? most : FEW_ITEMS, 1, 1}};
    cl_program program = NULL;
    cl_kernel kernel = NULL;
    enum cb_status status = cb_program_build(r->session, r->task->text, "", &program, err);
    if (status == CB_OK)
        status = cb_kernel_create(program, r->task->kernel, &kernel, err);
    if (status == CB_OK)
        status = cb_user_task_set_arguments(r, kernel, err);
    if (status == CB_OK)
        status = set_range(r, kernel, err);
    if (status == CB_OK)
        status = cb_launch_enqueue(r->session, r->session->queue, kernel, &range, NULL, err);
    if (status == CB_OK)
        status = cb_session_finish(r->session, CB_USER_TASK_MOST_S, err);
    if (kernel)
        clReleaseKernel(kernel);
    if (program)
        clReleaseProgram(program);
    return status;
}

enum cb_status cb_user_task_compare_orders(struct cb_user_task_run *r, struct cb_sample *sample,
                                           struct cb_err *err)
{
    static const size_t few[] = {1, 3}; /* in the order of ids, and by turns */
    r->expected_runs = 0;
    r->repeats = false;
    for (size_t i = 0; i < CB_COUNTOF(few); i++)
        if (cb_user_task_copy(r, r->begin, false, err) != CB_OK ||
            launch_merged(r, few[i], err) != CB_OK ||
            cb_user_task_check_launches(r, 1, sample, err) != CB_OK)
            return err->status;
    return CB_OK;
}
