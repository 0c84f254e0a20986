/* SPDX-License-Identifier: Apache-2.0
 *
 * pd: padding in place (KLAP'16 Table I): a matrix gets columns more. The last tile moves first,
 * since elements move to higher places.
 */
#define MOVED_LAST_FIRST
#include "moved.clh"

static inline void chain_store(const chain_input a, const chain_place p, const uint *tile,
                               const local uint *stage)
{
    (void)stage;
    for (uint j = 0; j < CHAIN_EACH; j++) {
        const uint i = CHAIN_STRIPED(moved_tile(a, p), p.item, j);
        if (i < a.n)
            a.data[i + i / a.columns * a.pad] = tile[j];
    }
}

#include "chain_run.clh"
