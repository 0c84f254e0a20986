/* SPDX-License-Identifier: Apache-2.0
 *
 * A case that failed, run again at once: whether it fails again is the first thing to know of it. A
 * failure that comes every time has a cause that does not depend on luck; one that does not come
 * again is a race, or something that others did on the device.
 */
#pragma once

#include "measure/bench.h"

/* How many of a case's runs failed. */
struct cb_selftest_again {
    unsigned failed, runs; /* 0 runs: it was not repeated */
};

/* Runs a case once; one that fails, for the first few of a session, again with the same draws. Then
 * its failure, or err, begins with in how many runs it has. Returns the status of the first run. */
enum cb_status cb_selftest_try(struct cb_session *session, void *state,
                               enum cb_status (*once)(void *state, struct cb_sample *sample,
                                                      struct cb_err *err),
                               struct cb_sample *sample, struct cb_err *err);

/* What the reason of a row says of that. */
struct cb_selftest_again cb_selftest_again_of(const char *reason);
