/* SPDX-License-Identifier: Apache-2.0
 *
 * --rounds and --interleave: a run made of several, each in processes of its own, of one build or
 * of two that take turns.
 */
#pragma once

#include "cli/suite/global_params.h"

/* Whether the global options of a command line ask for rounds. */
bool cb_rounds_wanted(const struct cb_run_options *options);

/* Runs the command argv (from its name on) in rounds and joins them. Returns the exit code; an
 * error that kept it from running is in err. */
int cb_rounds_run(int argc, char **argv, const struct cb_run_options *options, struct cb_err *err);
