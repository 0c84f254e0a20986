/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs are in the order of their starts, which clocks tell that may be wrong.
 */
#pragma once

#include <stdio.h>

#include "analysis/history/history.h"

/* Prints a warning for runs (the first five) that may be in a wrong place: they do not tell when
 * they started, did so in the future or long before there was a coopbench, or ended before. */
void cb_history_warn_of_clocks(FILE *out, const struct cb_history *history);
