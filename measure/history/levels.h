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
    double inverses;   /* of how many each has kept, together */
    double difference; /* of the trimmed means */
    double squares;    /* of the distances from the means, of both */
    double ranks;      /* p of their test; NaN: not made yet */
};

/* Of parts of at most CB_LEVEL_MOST values, which have to outlive it. */
struct cb_levels cb_levels_of(const double *a, size_t n_a, const double *b, size_t n_b);

/* The probability, two-sided, of such a difference between parts of the same level, times `places`
 * where it could have been. It is the larger of two. A test of their trimmed means by Student's t
 * (Yuen, Biometrika 61, 1974, with one variance for both; Hunter, Fleming et al., ICPE'23, has the
 * test of the means), whose variance is larger where values follow the one before; it can tell
 * three values from three. And that of the ranks, as far as so few values can tell, because a few
 * values that stray would fool the other. NaN: no memory. */
double cb_levels_p(struct cb_levels *levels, double persistence, size_t places);

/* The same by the means alone, as if no value followed another: for parts in which there may be
 * more changes, which make values follow each other. */
double cb_levels_weak_p(const double *a, size_t n_a, const double *b, size_t n_b);

/* How much of a value's distance from the mean of its level the next one has, of all levels of a
 * series together. Zero at first. */
struct cb_persistence {
    double squares, products; /* of the distances */
    size_t n, parts;
};

struct cb_persistence cb_persistence_within(const double *level, size_t n);
void cb_persistence_add(struct cb_persistence *persistence, const struct cb_persistence *more);

/* As much as it may well be: from 0 to 0.9. */
double cb_persistence_of(const struct cb_persistence *persistence);
