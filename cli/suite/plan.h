/* SPDX-License-Identifier: Apache-2.0
 *
 * From entries and global options to a plan.
 */
#pragma once

#include "cli/suite/suite.h"

/* Global options that hold for an entry (NULL: for the whole suite): command line over entry over
 * settings over defaults. Free them also after a failure. */
enum cb_status cb_suite_options(const struct cb_suite *suite, const struct cb_config_entry *entry,
                                struct cb_run_options *out, struct cb_err *err);
void cb_suite_options_free(struct cb_run_options *options);

/* The cases of all entries on the devices they choose, filtered. CB_USAGE if none is left. */
enum cb_status cb_suite_plan(const struct cb_suite *suite, const struct cb_devices *devices,
                             struct cb_plan *plan, struct cb_err *err);

/* A text for each quick run of a bench in the plan, of what it leaves out; NULL: nothing. */
cJSON *cb_suite_left_out(const struct cb_suite *suite, const struct cb_plan *plan);

bool cb_plan_has(const struct cb_plan *plan, const struct cb_bench *bench);

bool cb_plan_uses(const struct cb_plan *plan, const struct cb_device *device);

/* A line per case, for --dry-run. */
void cb_plan_print(FILE *out, const struct cb_plan *plan);
