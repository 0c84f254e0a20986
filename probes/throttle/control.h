/* SPDX-License-Identifier: Apache-2.0
 *
 * How many workgroups hold a power cap: a controller that goes by what each of them seems to draw.
 */
#pragma once

#include <stdbool.h>

struct cb_throttle_control {
    double cap_w;
    double idle_w; /* NaN: not known */
    unsigned most; /* workgroups */
    /* what it has learnt; zero at first */
    bool begun;
    double slope_w; /* what a workgroup more draws */
    double last_w;
    unsigned last_groups;
};

/* By how much of the cap it stays below, and a mean power may be above. */
#define CB_THROTTLE_MARGIN    0.01
#define CB_THROTTLE_TOLERANCE 0.02

/* With `groups` workgroups active, the device drew `watts`: how many shall there be next? From 1 to
 * `most`. */
unsigned cb_throttle_control(struct cb_throttle_control *control, unsigned groups, double watts);
