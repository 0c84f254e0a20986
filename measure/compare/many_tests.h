/* SPDX-License-Identifier: Apache-2.0
 *
 * The correction of many tests by Benjamini and Hochberg (J. R. Stat. Soc. B 57, 1995).
 */
#pragma once

#include <stddef.h>

/* Replaces n p values by adjusted ones: to call those below alpha findings keeps the share of false
 * ones among all findings below alpha (false discovery rate). If nothing has changed at all, the
 * chance of any finding is below alpha, too. Returns 0, or -1 if there is no memory. */
int cb_adjust_p(double *p, size_t n);
