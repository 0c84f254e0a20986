/* SPDX-License-Identifier: Apache-2.0
 *
 * The occupancy bound of a kernel whose workgroups all meet at one barrier.
 */
#pragma once

#include "measure/bench.h"
#include "runtime/session.h"

#define CB_DISCOVER_MOST_ITEMS 0x7fffffffu /* work-items of a launch */

struct cb_discover_search {
    struct cb_session *session;
    void *self;
    /* Launches so many workgroups, and waits for them; CB_TIMEOUT with the record: some of them
     * waited at the barrier, CB_SITE_BARRIER, for others that did not come. */
    enum cb_status (*meet)(void *self, size_t groups, uint64_t *event_ns, cb_launch *record,
                           struct cb_err *err);
    uint64_t limit; /* more workgroups cannot be launched */
};

/* Adds groups_bound, search_time and search_probes, and sets the bound (may be NULL). A search of a
 * session begins with the bound that the one before it found. */
enum cb_status cb_discover_search_run(const struct cb_discover_search *search, uint64_t *bound,
                                      struct cb_sample *sample, struct cb_err *err);
