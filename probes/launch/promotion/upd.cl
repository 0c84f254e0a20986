/* SPDX-License-Identifier: Apache-2.0
 *
 * upd: unpadding in place (KLAP'16 Table I): a matrix loses its last columns.
 */
#include "moved.clh"

static inline void chain_store(const chain_input a, const chain_place p, const uint *tile,
                               const local uint *stage)
{
    (void)stage;
    for (uint j = 0; j < CHAIN_EACH; j++) {
        const uint i = CHAIN_STRIPED(moved_tile(a, p), p.item, j), row = i / a.columns;
        if (i < a.n && i - row * a.columns < a.columns - a.pad)
            a.data[i - row * a.pad] = tile[j];
    }
}

#include "chain_run.clh"
