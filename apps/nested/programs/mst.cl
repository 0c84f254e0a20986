/* SPDX-License-Identifier: Apache-2.0
 *
 * mstf, mstv: minimum spanning forest (KLAP'16 Table I), Boruvka's algorithm. The phases of a lap:
 *
 *   0  find: each vertex lowers the best weight of its component to that of its edges to others
 *   1  verify: of those edges that have it, the component gets the one with the lowest number
 *   2  unite: each root hooks its component to the one to which that edge leads
 *   3  jump: each vertex follows the links to its root
 *
 * In find, or in verify, a vertex is a parent, whose child has a work-item for each edge. By weight
 * and number no two edges are equal, so that links make a cycle only where two components have
 * chosen the same edge.
 */
#include "mst_abi.h"
#include "nest.clh"

static inline volatile global uint *mst_word(const nest_input in, uint array, uint vertex)
{
    return &in.words[array * in.parents + vertex];
}

static inline uint mst_weight(const nest_input in, uint edge)
{
    return in.others[in.n + edge];
}

static inline uint mst_twin(const nest_input in, uint edge)
{
    return in.others[2 * in.n + edge];
}

static inline uint mst_number(const nest_input in, uint edge)
{
    const uint twin = mst_twin(in, edge);
    return edge < twin ? edge : twin;
}

/* The edge joins the forest. A sum that is lower than what was added to it has overflowed. */
static inline void mst_keep(const nest_input in, uint edge)
{
    volatile global uint *sums = in.words + mst_sums(in.parents, in.n);
    const uint weight = mst_weight(in, edge);
    in.words[mst_forest(in.parents) + edge] = 1;
    atomic_add(&sums[0], 1u);
    if (atomic_add(&sums[1], weight) + weight < weight)
        atomic_add(&sums[2], 1u);
}

/* Where two have chosen the same edge, the higher root hooks itself to the lower one. */
static inline void mst_unite(const nest_input in, uint root)
{
    const uint edge = *mst_word(in, MST_EDGE, root);
    if (edge == MST_NONE)
        return;
    const uint there = *mst_word(in, MST_COMPONENT, in.others[edge]),
               back = *mst_word(in, MST_COMPONENT, in.others[mst_twin(in, edge)]),
               other = there == root ? back : there;
    *in.flag = 1;
    if (root < other && *mst_word(in, MST_EDGE, other) == edge)
        return;
    *mst_word(in, MST_LINK, root) = other;
    mst_keep(in, edge);
}

/* On its way it shortens the links of others, which lead to the same root as before whoever writes
 * them last: or a chain of many components would be followed from each. */
static inline void mst_jump(const nest_input in, uint vertex)
{
    uint root = *mst_word(in, MST_COMPONENT, vertex);
    for (uint i = 0; i < in.parents; i++) {
        const uint link = *mst_word(in, MST_LINK, root);
        if (link == root)
            break;
        const uint next = *mst_word(in, MST_LINK, link);
        *mst_word(in, MST_LINK, root) = next;
        root = next;
    }
    *mst_word(in, MST_COMPONENT, vertex) = root;
    *mst_word(in, MST_BEST, vertex) = MST_NONE;
    *mst_word(in, MST_EDGE, vertex) = MST_NONE;
}

static inline uint nest_parent(const nest_input in, uint parent)
{
    if (in.phase < 2)
        return in.begins[parent + 1] - in.begins[parent];
    if (in.phase == 2)
        mst_unite(in, parent);
    else
        mst_jump(in, parent);
    return 0;
}

static inline void nest_child(const nest_input in, uint parent, uint item, uint items)
{
    const uint edge = in.begins[parent] + item;
    const uint root = *mst_word(in, MST_COMPONENT, parent);
    (void)items;
    if (*mst_word(in, MST_COMPONENT, in.others[edge]) == root)
        return;
    if (in.phase == 0)
        atomic_min(mst_word(in, MST_BEST, root), mst_weight(in, edge));
    else if (mst_weight(in, edge) == *mst_word(in, MST_BEST, root))
        atomic_min(mst_word(in, MST_EDGE, root), mst_number(in, edge));
}

#include "nest_run.clh"
