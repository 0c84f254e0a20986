/* SPDX-License-Identifier: Apache-2.0
 *
 * Where lines and their points are (bt.cl, bt.c).
 */
#pragma once
#include "kernels/types.h"

/* A line has from 4 points on, as many as its curvature demands, times a factor: at most T, and the
 * factor is C, in KLAP's T32/C16 and T2048/C64. */
#define BT_LEAST  4u
#define BT_MOST   32u
#define BT_FACTOR 16u

#define BT_CONTROLS 6u /* words of three control points */
#define BT_POINT    2u /* words of a point */

/* others: the control points of all lines, then T and C. */
#define BT_T(lines)      (BT_CONTROLS * (lines))
#define BT_C(lines)      (BT_CONTROLS * (lines) + 1u)
#define BT_OTHERS(lines) (BT_CONTROLS * (lines) + 2u)

/* words: the next free one, then of each line where its points are (0: no room was left), and how
 * many; then the points. */
#define BT_AT(line)        (1u + 2u * (line))
#define BT_POINTS(line)    (2u + 2u * (line))
#define BT_HEAP(lines)     (1u + 2u * (lines))
#define BT_ROOM_OF(points) (BT_POINT * (points))
