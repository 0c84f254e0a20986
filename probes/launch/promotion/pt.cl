/* SPDX-License-Identifier: Apache-2.0
 *
 * pt: partition (KLAP'16 Table I): the elements that are kept move to the front, in their order,
 * the others to another array, in theirs.
 */
#include "kept.clh"

/* Puts the elements that are kept first, then the others. */
static inline void chain_arrange(const chain_input a, const chain_place p, const uint *tile,
                                 local uint *stage)
{
    uint kept = p.own;
    for (uint j = 0; j < CHAIN_EACH; j++) {
        const uint at = p.item * CHAIN_EACH + j;
        if (p.step * CHAIN_TILE + at >= a.n)
            break;
        if (chain_keeps(tile[j]))
            stage[kept++] = tile[j];
        else
            stage[p.total + at - kept] = tile[j];
    }
}

static inline void chain_store(const chain_input a, const chain_place p, const uint *tile,
                               const local uint *stage)
{
    const uint first = p.step * CHAIN_TILE, n = min(CHAIN_TILE, a.n - first);
    global uint *others = a.out + (first - p.before.x);
    (void)tile;
    for (uint i = p.item; i < n; i += CHAIN_WG)
        if (i < p.total)
            a.data[p.before.x + i] = stage[i];
        else
            others[i - p.total] = stage[i];
}

#include "chain_run.clh"
