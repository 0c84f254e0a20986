/* SPDX-License-Identifier: Apache-2.0
 *
 * Launch packets of tasks (kernels/task_abi.h), as the host writes them: a range, then each
 * argument in its order.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "kernels/task_abi.h"
#include "runtime/host/error.h"

struct cb_packet {
    union {
        task_packet head;
        unsigned char bytes[sizeof(task_packet) + TASK_ARGUMENT_END];
    } u;
    size_t size;       /* bytes written so far */
    size_t local_size; /* bytes of local memory that arguments ask for */
};

/* Begins a packet with an NDRange as of clEnqueueNDRangeKernel(); offset NULL: 0. CB_USAGE: no
 * dimension or more than three, a size that is 0 or no multiple of the local one, more work-items
 * in a workgroup than `most`, those of the megakernel, or 2^32 workgroups. */
enum cb_status cb_packet_begin(struct cb_packet *packet, unsigned number, unsigned dimensions,
                               const size_t *offset, const size_t *global, const size_t *local,
                               size_t most, struct cb_err *err);

/* Adds a scalar, a vector or a structure, aligned as OpenCL C has it (a vector: to its size).
 * CB_USAGE: no room. */
enum cb_status cb_packet_value(struct cb_packet *packet, const void *value, size_t size,
                               size_t alignment, struct cb_err *err);

/* Adds a buffer that begins at this byte of the arena. */
enum cb_status cb_packet_buffer(struct cb_packet *packet, size_t at, struct cb_err *err);

/* Adds an argument of so many bytes of local memory. */
enum cb_status cb_packet_local(struct cb_packet *packet, size_t bytes, struct cb_err *err);
