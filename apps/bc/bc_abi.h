/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

#define BC_SIZES  3u  /* of the level that is read, of the one that is written, of the next */
#define BC_LINE   32u /* words between them */
#define BC_VALUES 2u  /* four words each, of every vertex: its paths, its share (number.clh) */

#define BC_MOST_VERTICES 0x7fffffffu
#define BC_MOST_EDGES    0xffefffffu /* work-items look at places some after the last */

/* What a source adds to the fingerprint of a vertex that it reaches: its level, and how many
 * shortest paths lead to it, modulo 2^32. */
static inline cb_u32 bc_fingerprint(cb_u32 source, cb_u32 level, cb_u32 paths)
{
    return (paths * 2654435761u + level + 1u) * (2u * source + 1u);
}

/* What the digest of a run adds up over the vertices. */
static inline cb_u32 bc_digest(cb_u32 vertex, cb_u32 fingerprint, cb_u32 centrality_bits)
{
    return (vertex * 2654435761u + 1u) * (fingerprint + 1u + centrality_bits * 2246822519u);
}
