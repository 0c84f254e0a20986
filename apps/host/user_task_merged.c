/* SPDX-License-Identifier: Apache-2.0
 *
 * The merged task as a launch of its own.
 */
#include "apps/host/user_task_run.h"

#define FEW_ITEMS  64
#define MOST_ITEMS 2048 /* of a compute unit in such a launch */

/* The arguments that a merged task has after its own (coopbench merge --help). */
static enum cb_status set_range(const struct cb_user_task_run *r, cl_kernel kernel,
                                struct cb_err *err)
{
    const struct cb_setup_range *of = &r->task->setup.range;
    cl_uint4 groups = {{1, 1, 1, of->dimensions}}, items = {{1, 1, 1, 0}};
    cl_ulong4 offset = {{0}};
    const cl_uint n = r->task->setup.n_arguments;
    for (unsigned d = 0; d < of->dimensions; d++) {
        groups.s[d] = (cl_uint)(of->global[d] / of->local[d]);
        items.s[d] = (cl_uint)of->local[d];
        offset.s[d] = of->offset[d];
    }
    if (CB_CL(err, clSetKernelArg(kernel, n, sizeof groups, &groups)) != CB_OK ||
        CB_CL(err, clSetKernelArg(kernel, n + 1, sizeof items, &items)) != CB_OK)
        return err->status;
    return CB_CL(err, clSetKernelArg(kernel, n + 2, sizeof offset, &offset));
}

enum cb_status cb_user_task_set_merged(struct cb_user_task_run *r, cl_kernel kernel,
                                       struct cb_err *err)
{
    return cb_user_task_set_arguments(r, kernel, err) == CB_OK ? set_range(r, kernel, err)
                                                               : err->status;
}

struct cb_range cb_user_task_merged_range(const struct cb_user_task_run *r, size_t groups)
{
    const struct cb_setup_range *of = &r->task->setup.range;
    size_t most = FEW_ITEMS, items = 1;
    for (unsigned d = 0; d < of->dimensions; d++)
        items *= of->local[d];
    return (struct cb_range){1, {groups, 1, 1}, {items > most ? items : most, 1, 1}};
}

enum cb_status cb_user_task_build_merged(struct cb_user_task_run *r, const char *options,
                                         cl_program *program, cl_kernel *kernel, struct cb_err *err)
{
    enum cb_status status = cb_program_build(r->session, r->task->text, options, program, err);
    return status == CB_OK ? cb_kernel_create(*program, r->task->kernel, kernel, err) : status;
}

void cb_user_task_release_built(cl_program program, cl_kernel kernel)
{
    if (kernel)
        clReleaseKernel(kernel);
    if (program)
        clReleaseProgram(program);
}

/* The workgroups keep the device busy: each does several of the task's, as beside an app. */
static size_t groups_of(const struct cb_user_task_run *r)
{
    const struct cb_setup_range *of = &r->task->setup.range;
    size_t groups = 1;
    for (unsigned d = 0; d < of->dimensions; d++)
        groups *= of->global[d] / of->local[d];
    const size_t items = cb_user_task_merged_range(r, 1).wg_size[0],
                 most =
                     r->session->info.compute_units * (items < MOST_ITEMS ? MOST_ITEMS / items : 1);
    return groups < most ? groups : most;
}

enum cb_status cb_user_task_open_merged(struct cb_user_task_run *r, struct cb_err *err)
{
    if (r->task->submits) /* the merged one needs the megakernel */
        return CB_OK;
    r->merged_range = cb_user_task_merged_range(r, groups_of(r));
    if (cb_user_task_build_merged(r, "", &r->merged_program, &r->merged_kernel, err) != CB_OK)
        return err->status;
    if (r->session->rehearsal)
        return CB_OK;
    return cb_user_task_set_merged(r, r->merged_kernel, err) == CB_OK
               ? cb_user_task_launch_form(r, r->merged_kernel, &r->merged_range, err)
               : err->status;
}
