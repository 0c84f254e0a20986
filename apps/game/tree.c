/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/game/tree.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_PARENTS  5000u /* whose children are checked, about */
#define MOST_SEARCHES 1000u

/* What the children of each node have said so far. */
struct sum {
    int best;            /* value for the player to move */
    unsigned char moves; /* a bit for each column */
};

/* One in `stride` nodes, others with another seed. */
static bool is_chosen(const struct cb_game_tree *t, uint32_t node, uint32_t stride)
{
    return ((node + t->seed) * 2654435761u >> 8) % stride == 0;
}

static unsigned plies_of(const struct cb_game_tree *t, uint32_t node)
{
    return t->nodes[node].place >> 8;
}

static unsigned column_of(const struct cb_game_tree *t, uint32_t node)
{
    return t->nodes[node].place & 0xffu;
}

/* After all moves from the root on; false: one of them cannot be made. Parents have been checked to
 * come before their children, each a ply higher. */
static bool replay(const struct cb_game_tree *t, uint32_t node, struct cb_game_array *position)
{
    if (node == 0) {
        *position = t->root;
        return true;
    }
    const unsigned column = column_of(t, node);
    if (!replay(t, t->nodes[node].parent, position) || column >= CB_GAME_COLUMNS ||
        !cb_game_array_playable(position, column))
        return false;
    cb_game_array_play(position, column);
    return true;
}

static bool is_position(const game_node *n, const struct cb_game_array *p)
{
    const unsigned mover = p->stones % 2 + 1u;
    for (unsigned c = 0; c < CB_GAME_COLUMNS; c++)
        for (unsigned r = 0; r < CB_GAME_ROWS; r++) {
            const unsigned bit = 7 * c + r, cell = p->cell[c][r];
            if ((n->all >> bit & 1) != (cell != 0) || (n->mover >> bit & 1) != (cell == mover))
                return false;
        }
    return true;
}

static bool is_leaf(const struct cb_game_tree *t, uint32_t node, const struct cb_game_array *p)
{
    return plies_of(t, node) == t->depth || cb_game_array_lost(p) || cb_game_array_full(p);
}

static bool is_searched(const struct cb_game_tree *t, uint32_t node)
{
    const unsigned plies = plies_of(t, node);
    return t->grain > 0 && plies > 0 && t->depth - plies <= t->grain;
}

static int value_in_memory(const struct cb_game_tree *t, uint32_t node)
{
    return (int)t->nodes[node].best - GAME_BIAS;
}

/* A node with a parent that is checked. */
static bool check_child(const struct cb_game_tree *t, uint32_t node, uint32_t searches,
                        struct sum *sum, char *why, size_t size)
{
    struct cb_game_array p;
    const unsigned plies = plies_of(t, node);
    if (!replay(t, node, &p) || !is_position(&t->nodes[node], &p) || sum->moves >> p.last & 1)
        return snprintf(why, size, "node %u is not what its move makes of its parent", node), false;
    const bool leaf = is_leaf(t, node, &p);
    const bool exact = leaf || (is_searched(t, node) && is_chosen(t, node, searches));
    const int value =
        exact ? cb_game_array_value(&p, t->depth - plies, plies) : value_in_memory(t, node);
    if (!leaf && value != value_in_memory(t, node))
        return snprintf(why, size, "node %u, %u plies deep, has the value %d instead of %d", node,
                        plies, value_in_memory(t, node), value),
               false;
    if (!leaf && t->nodes[node].pending != 0)
        return snprintf(why, size, "node %u still waits for %u values", node,
                        t->nodes[node].pending),
               false;
    sum->moves |= (unsigned char)(1u << p.last);
    sum->best = -value > sum->best ? -value : sum->best;
    return true;
}

/* All its children have been seen. */
static bool check_parent(const struct cb_game_tree *t, uint32_t node, const struct sum *sum,
                         char *why, size_t size)
{
    struct cb_game_array p;
    unsigned moves = 0;
    replay(t, node, &p);
    if (is_searched(t, node) || (node > 0 && is_leaf(t, node, &p)))
        return sum->moves == 0 ||
               (snprintf(why, size, "node %u has children that it should not have", node), false);
    for (unsigned c = 0; c < CB_GAME_COLUMNS; c++)
        moves |= (unsigned)cb_game_array_playable(&p, c) << c;
    if (sum->moves != moves)
        return snprintf(why, size, "node %u lacks children", node), false;
    if (value_in_memory(t, node) != sum->best)
        return snprintf(why, size, "node %u has the value %d, and the best of its children has %d",
                        node, value_in_memory(t, node), sum->best),
               false;
    return true;
}

static bool check_links(const struct cb_game_tree *t, char *why, size_t size)
{
    for (uint32_t i = 0; i < t->used; i++) {
        const uint32_t parent = t->nodes[i].parent;
        if (i > 0 ? parent >= i || plies_of(t, i) != plies_of(t, parent) + 1 ||
                        plies_of(t, i) > t->depth
                  : plies_of(t, i) != 0)
            return snprintf(why, size, "node %u has the parent %u, and is %u plies deep", i, parent,
                            plies_of(t, i)),
                   false;
    }
    return true;
}

bool cb_game_tree_check(const struct cb_game_tree *t, char *why, size_t size)
{
    const uint32_t stride = t->used / MOST_PARENTS + 1, searches = t->used / MOST_SEARCHES + 1;
    struct sum *sums = malloc(((size_t)t->used + 1) * sizeof *sums);
    if (!sums)
        return snprintf(why, size, "out of memory"), false;
    for (uint32_t i = 0; i < t->used; i++)
        sums[i] = (struct sum){INT_MIN, 0};
    bool right = t->used > 0 && check_links(t, why, size);
    for (uint32_t i = 1; i < t->used && right; i++) {
        const uint32_t parent = t->nodes[i].parent;
        if (is_chosen(t, parent, stride))
            right = check_child(t, i, searches, &sums[parent], why, size);
    }
    for (uint32_t i = 0; i < t->used && right; i++)
        if (is_chosen(t, i, stride))
            right = check_parent(t, i, &sums[i], why, size);
    free(sums);
    return right;
}
