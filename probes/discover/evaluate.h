/* SPDX-License-Identifier: Apache-2.0
 *
 * From the records of one launch's workgroups to samples and checks. No OpenCL: tested with made-up
 * launches.
 */
#pragma once

#include "measure/bench.h"
#include "probes/discover/discover_abi.h"

/* One launch of the kernel of discover.cl, read back. */
struct cb_discover_launch {
    size_t launched, wg_size;
    const cb_discover_group *groups; /* [launched] */
    const cb_u32 *items;             /* [launched * wg_size] */
    const cb_u32 *letters;           /* [2 * launched] */
    double ns_per_tick;              /* 0: no device clock */
    double bound;                    /* occupancy bound; 0: not known */
    bool native_order;               /* ids are to rise with the native ones */
};

#define CB_DISCOVER_FIRST 8u

/* Adds groups_found, recall and protocol_time, and where ids lie on the device: neighbours_together
 * and units_of_first (of CB_DISCOVER_FIRST, if there are as many). Checks OOPSLA'16 Section 3.2 and
 * Tab. 2: at least one participant, ids contiguous and unique (of workgroups and of work-items) and
 * in native order if asked for, the count agreed by all and not above the bound, all participants
 * past one barrier with the writes before it seen. */
void cb_discover_evaluate(const struct cb_discover_launch *launch, struct cb_sample *sample);
