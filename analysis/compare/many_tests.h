/* SPDX-License-Identifier: Apache-2.0
 *
 * The correction of many tests by Benjamini and Hochberg (J. R. Stat. Soc. B 57, 1995), and by Holm
 * (Scand. J. Stat. 6, 1979).
 */
#pragma once

#include <stddef.h>

/* Replaces n p values by adjusted ones: to call those below alpha findings keeps the share of false
 * ones among all findings below alpha (false discovery rate). If nothing has changed at all, the
 * chance of any finding is below alpha, too. Returns 0, or -1 if there is no memory. */
int cb_adjust_p(double *p, size_t n);

/* Adjusts p by Holm: the chance of any false finding is below alpha, however many true ones there
 * are. For findings that each stand for themselves, as that a device is slow. */
int cb_adjust_p_holm(double *p, size_t n);
