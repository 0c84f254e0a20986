/* SPDX-License-Identifier: Apache-2.0
 *
 * The place where a series splits best, by E-Divisive means (Matteson and James, J. Am. Stat.
 * Assoc. 109, 2014): the two sides' values differ most from each other, for how much they differ
 * among themselves.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Values [at, end) differ most from those before: either side has at least `least` of them. The
 * later side may end before the series does, so that a change which is taken back is seen, too. */
struct cb_split {
    size_t at, end;
    double energy; /* how much they differ, the paper's q; 0: not at all */
};

/* Splits n values. False: fewer than 2 * least, or no memory. O(n^2). */
bool cb_divisive_split(const double *values, size_t n, size_t least, struct cb_split *best);
