/* SPDX-License-Identifier: Apache-2.0
 *
 * qt: a quadtree (KLAP'16 Table I). A lap makes a level. Parents are the nodes that are split, and
 * their children have a work-item for each point: first it counts the points of the quadrants and
 * takes a place in one, then it moves there. In between a parent makes its quadrants' nodes.
 * begins: nothing; n: points.
 */
#include "nest.clh"
#include "qt_abi.h"

/* Phases. */
#define QT_COUNTING 0
#define QT_MOVING   1

static inline uint qt_add(const nest_input in, uint at, uint value)
{
    return atomic_add((volatile global uint *)in.words + at, value);
}

static inline global uint *qt_node(const nest_input in, uint node)
{
    return in.words + QT_NODE(in.parents, in.n, node);
}

static inline global uint *qt_node_of(const nest_input in, uint parent)
{
    return qt_node(in, in.words[QT_LIST(in.parents, in.lap) + parent]);
}

/* In the next lap. Without room the node has no children, which the check finds. */
static inline void qt_list(const nest_input in, uint node)
{
    const uint at = qt_add(in, QT_SPLITS(in.lap + 1), 1);
    if (at < in.parents)
        in.words[QT_LIST(in.parents, in.lap + 1) + at] = node;
    *in.flag = 1;
}

static inline float qt_half(const global uint *node)
{
    return 0.5f / (float)(1u << node[QT_LEVEL]);
}

static inline void qt_make_child(const nest_input in, global uint *of, uint quadrant, uint begin)
{
    const uint child = qt_add(in, QT_USED, 1);
    const float half_side = qt_half(of);
    if (child >= in.others[QT_ROOM(in.n)])
        return;
    global uint *node = qt_node(in, child);
    of[QT_CHILDREN + quadrant] = child;
    node[QT_X] = as_uint(as_float(of[QT_X]) + (quadrant % 2 ? half_side : 0.0f));
    node[QT_Y] = as_uint(as_float(of[QT_Y]) + (quadrant / 2 ? half_side : 0.0f));
    node[QT_LEVEL] = of[QT_LEVEL] + 1;
    node[QT_BEGIN] = begin;
    node[QT_POINTS] = of[QT_COUNTS + quadrant];
    if (node[QT_POINTS] >= QT_LEAST && node[QT_LEVEL] < QT_DEPTH)
        qt_list(in, child);
}

static inline uint nest_parent(const nest_input in, uint parent)
{
    if (in.lap >= QT_DEPTH || parent >= in.words[QT_SPLITS(in.lap)])
        return 0;
    global uint *node = qt_node_of(in, parent);
    uint begin = node[QT_BEGIN];
    for (uint quadrant = 0; in.phase == QT_MOVING && quadrant < 4; quadrant++) {
        if (node[QT_COUNTS + quadrant] > 0)
            qt_make_child(in, node, quadrant, begin);
        begin += node[QT_COUNTS + quadrant];
    }
    return node[QT_POINTS];
}

static inline void qt_count(const nest_input in, const global uint *node, uint point, uint at)
{
    const float x = as_float(in.others[2 * point]), y = as_float(in.others[2 * point + 1]);
    const uint quadrant = (x >= as_float(node[QT_X]) + qt_half(node) ? 1u : 0u) +
                          (y >= as_float(node[QT_Y]) + qt_half(node) ? 2u : 0u);
    const uint counts = (uint)(node - in.words) + QT_COUNTS;
    in.words[QT_PLACES(in.parents, in.n) + at] = qt_add(in, counts + quadrant, 1) << 2 | quadrant;
}

static inline void qt_move(const nest_input in, const global uint *node, uint point, uint at)
{
    const uint place = in.words[QT_PLACES(in.parents, in.n) + at];
    uint to = node[QT_BEGIN] + (place >> 2);
    for (uint quadrant = 0; quadrant < place % 4; quadrant++)
        to += node[QT_COUNTS + quadrant];
    in.words[QT_ORDER(in.parents, in.n, in.lap + 1) + to] = point;
}

static inline void nest_child(const nest_input in, uint parent, uint item, uint items)
{
    const global uint *node = qt_node_of(in, parent);
    const uint at = node[QT_BEGIN] + item;
    const uint point = in.words[QT_ORDER(in.parents, in.n, in.lap) + at];
    (void)items;
    if (in.phase == QT_COUNTING)
        qt_count(in, node, point, at);
    else
        qt_move(in, node, point, at);
}

#include "nest_run.clh"
