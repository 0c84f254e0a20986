/* SPDX-License-Identifier: Apache-2.0
 *
 * equal, equal128, power: children that do next to nothing, for the price of a launch. Parent i
 * writes the words from begins[i] up to begins[i + 1], if it launches a child at all.
 */
#include "nest.clh"

static inline uint nest_parent(const nest_input in, uint parent)
{
    return nest_launches(parent) ? in.begins[parent + 1] - in.begins[parent] : 0;
}

static inline void nest_child(const nest_input in, uint parent, uint item, uint items)
{
    (void)items;
    in.words[in.begins[parent] + item] = nest_word(parent, item);
}

#include "nest_run.clh"
