/* SPDX-License-Identifier: Apache-2.0
 *
 * Since which run a case fails.
 */
#pragma once

#include <stdbool.h>

#include "analysis/store/stored_run.h"

struct cb_failing {
    int since, last_ok; /* places of the runs */
    char why[256];      /* status of the last run: "crashed: ..." */
};

/* Whether a case that was ok fails at the end of n runs in order, in more of those that tried it
 * than it failed in a row before; earlier streaks of `least` or more do not count, since they were
 * no chance. Runs without the case, or in which it was skipped or is not supported, tell nothing.
 */
bool cb_case_fails(const struct cb_stored_run *runs, int n, const struct cb_run_case *c, int least,
                   struct cb_failing *failing);
