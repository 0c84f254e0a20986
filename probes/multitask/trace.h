/* SPDX-License-Identifier: Apache-2.0
 *
 * The trace of a megakernel: checked, and written for Perfetto and for the picture.
 */
#pragma once

#include "measure/bench.h"
#include "runtime/coop/coop.h"

struct cb_traced {
    struct cb_session *session;
    struct cb_coop *coop; /* opened with traces */
    size_t workers;
    unsigned kernels, semantics, events; /* events: most of each workgroup */
    const char *path;                    /* without ending; empty: nothing is written */
};

/* After its last start. Without a clock there is nothing to check. */
enum cb_status cb_traced_check(const struct cb_traced *traced, struct cb_sample *sample,
                               struct cb_err *err);
