/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the metrics that rules name exist: a name that fits none would compare nothing in
 * silence.
 */
#pragma once

#include "analysis/compare/compare.h"

/* CB_USAGE: a glob of --metric or --threshold fits no metric of these run documents, and none that
 * a benchmark of this program has; says which name is near. */
enum cb_status cb_compare_check_names(const cJSON *const *runs, int n,
                                      const struct cb_compare_rules *rules, struct cb_err *err);
