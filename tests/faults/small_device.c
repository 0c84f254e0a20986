/* SPDX-License-Identifier: Apache-2.0
 *
 * A device with little local memory, as OpenCL allows one: it says so, and refuses kernels that
 * need more, as a driver of a GPU does. And one without images.
 */
#include "tests/faults/faults.h"

#include <stdlib.h>

/* 0: the device is as it is. */
static cl_ulong local_bytes(void)
{
    const char *bytes = getenv("SMALL_DEVICE");
    return bytes ? strtoull(bytes, NULL, 10) : 0;
}

void small_device_says(cl_device_info what, void *value)
{
    if (what == CL_DEVICE_IMAGE_SUPPORT && value && getenv("NO_IMAGES"))
        *(cl_bool *)value = CL_FALSE;
    if (local_bytes() == 0 || !value)
        return;
    if (what == CL_DEVICE_LOCAL_MEM_SIZE)
        *(cl_ulong *)value = local_bytes();
    if (what == CL_DEVICE_TYPE && getenv("SMALL_GPU"))
        *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
}

bool small_device_refuses(cl_command_queue queue, cl_kernel kernel)
{
    static __typeof__(clGetKernelWorkGroupInfo) *ask;
    cl_device_id device;
    cl_ulong needed;
    if (local_bytes() == 0)
        return false;
    if (!ask)
        *(void **)&ask = real_of("clGetKernelWorkGroupInfo");
    if (clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL) != 0 ||
        ask(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof needed, &needed, NULL) != 0)
        abort();
    return needed > local_bytes();
}
