/* SPDX-License-Identifier: Apache-2.0
 *
 * The game tree in memory: nodes, and for each workgroup a pool of those that it has still to look
 * at.
 */
#pragma once
#include "mutex_abi.h"
#include "types.h"

#define GAME_BIAS 32768 /* makes a value positive; 0 then means that there is none yet */

typedef struct {
    cb_u64 mover, all; /* the position, as in board_abi.h */
    cb_u32 parent;
    cb_u32 pending; /* children whose value is not known */
    cb_u32 best;    /* value so far, + GAME_BIAS */
    cb_u32 place;   /* plies since the root << 8 | column of the last move */
} game_node;

#define GAME_POOL_ROOM                                                                             \
    128u /* nodes; a power of two. A workgroup leaves at most 6 a ply behind it */
#define GAME_POOL_HEAD  CB_MUTEX_WORDS(0u)
#define GAME_POOL_TAIL  (GAME_POOL_HEAD + 1u)
#define GAME_POOL_NODES (GAME_POOL_HEAD + CB_LINE_WORDS)
#define GAME_POOL_WORDS (GAME_POOL_NODES + GAME_POOL_ROOM)

/* The words of the whole search. */
#define GAME_USED   0u /* nodes */
#define GAME_DONE   32u
#define GAME_VALUES 64u /* of the seven root moves, + GAME_BIAS */
#define GAME_WORDS  96u

static inline cb_u32 game_digest(cb_u32 column, cb_u32 biased)
{
    return (column * 2654435761u + 1u) * biased;
}
