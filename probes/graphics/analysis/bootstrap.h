/* SPDX-License-Identifier: Apache-2.0
 *
 * How well a ratio of two sums is known: the bootstrap (Efron and Tibshirani: An Introduction to
 * the Bootstrap, Chapter 13). Parts that were measured one after the other are drawn with
 * repetition.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CB_BOOTSTRAP_PARTS 6 /* with fewer there is no interval */

struct cb_interval {
    double value, lower, upper; /* 95 %; the bounds are NaN where there are too few parts */
};

/* sum(of) / sum(per), n parts of each, n > 0. */
struct cb_interval cb_bootstrap_ratio(const double *of, const double *per, size_t n, uint64_t seed);
