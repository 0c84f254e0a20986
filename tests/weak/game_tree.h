/* SPDX-License-Identifier: Apache-2.0
 *
 * A tree whose values come at the same time, for game.c and game_example.c: the root has nodes 1
 * and 2, and 1 has 3 and 4.
 */
#pragma once

static const game_node tree[] = {{.pending = 2},
                                 {.parent = 0, .pending = 2},
                                 {.parent = 0, .place = 1},
                                 {.parent = 1},
                                 {.parent = 1}};

/* Its leaves and their values: the root gets 5 by either move. */
#define LEAVES 3u
static const uint leaves[LEAVES] = {3, 4, 2};
static const int values[LEAVES] = {9, 5, -5};

static inline uint digest_of_tree(void)
{
    return game_digest(0, GAME_BIAS + 5) + game_digest(1, GAME_BIAS + 5);
}
