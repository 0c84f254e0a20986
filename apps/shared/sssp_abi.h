/* SPDX-License-Identifier: Apache-2.0
 *
 * What the apps of shortest paths share, host and kernels: the word of a vertex, which holds its
 * distance and whether anything is to be done for it, and the records that its edges lie in.
 */
#pragma once
#include "types.h"

/* A word is twice the distance, plus SSSP_CHANGED if the edges of the vertex are still to be
 * relaxed with it. So one atomic minimum changes both, and tells what they were; a distance that is
 * not smaller changes nothing. */
#define SSSP_CHANGED   1u
#define SSSP_FARTHEST  0x7ffffffeu /* the largest distance that a word can hold */
#define SSSP_UNREACHED 0xfffffffeu /* word of a vertex that no path has reached */
#define SSSP_NOTHING   0xffffffffu /* larger than any word */

/* A record has four edges: four columns and four weights, 32 bytes. Record v holds the first edges
 * of vertex v, rows[v] says which others hold the rest and how many. This is the most records. */
#define SSSP_RECORDS 0x7fffffffu
#define SSSP_NO_EDGE 0x7fffffffu /* weight of no edge */
#define SSSP_MORE    0x80000000u /* bit of the last weight of record v: rows[v] has others */
/* Bit of a column: that vertex has more than SSSP_FEW other records. */
#define SSSP_HUB 0x80000000u
#define SSSP_FEW 4u

/* The forms of the authors (sssp_csr.h) have so many sizes of lists, or flags of rounds. */
#define SSSP_SIZES 3u
#define SSSP_LINE  32u /* words between sizes */

static inline cb_u32 sssp_distance(cb_u32 word)
{
    return word >> 1;
}

/* What a vertex adds to the digest of a run: of its word, only the distance counts. */
static inline cb_u32 sssp_digest(cb_u32 vertex, cb_u32 word)
{
    return (vertex * 2654435761u + 1u) * (sssp_distance(word) + 1u);
}
