/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL's own launches from kernels: a queue on the device, to which kernels enqueue others
 * (device-side enqueue: OpenCL 2.x, and 3.0 as an option).
 */
#pragma once

#include "runtime/session.h"

/* Makes the device's default queue, which the caller releases. CB_UNSUPPORTED: it has no such
 * queues. */
enum cb_status cb_device_queue_open(struct cb_session *session, cl_command_queue *queue,
                                    struct cb_err *err);
