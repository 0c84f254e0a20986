/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact predicates of points with coordinates from 0 to DMR_SIDE, in integers of 128 bits. The
 * kernel has its own (predicates.clh).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cb_dmr_point {
    int32_t x, y;
};

/* Twice the area of a triangle; positive: its corners are counterclockwise. */
int64_t cb_dmr_area(const struct cb_dmr_point *a, const struct cb_dmr_point *b,
                    const struct cb_dmr_point *c);

/* Whether p is inside the circle through the corners of a counterclockwise triangle, not on it. */
bool cb_dmr_in_circle(const struct cb_dmr_point *a, const struct cb_dmr_point *b,
                      const struct cb_dmr_point *c, const struct cb_dmr_point *p);

/* Whether one of its angles is below 30 degrees. */
bool cb_dmr_is_skinny(const struct cb_dmr_point *a, const struct cb_dmr_point *b,
                      const struct cb_dmr_point *c);

/* Whether one of its edges is shorter than DMR_SHORTEST. */
bool cb_dmr_is_small(const struct cb_dmr_point *a, const struct cb_dmr_point *b,
                     const struct cb_dmr_point *c);
