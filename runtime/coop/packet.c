/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/coop/packet.h"

#include <stdint.h>
#include <string.h>

_Static_assert(sizeof(task_packet) == TASK_PACKET_UNIT, "arguments begin where a packet may");

#define LOCAL_ALIGNMENT 128 /* alignment of the largest vector */

enum cb_status cb_packet_begin(struct cb_packet *p, unsigned number, unsigned dimensions,
                               const size_t *offset, const size_t *global, const size_t *local,
                               size_t most, struct cb_err *err)
{
    double groups = 1, items = 1;
    *p = (struct cb_packet){.u.head = {.number = number,
                                       .dimensions = dimensions,
                                       .groups = {1, 1, 1},
                                       .items = {1, 1, 1}},
                            .size = sizeof(task_packet)};
    if (dimensions < 1 || dimensions > 3)
        return cb_fail(err, CB_USAGE, "an NDRange has one to three dimensions, not %u", dimensions);
    for (unsigned d = 0; d < dimensions; d++) {
        if (local[d] == 0 || global[d] == 0 || global[d] % local[d] != 0)
            return cb_fail(err, CB_USAGE, "dimension %u: %zu work-items are no workgroups of %zu",
                           d, global[d], local[d]);
        groups *= (double)(global[d] / local[d]);
        items *= (double)local[d];
        p->u.head.groups[d] = (uint32_t)(global[d] / local[d]);
        p->u.head.items[d] = (uint32_t)local[d];
        p->u.head.offset[d] = offset ? offset[d] : 0;
    }
    if (items > (double)most)
        return cb_fail(err, CB_USAGE,
                       "a task's workgroups have %.0f work-items, more than the %zu of the "
                       "megakernel's",
                       items, most);
    if (groups > UINT32_MAX)
        return cb_fail(err, CB_USAGE, "%.0f workgroups are more than a task can have", groups);
    return CB_OK;
}

enum cb_status cb_packet_value(struct cb_packet *p, const void *value, size_t size,
                               size_t alignment, struct cb_err *err)
{
    size_t at = (p->size + alignment - 1) / alignment * alignment;
    if (at > sizeof p->u.bytes || size > sizeof p->u.bytes - at)
        return cb_fail(err, CB_USAGE, "a task's arguments have at most %u bytes",
                       TASK_ARGUMENT_END);
    memcpy(p->u.bytes + at, value, size);
    p->size = at + size;
    return CB_OK;
}

enum cb_status cb_packet_buffer(struct cb_packet *p, size_t at, struct cb_err *err)
{
    uint64_t word = at;
    return cb_packet_value(p, &word, sizeof word, sizeof word, err);
}

enum cb_status cb_packet_local(struct cb_packet *p, size_t bytes, struct cb_err *err)
{
    size_t at = p->local_size;
    if (bytes > TASK_LOCAL_BYTES || at > TASK_LOCAL_BYTES - bytes)
        return cb_fail(err, CB_USAGE,
                       "the local memory that a task's arguments ask for is more than %u bytes",
                       TASK_LOCAL_BYTES);
    p->local_size = at + (bytes + LOCAL_ALIGNMENT - 1) / LOCAL_ALIGNMENT * LOCAL_ALIGNMENT;
    return cb_packet_buffer(p, at, err);
}
