/* SPDX-License-Identifier: Apache-2.0
 *
 * What every measuring command ends in: devices chosen, cases planned, run, written and reported.
 */
#pragma once

#include "cli/suite/global_params.h"
#include "measure/config.h"
#include "measure/param.h"

struct cb_suite {
    const struct cb_config_entry *entries;
    int count;
    const cJSON *settings;   /* global options of a configuration; NULL: none */
    const cJSON *globals;    /* global options of the command line */
    const char *config_path; /* NULL: none */
    char **argv;             /* for the record */
    int argc;
};

/* Runs the suite. Returns the exit code; an error that kept it from running is in err. */
int cb_suite_run(const struct cb_suite *suite, struct cb_err *err);

/* Exit code of a failure that is not a row. */
int cb_exit_code_of(enum cb_status status);

/* A supervisor set up from global options (with defaults). */
struct cb_supervisor;
struct cb_supervisor *cb_suite_supervisor(const struct cb_run_options *options, struct cb_err *err);
