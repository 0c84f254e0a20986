/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory of a device: how much of it is free, and who has the rest.
 */
#pragma once

#include <sys/types.h>

#include "runtime/device.h"
#include "runtime/host/error.h"

/* In bytes; NaN: not known. */
struct cb_room {
    double total, free;
    double own;    /* of this program's processes */
    int others;    /* other processes that have some; -1: not known */
    double theirs; /* what these have, as far as each is known */
};

/* Asks NVML about an NVIDIA GPU, and the system about a CPU device. Processes at and below `root`
 * are this program's. CB_UNSUPPORTED: nobody tells, and err says why. */
enum cb_status cb_room_read(const struct cb_device *device, pid_t root, struct cb_room *room,
                            struct cb_err *err);
