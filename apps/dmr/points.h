/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "apps/dmr/mesh.h"
#include "measure/random.h"

#define CB_DMR_INPUTS_HELP                                                                         \
    "POINTS[:uniform|:clustered|:line|:grid][:SEED]: so many points in a square, and how they "    \
    "lie; or a file with x and y of a point in each line"

#define CB_DMR_MAX_POINTS (1u << 24)

/* Makes or reads the points; *points is the caller's to free. They are all different and in the
 * square's interior; a generator leaves out those that fall on others. CB_USAGE: no such input, or
 * a file with fewer than three points, two at one place, or all on one line. */
enum cb_status cb_dmr_points(const char *input, struct cb_dmr_point **points, uint32_t *n,
                             struct cb_err *err);

/* Draws an input with few points. */
void cb_dmr_draw(struct cb_random *random, char *text, size_t size);
