/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a quadtree is (qt.clh, qt.c).
 */
#pragma once
#include "kernels/types.h"

#define QT_MOST_DEPTH 20u /* edges from the root to a leaf that may be asked for */
#define QT_LEAST      2u  /* points of a node that is split */

/* A node: the corner of its square with the smallest coordinates, as floats; edges to the root, so
 * the square's side is 2^-level; its points' place in the order of points of its level; points of
 * its quadrants, and their nodes (0: it has none). Quadrants 1 and 3 are those with larger x, 2 and
 * 3 those with larger y. And of nodes that are split, which parent of its level it is, from 1 on
 * (0: it is not split); in children that launch, how many workgroups of its child have ended in
 * each phase. */
enum {
    QT_X,
    QT_Y,
    QT_LEVEL,
    QT_BEGIN,
    QT_POINTS,
    QT_COUNTS,
    QT_CHILDREN = QT_COUNTS + 4,
    QT_PARENT = QT_CHILDREN + 4,
    QT_ENDED,
    QT_NODE_WORDS = QT_ENDED + 2
};

/* words: nodes in use; of each level, the nodes to be split. Then these themselves, of which there
 * is room for `parents` on each level; the order of points on even and on odd
 * levels; the quadrant of each (lower two bits) and its place there; the nodes, of which the root
 * is the first. */
#define QT_USED                     0u
#define QT_SPLITS(level)            (1u + (level))
#define QT_LIST(parents, level)     (2u + QT_MOST_DEPTH + (level) * (parents))
#define QT_ORDER(parents, n, level) (QT_LIST(parents, QT_MOST_DEPTH) + (level) % 2u * (n))
#define QT_PLACES(parents, n)       (QT_ORDER(parents, n, 0u) + 2u * (n))
#define QT_NODE(parents, n, node)   (QT_PLACES(parents, n) + (n) + QT_NODE_WORDS * (node))

/* others: coordinates of all points, then the number of nodes for which there is room, and of edges
 * from the root to a leaf, at most. */
#define QT_ROOM(n)   (2u * (n))
#define QT_DEPTH(n)  (2u * (n) + 1u)
#define QT_OTHERS(n) (2u * (n) + 2u)
