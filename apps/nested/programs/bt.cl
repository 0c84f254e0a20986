/* SPDX-License-Identifier: Apache-2.0
 *
 * bt: tessellation of Bezier lines (KLAP'16 Table I). A line is a parent. It finds how many points
 * it needs, takes memory for them, and its child has a work-item for each of them. others: three
 * control points of each line, T and C; n: words in all.
 */
#include "bt_abi.h"
#include "nest.clh"

static inline float bt_length(float x, float y)
{
    return sqrt(x * x + y * y);
}

/* Flat lines need few points. Ends that meet make an infinite curvature. */
static inline uint nest_parent(const nest_input in, uint parent)
{
    const global uint *controls = in.others + BT_CONTROLS * parent;
    const float x0 = as_float(controls[0]), y0 = as_float(controls[1]);
    const float x1 = as_float(controls[2]), y1 = as_float(controls[3]);
    const float x2 = as_float(controls[4]), y2 = as_float(controls[5]);
    const float height = bt_length(x1 - 0.5f * (x0 + x2), y1 - 0.5f * (y0 + y2));
    const float curvature = height / bt_length(x2 - x0, y2 - y0);
    const uint most = in.others[BT_T(in.parents)];
    const float wanted = curvature * (float)in.others[BT_C(in.parents)];
    const uint points = wanted < (float)most ? (uint)wanted : most;
    in.words[BT_POINTS(parent)] = points > BT_LEAST ? points : BT_LEAST;
    return in.words[BT_POINTS(parent)];
}

#define NEST_ROOM(items) BT_ROOM_OF(items)
static inline void nest_give_room(const nest_input in, uint parent, uint at)
{
    const uint room = BT_ROOM_OF(in.words[BT_POINTS(parent)]);
    in.words[BT_AT(parent)] = at <= in.n && room <= in.n - at ? at : 0;
}

static inline void nest_child(const nest_input in, uint parent, uint item, uint items)
{
    const global uint *controls = in.others + BT_CONTROLS * parent;
    const float u = (float)item / (float)(items - 1), v = 1.0f - u;
    const float of0 = v * v, of1 = 2.0f * u * v, of2 = u * u;
    const uint at = in.words[BT_AT(parent)];
    if (at == 0)
        return;
    for (uint axis = 0; axis < BT_POINT; axis++) {
        const float x0 = as_float(controls[axis]), x1 = as_float(controls[2 + axis]),
                    x2 = as_float(controls[4 + axis]);
        in.words[at + BT_POINT * item + axis] = as_uint(of0 * x0 + of1 * x1 + of2 * x2);
    }
}

#include "nest_run.clh"
