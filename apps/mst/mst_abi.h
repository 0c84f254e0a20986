/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "apps/shared/priority_abi.h"
#include "types.h"

/* An edge is four words: its ends, its number, its weight. Numbers count from 0. */

#define MST_NO_KEY 0xffffffffffffffffull /* no key is larger */
/* Records of counts: the one that is written, the one that is cleared, the last. */
#define MST_RECORDS 3u
#define MST_LINE    32u /* words between them */

/* What paper.cl has: an edge's number where there is no edge, and words, MST_LINE apart: a sum, a
 * count, and three flags in turns. */
#define MST_NO_EDGE     0xffffffffu
#define MST_WEIGHT      0u /* of the edges that have joined the forest, modulo 2^32 */
#define MST_JOINED      MST_LINE
#define MST_AGAIN(pass) ((2u + (pass) % 3u) * MST_LINE) /* 1: an edge has to be tried again */
#define MST_WORDS       (5u * MST_LINE)

/* Edges are taken in the order of their keys, no two of which are equal: by weight, those of one
 * weight by a hash of their number, one to one. By the number itself, all edges of a grid of equal
 * weights would lead to the same corner, and one round would do what is meant to take many. */
static inline cb_u64 mst_key(cb_u32 number, cb_u32 weight)
{
    return (cb_u64)weight << 32 | priority_of(number);
}

/* What the digest of a run adds up over the words of the forest, a bit for each edge. */
static inline cb_u32 mst_digest(cb_u32 word, cb_u32 bits)
{
    return (word * 2654435761u + 1u) * (priority_of(bits) + 1u);
}
