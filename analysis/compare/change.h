/* SPDX-License-Identifier: Apache-2.0
 *
 * How much a median has changed.
 */
#pragma once

#include <stddef.h>

/* One side of a comparison. */
struct cb_side {
    size_t n;
    double median;
    double low, high;      /* 95 % confidence interval of the median; NaN: too few samples */
    const double *samples; /* NULL: only the summary is known */
};

/* Relative: 0.12 is 12 % more. From a median of 0: 0 if there is no change, else infinite. */
struct cb_change {
    double estimate;
    double low, high; /* 95 % confidence interval; NaN if one side has none */
};

/* The interval is made of the intervals of both medians (method of variance estimates recovery,
 * Donner and Zou, Stat. Methods Med. Res. 21, 2012), on a logarithmic scale if all are positive. It
 * needs no samples, and no assumption about their distribution. */
struct cb_change cb_change_of(const struct cb_side *from, const struct cb_side *to);

/* The p of no change that an estimate and its interval correspond to, if the estimate is normally
 * distributed: for sides without samples. */
double cb_change_p(const struct cb_change *change);
