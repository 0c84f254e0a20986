/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases and metrics of runs are looked at.
 */
#pragma once

#include "analysis/compare/run_table.h"

/* options: "filter", "exclude" (case ids), "metric": lists of globs; without any of a list all fit,
 * or none is excluded. */
bool cb_compare_wants_case(const cJSON *options, const char *id);

enum cb_wanted {
    CB_WANTED,
    CB_UNWANTED,   /* --metric asks for others */
    CB_DERIVED,    /* the case has it in another unit; --metric asks for it all the same */
    CB_UNDIRECTED, /* neither way is better */
};

enum cb_wanted cb_compare_wants_metric(const cJSON *options, const struct cb_run_case *c,
                                       const struct cb_measurement *m);

/* Whether the options leave anything out. */
bool cb_compare_chooses(const cJSON *options);

/* CB_USAGE: the options leave no case of the runs that has a value to judge. */
enum cb_status cb_compare_nothing(const cJSON *options, struct cb_err *err);
