/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for the occupancy bound (OOPSLA'16 Section 5.1): the N for which a barrier across N
 * workgroups passes and one across N + 1 deadlocks. It is unsafe in the paper's sense, every second
 * step deadlocks on purpose, but waits are bounded: such a step costs one deadline.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/host/error.h"

struct cb_occupancy_meeting {
    uint64_t arrived; /* in a deadlock: workgroups that had come; 0: nobody knows */
    /* How long they took to pass; 0: the device never swaps workgroups. Where it is given to
     * several programs in turns, drivers may start others in the place of those that they swap out:
     * more pass a barrier then than run at once, but only after a turn of another program. */
    uint64_t ns;
};

struct cb_occupancy_probe {
    void *self;
    /* Runs a barrier across `groups` workgroups: CB_OK it passed; CB_TIMEOUT it deadlocked;
     * anything else ends the search. */
    enum cb_status (*barrier)(void *self, uint64_t groups, struct cb_occupancy_meeting *meeting,
                              struct cb_err *err);
    uint64_t guess; /* the bound of another kernel on this device, tried first; 0: none is known */
};

struct cb_occupancy {
    uint64_t bound;
    unsigned probes;    /* barriers tried */
    unsigned deadlocks; /* probes that deadlocked */
    unsigned late;      /* probes that passed so late that workgroups may have been swapped */
    /* One workgroup more was tried often, and never deadlocked, but passed late each time: because
     * workgroups were swapped, or because it takes so long. The bound is at least this one. */
    bool more_pass_late;
    /* The shortest pass of one workgroup, if even that took as long as a turn of another program:
     * what others take at every look is not told from what the kernel takes. 0: it was short. */
    uint64_t one_ns;
};

/* Doubling, then bisection, without a fixed cap: up to `limit` workgroups (more cannot be
 * launched). A deadlock tells how many workgroups were there, a good guess that is tried before the
 * middle. The result is confirmed: N passes `confirmations` more times and N + 1 deadlocks again,
 * but for a guess that turns out right: there N + 1 deadlocks once. A wrong guess costs a barrier.
 * What passes only by being swapped does not run at once, and is not in the bound; a number that
 * passes late is tried again, and most often where the bound rests on it.
 * CB_UNSUPPORTED: even `limit` passes, there is no bound to find. CB_ERROR: results contradict each
 * other in three searches (a loaded machine misses deadlines: use a longer one). */
enum cb_status cb_occupancy_search(const struct cb_occupancy_probe *probe, uint64_t limit,
                                   unsigned confirmations, struct cb_occupancy *out,
                                   struct cb_err *err);
