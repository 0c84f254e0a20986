/* SPDX-License-Identifier: Apache-2.0
 *
 * pd: padding in place (KLAP'16 Table I): a matrix gets columns more. The last tile moves first,
 * since elements move to higher places. It passes on nothing but that its tile has been read.
 */
#define CHAIN_EACH 16u
#include "chain.clh"

static inline uint chain_ahead(const chain_input a, const chain_place p, uint *tile)
{
    for (uint j = 0; j < CHAIN_EACH; j++) {
        const uint i = CHAIN_STRIPED(a.steps - 1 - p.step, p.item, j);
        tile[j] = i < a.n ? a.data[i] : 0;
    }
    return 0;
}

static inline uint2 chain_pass(const chain_input a, const chain_place p)
{
    (void)a, (void)p;
    return (uint2)(0, 0);
}

static inline void chain_store(const chain_input a, const chain_place p, const uint *tile)
{
    for (uint j = 0; j < CHAIN_EACH; j++) {
        const uint i = CHAIN_STRIPED(a.steps - 1 - p.step, p.item, j);
        if (i < a.n)
            a.data[i + i / a.columns * a.pad] = tile[j];
    }
}

#include "chain_run.clh"
