/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/buffers.h"

#include <stdlib.h>

#include "kernels/discovery_abi.h"
#include "runtime/discovery.h"

_Static_assert(sizeof(cb_discover_group) == 48, "as the kernel lays it out");
_Static_assert(sizeof(cb_discovery) == 6 * 256, "one block per group of words");

static size_t items_bytes(size_t wg, size_t launched)
{
    return launched * wg * sizeof(cb_u32);
}

void cb_discover_buffers_free(struct cb_discover_buffers *b)
{
    cl_mem all[] = {b->state, b->groups, b->items, b->letters};
    for (size_t i = 0; i < CB_COUNTOF(all); i++)
        if (all[i])
            clReleaseMemObject(all[i]);
    free(b->host_groups);
    free(b->host_items);
    free(b->host_letters);
    *b = (struct cb_discover_buffers){0};
}

enum cb_status cb_discover_buffers_reserve(struct cb_discover_buffers *b, struct cb_session *s,
                                           size_t wg, size_t launched, struct cb_err *err)
{
    if (b->launched >= launched)
        return CB_OK;
    cb_discover_buffers_free(b);
    b->state = cb_buffer_create(s, CB_DISCOVERY_BYTES(launched), err);
    b->groups = cb_buffer_create(s, launched * sizeof(cb_discover_group), err);
    b->items = cb_buffer_create(s, items_bytes(wg, launched), err);
    b->letters = cb_buffer_create(s, 2 * launched * sizeof(cb_u32), err);
    if (!b->state || !b->groups || !b->items || !b->letters)
        return err->status;
    b->host_groups = calloc(launched, sizeof *b->host_groups);
    b->host_items = calloc(launched * wg, sizeof *b->host_items);
    b->host_letters = calloc(2 * launched, sizeof *b->host_letters);
    if (!b->host_groups || !b->host_items || !b->host_letters)
        return cb_fail(err, CB_ERROR, "out of memory for %zu workgroups", launched);
    b->launched = launched;
    return CB_OK;
}

enum cb_status cb_discover_buffers_clear(struct cb_discover_buffers *b, struct cb_session *s,
                                         size_t wg, size_t launched, struct cb_err *err)
{
    if (cb_buffer_clear(s, b->state, CB_DISCOVERY_BYTES(launched), err) != CB_OK ||
        cb_buffer_clear(s, b->groups, launched * sizeof(cb_discover_group), err) != CB_OK ||
        cb_buffer_clear(s, b->items, items_bytes(wg, launched), err) != CB_OK ||
        cb_buffer_clear(s, b->letters, 2 * launched * sizeof(cb_u32), err) != CB_OK)
        return err->status;
    return CB_OK;
}

enum cb_status cb_discover_buffers_read(struct cb_discover_buffers *b, struct cb_session *s,
                                        size_t wg, size_t launched, struct cb_err *err)
{
    if (cb_buffer_read(s, b->groups, b->host_groups, launched * sizeof(cb_discover_group), err) !=
            CB_OK ||
        cb_buffer_read(s, b->items, b->host_items, items_bytes(wg, launched), err) != CB_OK ||
        cb_buffer_read(s, b->letters, b->host_letters, 2 * launched * sizeof(cb_u32), err) != CB_OK)
        return err->status;
    return CB_OK;
}
