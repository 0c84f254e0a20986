/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether two neighbouring parts of a series have different levels. Needs no random numbers.
 */
#pragma once

#include <stddef.h>

#define CB_LEVEL_MOST 100 /* values of a part */

/* Two neighbouring parts, and what was found out of them that does not depend on the rest of their
 * series. */
struct cb_levels {
    const double *a, *b;
    size_t n_a, n_b;
    double kept;       /* values, without those that were pulled in, of both */
    double difference; /* difference of the trimmed means */
    double variance;   /* variance of the difference, if no value follows another */
    double ranks;      /* p of their test; NaN: not made yet */
};

/* Compares parts of at most CB_LEVEL_MOST values, which have to outlive it. */
struct cb_levels cb_levels_of(const double *a, size_t n_a, const double *b, size_t n_b);

/* The probability, two-sided, of such a difference between parts of the same level, times `places`
 * where it could have been. A test of their trimmed means by Student's t (Yuen, Biometrika 61,
 * 1974; Hunter, Fleming et al., ICPE'23, has the test of the means), whose variance is that of both
 * parts together, of a part its own if that is larger, and larger where values follow the one
 * before. Unless all values of one lie beyond those of the other, the p of their ranks has to be as
 * small, because a few values that stray would fool the means. NaN: no memory. */
double cb_levels_p(struct cb_levels *levels, double persistence, size_t places);

/* Compares the means alone, as if no value followed another: for parts in which there may be more
 * changes, which make values follow each other. */
double cb_levels_weak_p(const double *a, size_t n_a, const double *b, size_t n_b);

/* How much of a value's distance from the mean of its level the next one has, of all levels of a
 * series together. Zero at first. */
struct cb_persistence {
    double squares, products; /* sums over distances */
    size_t n, parts;
};

struct cb_persistence cb_persistence_within(const double *level, size_t n);
void cb_persistence_add(struct cb_persistence *persistence, const struct cb_persistence *more);

/* Without the bias of short levels, from 0 to 0.9; 0 as well if that may be chance. */
double cb_persistence_of(const struct cb_persistence *persistence);
