/* SPDX-License-Identifier: Apache-2.0
 *
 * What the children of the app write, by the block and the round.
 */
#pragma once
#include "types.h"

#define CHILDREN_BLOCKS 96u
#define CHILDREN_ITEMS  64u  /* most work-items in a workgroup of a child */
#define CHILDREN_WORDS  512u /* words of a block: eight such workgroups */

static inline cb_u32 children_hash(cb_u32 a, cb_u32 b)
{
    cb_u32 x = a * 2654435761u + b * 2246822519u + 374761393u;
    x = (x ^ x >> 15) * 2246822519u;
    return x ^ x >> 13;
}

static inline cb_u32 children_word(cb_u32 block, cb_u32 round, cb_u32 i)
{
    return children_hash(block * CHILDREN_WORDS + i, round);
}

/* Workgroups of the child that fills a block, each of 1 to CHILDREN_ITEMS words. */
static inline cb_u32 children_groups(cb_u32 block, cb_u32 round)
{
    return 1 + children_hash(block, ~round) % (CHILDREN_WORDS / CHILDREN_ITEMS);
}

/* Whether a child of so many workgroups has the words from `first` on, of one of them, filled by
 * another child: that one has one workgroup, and fills them. */
static inline cb_u32 children_passes_on(cb_u32 block, cb_u32 round, cb_u32 first, cb_u32 groups)
{
    return groups > 1 && children_hash(first, block ^ round) & 1;
}
