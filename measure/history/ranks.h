/* SPDX-License-Identifier: Apache-2.0
 *
 * The exact test of Mann and Whitney (Ann. Math. Stat. 18, 1947).
 */
#pragma once

#include <stddef.h>

/* The probability, two-sided, that two series of the same distribution lie as far apart in their
 * common order as these. Ties count half. At most 100 values each: more are as good as none in a
 * history, and the time is O(a^2 b). NaN: no memory. */
double cb_ranks_p(const double *a, size_t n_a, const double *b, size_t n_b);
