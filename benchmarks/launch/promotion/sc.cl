/* SPDX-License-Identifier: Apache-2.0
 *
 * sc: stream compaction in place (KLAP'16 Table I): the elements that are kept move to the front,
 * in their order.
 */
#include "kept.clh"

static inline void chain_store(const chain_input a, const chain_place p, const uint *tile)
{
    uint to = p.before.x + p.own;
    for (uint j = 0; j < CHAIN_EACH; j++)
        if (CHAIN_BLOCKED(p.step, p.item, j) < a.n && chain_keeps(tile[j]))
            a.data[to++] = tile[j];
}

#include "chain_run.clh"
