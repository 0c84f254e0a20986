/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks the tree that a run has left in memory, node by node, by the plain rules of reference.h:
 * minimax hides at the root most of what goes wrong below it.
 */
#pragma once

#include "apps/game/game_abi.h"
#include "apps/game/reference.h"

struct cb_game_tree {
    const game_node *nodes;
    uint32_t used;             /* number of them */
    struct cb_game_array root; /* the position of node 0 */
    unsigned depth, grain;     /* the look-ahead; plies below a node that is searched, 0: none is */
    uint32_t seed;             /* seed of which part of a large tree is checked */
};

/* Each node has its parent's position after its move; an expanded one has a child for each move,
 * and the best of their values; a searched one has its exact value. False, and why not. */
bool cb_game_tree_check(const struct cb_game_tree *tree, char *why, size_t size);
