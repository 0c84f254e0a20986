/* SPDX-License-Identifier: Apache-2.0
 *
 * What mstf and mstv (mst.cl) have in their arrays, for V vertices and n edges, each direction
 * counted.
 *
 *     others   of each edge where it goes; its weight; its twin, the edge that leads back
 *     words    of each vertex the arrays below; of each edge whether it is in the forest; then
 *              the forest's edges and their weight, of two words, the lower one first
 *
 * Of an edge and its twin the lower number is that of both.
 */
#pragma once
#include "kernels/types.h"

#define MST_NONE 0xffffffffu

#define MST_COMPONENT 0u /* its root, a vertex */
#define MST_LINK      1u /* a root's link: the root that it was hooked to, or itself */
#define MST_BEST      2u /* a root's lowest weight of an edge to another component */
#define MST_EDGE      3u /* a root's lowest-numbered such edge; MST_NONE: no edge */
#define MST_ARRAYS    4u

#define MST_SUMS 3u /* words */

static inline cb_u32 mst_forest(cb_u32 vertices)
{
    return MST_ARRAYS * vertices;
}

static inline cb_u32 mst_sums(cb_u32 vertices, cb_u32 n)
{
    return mst_forest(vertices) + n;
}
