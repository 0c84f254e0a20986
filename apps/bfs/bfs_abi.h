/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

#define BFS_MORE      0x80000000u /* in the last word of a vertex' first quad: it has more */
#define BFS_UNREACHED 0xffffffffu

/* A graph without a vertex of more edges is even: its frontiers are shared out by vertices. Those
 * of other graphs are shared out by quads, in chunks. */
#define BFS_EVEN  16u
#define BFS_CHUNK 1024u

/* Records of frontiers: the one that is read, the one that is written, the one that is cleared;
 * words of each: vertices, quads, level. */
#define BFS_FRONTIERS 3u
#define BFS_LINE      32u

/* What the digest of a run adds up over the vertices. */
static inline cb_u32 bfs_digest(cb_u32 vertex, cb_u32 level)
{
    return (vertex * 2654435761u + 1u) * (level + 1u);
}
