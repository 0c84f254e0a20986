/* SPDX-License-Identifier: Apache-2.0
 *
 * The exact test of Mann and Whitney (Ann. Math. Stat. 18, 1947).
 */
#pragma once

#include <stddef.h>

#define CB_RANKS_MOST 100 /* values of a series: more are as good as none in a history */

/* The probability, two-sided, that two series of the same distribution lie as far apart in their
 * common order as these. Ties count half. O(a b), and O(a^2 b) for the first of these sizes. Not
 * for several threads. NaN: no memory. */
double cb_ranks_p(const double *a, size_t n_a, const double *b, size_t n_b);
