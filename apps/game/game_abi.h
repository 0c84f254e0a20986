/* SPDX-License-Identifier: Apache-2.0
 *
 * The game tree in memory.
 */
#pragma once
#include "types.h"

#define GAME_BIAS 32768 /* makes a value positive; 0 then means that there is none yet */

typedef struct {
    cb_u64 mover, all; /* the position, as in board_abi.h */
    cb_u32 parent;
    cb_u32 pending; /* children, or tasks, whose value is not known */
    cb_u32 best;    /* value so far, + GAME_BIAS */
    cb_u32 place;   /* plies since the root << 8 | column of the last move */
} game_node;

/* Tasks of a workgroup; a power of two. It leaves at most 6 a ply behind it, 49 at the last. */
#define CB_DEQUE_ROOM 128u

/* The words of the whole search. */
#define GAME_USED   0u /* nodes */
#define GAME_DONE   32u
#define GAME_VALUES 64u /* of the seven root moves, + GAME_BIAS */
#define GAME_WORDS  96u

static inline cb_u32 game_digest(cb_u32 column, cb_u32 biased)
{
    return (column * 2654435761u + 1u) * biased;
}
