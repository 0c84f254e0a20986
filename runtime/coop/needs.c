/* SPDX-License-Identifier: Apache-2.0
 *
 * What a workgroup of a cooperative kernel needs.
 */
#include "runtime/coop/internal.h"

#include <string.h>

static uint64_t ask(const struct cb_coop *c, cl_kernel_work_group_info what)
{
    cl_ulong bytes = 0;
    const cl_int code =
        clGetKernelWorkGroupInfo(c->kernel, c->session->device, what, sizeof bytes, &bytes, NULL);
    return code == CL_SUCCESS ? bytes : 0;
}

struct cb_coop_needs cb_coop_needs(const struct cb_coop *c)
{
    return (struct cb_coop_needs){ask(c, CL_KERNEL_LOCAL_MEM_SIZE),
                                  ask(c, CL_KERNEL_PRIVATE_MEM_SIZE)};
}

/* PoCL ends the process that launches such a kernel. Drivers of GPUs refuse those that they cannot
 * run, and NVIDIA's runs some that need more than CL_DEVICE_LOCAL_MEM_SIZE (H100). */
enum cb_status cb_coop_check_needs(const struct cb_coop *c, struct cb_err *err)
{
    const uint64_t needed = cb_coop_needs(c).local_bytes, most = c->session->info.local_mem_bytes;
    if (strcmp(c->session->info.type, "cpu") != 0 || most == 0 || needed <= most)
        return CB_OK;
    return cb_fail(
        err, CB_UNSUPPORTED,
        "a workgroup of %zu work-items needs %llu bytes of local memory, and %s has %llu",
        c->config.wg_size, (unsigned long long)needed, c->session->info.name,
        (unsigned long long)most);
}
