/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of `coopbench compare`, read.
 */
#pragma once

#include "cli/options.h"
#include "measure/compare/compare.h"

extern const struct cb_param cb_compare_params[];

/* Thresholds, alpha and what is allowed. CB_USAGE: a threshold that is none. */
enum cb_status cb_compare_rules_read(const cJSON *options, struct cb_compare_rules *rules,
                                     struct cb_err *err);
void cb_compare_rules_free(struct cb_compare_rules *rules);

/* Whether --json, --csv or --markdown go to standard output, so that nothing else does. */
bool cb_compare_takes_stdout(const cJSON *options);
