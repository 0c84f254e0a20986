/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that a plan needs, built on all cores before the run.
 */
#pragma once

#include "cli/suite/global_params.h"
#include "measure/process/supervisor.h"

/* Finds out whether built kernels can be kept, and if so, builds those that the plan needs and that
 * are not there (measure/process/ahead.h). Tells of both on standard error, as the global options
 * say. */
void cb_suite_build_ahead(const struct cb_run_options *options,
                          const struct cb_supervisor *supervisor, const struct cb_plan *plan,
                          const struct cb_devices *devices);
