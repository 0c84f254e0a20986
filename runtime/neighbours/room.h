/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory of a device: how much of it is free, who has the rest, and what to say to who needs
 * more than there is.
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

/* Before so many bytes more are taken. CB_UNSUPPORTED: the device has less in all; CB_ERROR: less
 * is free, and err says how much is missing, who has it, and what to do. CB_OK if that is not known
 * for certain: then the driver decides. */
enum cb_status cb_room_check(const struct cb_device *device, uint64_t bytes, struct cb_err *err);

/* After a call that was to take so many bytes (0: who knows) has failed with this code, its words
 * in err: says the same before these. Failures for other reasons are left as they are. Returns
 * err's status. */
enum cb_status cb_room_explain(const struct cb_device *device, uint64_t bytes, cl_int code,
                               struct cb_err *err);
