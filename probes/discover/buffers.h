/* SPDX-License-Identifier: Apache-2.0
 *
 * What a launch of discover writes: buffers on the device, and their copies on the host.
 */
#pragma once

#include "probes/discover/discover_abi.h"
#include "runtime/session.h"

struct cb_discover_buffers {
    size_t launched; /* number of workgroups that there is room for */
    cl_mem state, groups, items, letters;
    cb_discover_group *host_groups;
    cb_u32 *host_items, *host_letters;
};

/* Makes room for `launched` workgroups of wg work-items. CB_ERROR: there is no memory. */
enum cb_status cb_discover_buffers_reserve(struct cb_discover_buffers *b, struct cb_session *s,
                                           size_t wg, size_t launched, struct cb_err *err);

/* Clears what `launched` workgroups have, or reads it to the host. */
enum cb_status cb_discover_buffers_clear(struct cb_discover_buffers *b, struct cb_session *s,
                                         size_t wg, size_t launched, struct cb_err *err);
enum cb_status cb_discover_buffers_read(struct cb_discover_buffers *b, struct cb_session *s,
                                        size_t wg, size_t launched, struct cb_err *err);
void cb_discover_buffers_free(struct cb_discover_buffers *b);
