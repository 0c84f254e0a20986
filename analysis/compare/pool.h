/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers of one comparison: baselines pooled, change, test.
 */
#pragma once

#include "analysis/compare/compare.h"

/* Fills the row (base, now, evidence, p, method) from the same metric of n baselines and the
 * run. Returns false if there is no memory. */
bool cb_pool(struct cb_comparison *row, struct cb_measurement *const *baselines, int n,
             const struct cb_measurement *now, const struct cb_compare_rules *rules);
