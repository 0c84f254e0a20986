/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/throttle/control.h"

#include <math.h>

#define LEAST_SLOPE_W 1e-3
#define MOST_CHANGE   2 /* change of the slope at once: a measured power has its noise */

/* What a workgroup more draws: at first as if all were alike, then by the last change. */
static void learn(struct cb_throttle_control *c, unsigned groups, double watts)
{
    double slope = (watts - (isnan(c->idle_w) ? 0 : c->idle_w)) / groups;
    if (c->begun) {
        bool changed = groups != c->last_groups;
        slope = changed ? (watts - c->last_w) / ((double)groups - c->last_groups) : c->slope_w;
        slope = fmin(fmax(slope, c->slope_w / MOST_CHANGE), c->slope_w * MOST_CHANGE);
    }
    c->begun = true;
    c->slope_w = fmax(slope, LEAST_SLOPE_W);
    c->last_w = watts;
    c->last_groups = groups;
}

/* Down by all that seem too many, one at least; up by half of those that there seems to be room
 * for, so that it comes from below and stays there. */
unsigned cb_throttle_control(struct cb_throttle_control *c, unsigned groups, double watts)
{
    learn(c, groups, watts);
    double room = (c->cap_w * (1 - CB_THROTTLE_MARGIN) - watts) / c->slope_w;
    double step = 0;
    if (watts > c->cap_w)
        step = fmin(floor(room), -1);
    else if (room >= 1)
        step = fmax(1, floor(room / 2));
    return (unsigned)fmin(fmax(1, groups + step), c->most);
}
