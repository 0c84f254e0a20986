/* SPDX-License-Identifier: Apache-2.0
 *
 * The mesh in memory. Coordinates are integers from 0 to DMR_SIDE, the square's side. A triangle
 * has four words of corners, of which three are numbers of points, counterclockwise, and four of
 * links. Edge 4 * t + e goes from corner e of triangle t to the next one; its link is the edge on
 * the other side, which goes back, or DMR_BORDER on the square's border.
 */
#pragma once
#include "types.h"

#define DMR_SIDE   (1 << 28)
#define DMR_BORDER 0xffffffffu

/* A triangle is bad if it has an angle below 30 degrees and no edge shorter than this. */
#define DMR_SHORTEST 16

/* A slice is a part of a list whose triangles are refined together, each in a room of its own. It
 * has at most DMR_SLICE of them, and at most DMR_SHARE for each workgroup. A triangle whose cavity
 * does not fit into a room, of DMR_CAVITY triangles at most, is put aside. DMR_ASIDE of these at
 * most have a turn of their own, in which they share the large rooms: for as many triangles as
 * there can be. */
#define DMR_SLICE      16384u
#define DMR_SHARE      256u
#define DMR_CAVITY     30u
#define DMR_ASIDE      128u
#define DMR_HEAD_WORDS 14u
/* Two for each of n triangles, and for each of n + 2 edges around them, and where the last ends. */
#define DMR_ROOM_WORDS(n)  (DMR_HEAD_WORDS + 4u * (n) + 6u)
#define DMR_LARGE_WORDS(n) (4u * (n) + DMR_ASIDE * DMR_ROOM_WORDS(0u))

/* Words, DMR_LINE apart. */
#define DMR_LINE 32u
/* Size of the list that is read, written, cleared. */
#define DMR_SIZE(pass)    ((pass) % 3u * DMR_LINE)
#define DMR_POINTS        (3u * DMR_LINE)
#define DMR_TRIANGLES     (4u * DMR_LINE)
#define DMR_STOP          (5u * DMR_LINE)                 /* why nothing more is refined, or 0 */
#define DMR_PENDING(turn) ((6u + (turn) % 3u) * DMR_LINE) /* 1: a step needs another phase */
#define DMR_ASIDES        (9u * DMR_LINE)                 /* how many, and which triangles */
#define DMR_WORDS         (DMR_ASIDES + 1u + DMR_ASIDE)

/* What paper.cl has: a triangle that has been replaced stays where it is, and the fourth word of
 * its corners tells. A work-item has a room for its cavity, and there is one large room, which a
 * word says is taken. */
#define DMR_BAD              1u
#define DMR_GONE             2u
#define DMR_PAPER_CAVITY     62u
#define DMR_PAPER_HEAD_WORDS 7u
#define DMR_PAPER_ITEMS      1024u /* of a workgroup: more have nothing to do */
/* One for each of n triangles, and of n + 2 edges around them. */
#define DMR_PAPER_ROOM_WORDS(n) (DMR_PAPER_HEAD_WORDS + 2u * (n) + 2u)
#define DMR_TAKEN               DMR_ASIDES

#define DMR_FULL   1u /* there was no room for new triangles */
#define DMR_BROKEN 2u /* the mesh is broken */

/* What a run adds up: twice the area of all triangles, how many are bad, and what is missing in
 * Euler's formula, each modulo 2^32. */
static inline cb_u32 dmr_digest(cb_u32 area, cb_u32 bad, cb_u32 missing)
{
    return area + 0x9e3779b1u * bad + 0x85ebca6bu * missing;
}

/* Digest of a run in which nothing is wrong; 1 distinguishes it from no run: DMR_SIDE^2 is a
 * multiple of 2^32. */
#define DMR_RIGHT 1u
