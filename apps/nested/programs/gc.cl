/* SPDX-License-Identifier: Apache-2.0
 *
 * gc: graph colouring (KLAP'16 Table I), speculative. The phases of a lap:
 *
 *   0  a vertex without a colour is a parent; its child marks the colours of its neighbours
 *   1  it takes the lowest that is not marked
 *   2  a vertex coloured in this lap is a parent; its child looks for a neighbour with the same
 *      colour and a higher priority: a conflict
 *   3  where there is one, the vertex gives its colour back
 *
 * So of two neighbours exactly one keeps a colour that both have taken. Marks are bits of a window
 * of colours, which moves on when all of it are marked: a vertex may have any number of edges.
 */
#include "apps/shared/priority_abi.h"
#include "nest.clh"

#define GC_WINDOW 4u /* words, of 32 colours each */

/* words: arrays of a word for each vertex. A colour is counted from 1 on; 0: none yet. */
enum { GC_COLOUR, GC_LAP, GC_CONFLICT, GC_BASE, GC_MARKS };

static inline volatile global uint *gc_word(const nest_input in, uint array, uint vertex)
{
    return &in.words[array * in.parents + vertex];
}

/* The lowest that is free of the window; or there is another lap, with the next window. */
static inline void gc_choose(const nest_input in, uint vertex)
{
    uint place = 0;
    while (place < 32 * GC_WINDOW &&
           (*gc_word(in, GC_MARKS + place / 32, vertex) >> place % 32 & 1))
        place++;
    if (place < 32 * GC_WINDOW) {
        *gc_word(in, GC_COLOUR, vertex) = *gc_word(in, GC_BASE, vertex) + place + 1;
        *gc_word(in, GC_LAP, vertex) = in.lap + 1;
    } else {
        *gc_word(in, GC_BASE, vertex) += 32 * GC_WINDOW;
        *in.flag = 1;
    }
    for (uint i = 0; i < GC_WINDOW; i++)
        *gc_word(in, GC_MARKS + i, vertex) = 0;
}

static inline void gc_give_back(const nest_input in, uint vertex)
{
    if (*gc_word(in, GC_CONFLICT, vertex) == 0)
        return;
    *gc_word(in, GC_CONFLICT, vertex) = 0;
    *gc_word(in, GC_COLOUR, vertex) = 0;
    *in.flag = 1;
}

static inline uint nest_parent(const nest_input in, uint parent)
{
    const uint edges = in.begins[parent + 1] - in.begins[parent];
    const bool coloured = *gc_word(in, GC_COLOUR, parent) != 0;
    if (in.phase == 0)
        return coloured ? 0 : edges;
    if (in.phase == 2)
        return coloured && *gc_word(in, GC_LAP, parent) == in.lap + 1 ? edges : 0;
    if (in.phase == 3)
        gc_give_back(in, parent);
    else if (!coloured)
        gc_choose(in, parent);
    return 0;
}

/* A neighbour without a colour is far beyond the window: 0 - 1. */
static inline void gc_mark(const nest_input in, uint vertex, uint other)
{
    const uint place = *gc_word(in, GC_COLOUR, other) - 1 - *gc_word(in, GC_BASE, vertex);
    if (place < 32 * GC_WINDOW)
        atomic_or(gc_word(in, GC_MARKS + place / 32, vertex), 1u << place % 32);
}

static inline void nest_child(const nest_input in, uint parent, uint item, uint items)
{
    const uint other = in.others[in.begins[parent] + item];
    (void)items;
    if (in.phase == 0)
        gc_mark(in, parent, other);
    else if (*gc_word(in, GC_COLOUR, other) == *gc_word(in, GC_COLOUR, parent) &&
             priority_of(other) > priority_of(parent))
        *gc_word(in, GC_CONFLICT, parent) = 1;
}

#include "nest_run.clh"
