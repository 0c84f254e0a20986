/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

#define BFS_NARROW    1024u       /* vertices of a frontier in local memory, at most */
#define BFS_MOST      1024u       /* edges of a vertex, if frontiers are to be there */
#define BFS_MORE      0x80000000u /* in the last word of a vertex' quad: it has more */
#define BFS_UNREACHED 0xffffffffu
#define BFS_FRONTIERS                                                                              \
    3u               /* the one that is read, the one that is written, the one that is cleared */
#define BFS_LINE 32u /* words between their records */

/* What the digest of a run adds up over the vertices. */
static inline cb_u32 bfs_digest(cb_u32 vertex, cb_u32 level)
{
    return (vertex * 2654435761u + 1u) * (level + 1u);
}
