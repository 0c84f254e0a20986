/* SPDX-License-Identifier: Apache-2.0
 *
 * sc: stream compaction in place (KLAP'16 Table I): the elements that are kept move to the front,
 * in their order.
 */
#include "kept.clh"

static inline void chain_arrange(const chain_input a, const chain_place p, const uint *tile,
                                 local uint *stage)
{
    uint to = p.own;
    for (uint j = 0; j < CHAIN_EACH; j++)
        if (CHAIN_BLOCKED(p.step, p.item, j) < a.n && chain_keeps(tile[j]))
            stage[to++] = tile[j];
}

static inline void chain_store(const chain_input a, const chain_place p, const uint *tile,
                               const local uint *stage)
{
    (void)tile;
    for (uint i = p.item; i < p.total; i += CHAIN_WG)
        a.data[p.before.x + i] = stage[i];
}

#include "chain_run.clh"
