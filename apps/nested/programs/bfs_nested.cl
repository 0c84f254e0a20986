/* SPDX-License-Identifier: Apache-2.0
 *
 * bfs_nested: breadth-first search (KLAP'16 Table I). A vertex that was found in the last round is
 * a parent, whose child has a work-item for each of its edges. words: levels, from 1 on; 0: not
 * found.
 */
#include "nest.clh"

static inline uint nest_parent(const nest_input in, uint parent)
{
    return in.words[parent] == in.lap + 1 ? in.begins[parent + 1] - in.begins[parent] : 0;
}

/* Several may find the same vertex at once, and write the same. */
static inline void nest_child(const nest_input in, uint parent, uint item, uint items)
{
    const uint other = in.others[in.begins[parent] + item];
    (void)items;
    if (in.words[other] == 0) {
        in.words[other] = in.lap + 2;
        *in.flag = 1;
    }
}

#include "nest_run.clh"
