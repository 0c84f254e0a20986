/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the host that a device copies to by itself. Into other memory the driver copies once
 * more, so that a read takes longer.
 */
#pragma once

#include "runtime/session.h"

struct cb_pinned {
    cl_mem buffer;
    void *words; /* the host's, until it is closed */
};

/* Close it also after a failure. */
enum cb_status cb_pinned_open(struct cb_session *session, size_t bytes, struct cb_pinned *pinned,
                              struct cb_err *err);
void cb_pinned_close(struct cb_session *session, struct cb_pinned *pinned);
