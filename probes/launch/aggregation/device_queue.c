/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/launch/aggregation/device_queue.h"

#include <string.h>

#ifndef CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES
#define CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES 0x1070
#define CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT   (1 << 1)
#endif

static bool has_device_queue(const struct cb_session *session)
{
    cl_bitfield can = 0;
    if (strncmp(session->info.device_version, "OpenCL 2.", 9) == 0)
        return true;
    return clGetDeviceInfo(session->device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof can, &can,
                           NULL) == CL_SUCCESS &&
           can != 0;
}

enum cb_status cb_device_queue_open(struct cb_session *session, cl_command_queue *queue,
                                    struct cb_err *err)
{
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                  CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT,
                                              0};
    cl_int code;
    if (!has_device_queue(session) || strcmp(session->info.atomics, "cl12") == 0)
        return cb_fail(err, CB_UNSUPPORTED,
                       "the device has no queues for kernels that launch kernels (device-side "
                       "enqueue of OpenCL 2.0): thread launches the same from within a cooperative "
                       "kernel");
    *queue =
        clCreateCommandQueueWithProperties(session->context, session->device, properties, &code);
    return CB_CL_CODE(err, code, "clCreateCommandQueueWithProperties");
}
