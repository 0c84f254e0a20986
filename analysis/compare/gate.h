/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a comparison could have shown a change at all: else a gate in CI is off.
 */
#pragma once

#include "analysis/compare/compare.h"

/* Whether no comparison could have shown a change, so that a gate in CI that relies on it is open
 * whatever happens. text: why, and what to do next. */
bool cb_compare_gate_is_off(const struct cb_comparisons *comparisons,
                            const struct cb_compare_rules *rules, char *text, size_t size);
