/* SPDX-License-Identifier: Apache-2.0
 *
 * The one place where kernels are launched, and what is said of one that the device does not run.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/host/text.h"
#include "runtime/neighbours/room.h"
#include "runtime/session.h"

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* The largest divisor of n whose power is not above n: a side of a square (2) or a cube (3). */
static size_t side(size_t n, unsigned power)
{
    size_t largest = 1;
    for (size_t d = 1; (power == 3 ? d * d * d : d * d) <= n; d++)
        if (n % d == 0)
            largest = d;
    return largest;
}

static void split(size_t n, cl_uint dimensions, size_t sides[3])
{
    sides[2] = dimensions == 3 ? side(n, 3) : 1;
    sides[1] = dimensions > 1 ? side(n / sides[2], 2) : 1;
    sides[0] = n / sides[2] / sides[1];
}

struct cb_range cb_range_of(cl_uint dimensions, size_t groups, size_t wg_size)
{
    struct cb_range range = {.dimensions = dimensions};
    split(groups, dimensions, range.groups);
    split(wg_size, dimensions, range.wg_size);
    return range;
}

static size_t product(const size_t sides[3])
{
    return sides[0] * sides[1] * sides[2];
}

size_t cb_range_groups(const struct cb_range *range)
{
    return product(range->groups);
}

/* ---- Needs ----------------------------------------------------------------------------------- */

static uint64_t ask(const struct cb_session *s, cl_kernel kernel, cl_kernel_work_group_info what)
{
    cl_ulong bytes = 0;
    const cl_int code =
        clGetKernelWorkGroupInfo(kernel, s->device, what, sizeof bytes, &bytes, NULL);
    return code == CL_SUCCESS ? bytes : 0;
}

struct cb_kernel_needs cb_kernel_needs(const struct cb_session *s, cl_kernel kernel)
{
    return (struct cb_kernel_needs){ask(s, kernel, CL_KERNEL_LOCAL_MEM_SIZE),
                                    ask(s, kernel, CL_KERNEL_PRIVATE_MEM_SIZE)};
}

static const char *options_of(const struct cb_session *s, cl_kernel kernel)
{
    cl_program program = NULL;
    clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    return cb_program_options(s, program);
}

/* CB_UNSUPPORTED: it needs more local memory than there is. A device that says that it has none has
 * not said anything. */
static enum cb_status check_local(const struct cb_session *s, cl_kernel kernel, size_t wg_size,
                                  struct cb_err *err)
{
    const uint64_t needed = ask(s, kernel, CL_KERNEL_LOCAL_MEM_SIZE),
                   most = s->info.local_mem_bytes;
    if (most == 0 || needed <= most)
        return CB_OK;
    char who[64];
    snprintf(who, sizeof who, "a workgroup of %zu work-items", wg_size);
    return cb_fail_local(who, needed, most, options_of(s, kernel), err);
}

/* PoCL ends the process that launches such a kernel. Drivers of GPUs refuse those that they cannot
 * run, and NVIDIA's runs some that need more than CL_DEVICE_LOCAL_MEM_SIZE (H100). */
enum cb_status cb_kernel_check_before(const struct cb_session *s, cl_kernel kernel, size_t wg_size,
                                      struct cb_err *err)
{
    return cb_device_is_cpu(&s->info) ? check_local(s, kernel, wg_size, err) : CB_OK;
}

/* ---- Launching ------------------------------------------------------------------------------- */

/* Why the driver has refused a launch with this code. Drivers do not agree on the code of a
 * workgroup that needs more local memory than there is. */
static enum cb_status refused(const struct cb_session *s, cl_kernel kernel,
                              const struct cb_range *range, cl_int code, struct cb_err *err)
{
    const size_t wg_size = product(range->wg_size);
    const bool is_of_size = code == CL_INVALID_WORK_GROUP_SIZE || code == CL_INVALID_WORK_ITEM_SIZE;
    if ((is_of_size || code == CL_OUT_OF_RESOURCES) &&
        check_local(s, kernel, wg_size, err) != CB_OK)
        return err->status;
    /* not asked for before: NVIDIA's CL_KERNEL_WORK_GROUP_SIZE says 256 for kernels that run with
     * 1024 */
    if (is_of_size)
        return cb_fail(err, CB_UNSUPPORTED,
                       "the device does not run this kernel with %zu work-items a workgroup",
                       wg_size);
    cb_cl_check(code, "clEnqueueNDRangeKernel", __FILE__, __LINE__, err);
    if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE)
        cb_room_explain(&s->info, 0, code, err);
    if (code == CL_OUT_OF_RESOURCES)
        cb_context(err, "each with %" PRIu64 " of the device's %" PRIu64 " bytes of local memory",
                   ask(s, kernel, CL_KERNEL_LOCAL_MEM_SIZE), s->info.local_mem_bytes);
    return cb_context(err, "%zu workgroup%s of %zu", cb_range_groups(range),
                      CB_PLURAL(cb_range_groups(range)), wg_size);
}

const struct cb_launch_hook *cb_launch_hook_of(const struct cb_session *s)
{
    const struct cb_launch_hook *hook = s->first ? &s->first->hook : &s->hook;
    return hook->before && !s->calls_no_hook ? hook : NULL;
}

enum cb_status cb_launch_enqueue(const struct cb_session *s, cl_command_queue queue,
                                 cl_kernel kernel, const struct cb_range *range, cl_event *event,
                                 struct cb_err *err)
{
    size_t global[3];
    for (cl_uint i = 0; i < range->dimensions; i++)
        global[i] = range->groups[i] * range->wg_size[i];
    if (cb_kernel_check_before(s, kernel, product(range->wg_size), err) != CB_OK)
        return err->status;
    const struct cb_launch_hook *hook = cb_launch_hook_of(s);
    if (hook)
        hook->before(hook->self);
    const cl_int code = clEnqueueNDRangeKernel(queue, kernel, range->dimensions, range->offset,
                                               global, range->wg_size, 0, NULL, event);
    if (hook)
        hook->launched(hook->self, code == CL_SUCCESS ? queue : NULL);
    return code == CL_SUCCESS ? CB_OK : refused(s, kernel, range, code, err);
}
