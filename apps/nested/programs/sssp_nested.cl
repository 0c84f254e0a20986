/* SPDX-License-Identifier: Apache-2.0
 *
 * sssp_nested: shortest paths (KLAP'16 Table I). A vertex that came nearer in the last round is a
 * parent, whose child has a work-item for each of its edges. words: distances, then of each vertex
 * the round after the one in which it came nearer; others: where edges go, then their weights.
 */
#include "nest.clh"
#include "sssp_abi.h"

static inline uint nest_parent(const nest_input in, uint parent)
{
    return in.words[in.parents + parent] == in.lap + 1 ? in.begins[parent + 1] - in.begins[parent]
                                                       : 0;
}

/* Relaxes an edge. Of two rounds that change a vertex the later one stays noted, so nothing is
 * forgotten. */
static inline void nest_child(const nest_input in, uint parent, uint item, uint items)
{
    const uint edge = in.begins[parent] + item, other = in.others[edge];
    const uint distance = sssp_sum(in.words[parent], in.others[in.begins[in.parents] + edge]);
    (void)items;
    if (atomic_min((volatile global uint *)&in.words[other], distance) <= distance)
        return;
    in.words[in.parents + other] = in.lap + 2;
    *in.flag = 1;
}

#include "nest_run.clh"
