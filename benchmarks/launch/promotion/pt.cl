/* SPDX-License-Identifier: Apache-2.0
 *
 * pt: partition (KLAP'16 Table I): the elements that are kept move to the front, in their order,
 * the others to another array, in theirs.
 */
#include "kept.clh"

static inline void chain_store(const chain_input a, const chain_place p, const uint *tile)
{
    uint kept = p.before.x + p.own;
    for (uint j = 0; j < CHAIN_EACH; j++) {
        const uint i = CHAIN_BLOCKED(p.step, p.item, j);
        if (i < a.n && chain_keeps(tile[j]))
            a.data[kept++] = tile[j];
        else if (i < a.n)
            a.out[i - kept] = tile[j];
    }
}

#include "chain_run.clh"
