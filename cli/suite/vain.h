/* SPDX-License-Identifier: Apache-2.0
 *
 * Options of the command line that were given in vain.
 */
#pragma once

#include "cli/suite/suite.h"
#include "measure/bench.h"
#include "runtime/device.h"

/* Says on standard error which options of the command line change nothing: without them, the plan
 * would be the same. With --quiet, it says nothing. Those of a configuration, and
 * those that come with --filter or --exclude, may mean other cases. */
void cb_tell_vain_options(const struct cb_suite *suite, const struct cb_devices *devices,
                          const struct cb_plan *plan);
