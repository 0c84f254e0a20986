/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases and metrics of runs are looked at.
 */
#pragma once

#include "analysis/compare/run_table.h"
#include "measure/field.h"

/* Globs of case ids and of metrics; without any of a list all fit, or none is excluded. */
struct cb_compare_choice_options {
    struct cb_texts filters, excludes, metrics;
};

bool cb_compare_wants_case(const struct cb_compare_choice_options *choice, const char *id);

enum cb_wanted {
    CB_WANTED,
    CB_UNWANTED,   /* --metric asks for others */
    CB_DERIVED,    /* the case has it in another unit; --metric asks for it all the same */
    CB_UNDIRECTED, /* neither way is better */
};

enum cb_wanted cb_compare_wants_metric(const struct cb_compare_choice_options *choice,
                                       const struct cb_run_case *c, const struct cb_measurement *m);

/* Whether the choice leaves anything out. */
bool cb_compare_chooses(const struct cb_compare_choice_options *choice);

/* Says that no case of the runs has a value to judge, of which so many would, had others not used
 * the device. CB_USAGE: of those that the choice leaves; CB_UNSUPPORTED: of all. */
enum cb_status cb_compare_nothing(const struct cb_compare_choice_options *choice, int disturbed,
                                  struct cb_err *err);
