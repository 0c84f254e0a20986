/* SPDX-License-Identifier: Apache-2.0
 *
 * unq: unique in place (KLAP'16 Table I): of equal neighbours the first stays. It passes on how
 * many there are, and the last element of its tile, which may be written over meanwhile. Whether
 * the first element of a tile stays is so the only thing that depends on the step before.
 */
#define CHAIN_JOIN(a, x, y) ((x) + (y))
#define CHAIN_ARRANGED
#define CHAIN_READY(a, p)                                                                          \
    CHAIN_PAIR((a).data[(p).step * CHAIN_TILE],                                                    \
               (a).data[min((p).step * CHAIN_TILE + CHAIN_TILE, (a).n) - 1])
#include "chain.clh"

static inline uint chain_ahead(const chain_input a, const chain_place p, uint *tile)
{
    const uint first = CHAIN_BLOCKED(p.step, p.item, 0);
    /* stay: a bit for each element. */
    uint last = p.item > 0 && first < a.n ? a.data[first - 1] : 0, stay = 0;
    for (uint j = 0; j < CHAIN_EACH; j++) {
        tile[j] = first + j < a.n ? a.data[first + j] : 0;
        stay |= first + j < a.n && p.item + j > 0 && tile[j] != last ? 1u << j : 0;
        last = tile[j];
    }
    tile[CHAIN_EACH] = stay;
    return popcount(stay);
}

static inline uint2 chain_pass(const chain_input a, const chain_place p)
{
    const bool stays = p.step == 0 || p.ready.x != p.before.y;
    (void)a;
    return CHAIN_PAIR(p.before.x + p.total + stays, p.ready.y);
}

/* Puts the tile's first element, which is not known to stay, then those that stay. */
static inline void chain_arrange(const chain_input a, const chain_place p, const uint *tile,
                                 local uint *stage)
{
    const uint stay = tile[CHAIN_EACH] | (p.item == 0);
    uint to = p.own + (p.item > 0);
    (void)a;
    for (uint j = 0; j < CHAIN_EACH; j++)
        if (stay >> j & 1)
            stage[to++] = tile[j];
}

static inline void chain_store(const chain_input a, const chain_place p, const uint *tile,
                               const local uint *stage)
{
    /* from: 1 without the first. */
    const uint stay = p.after.x - p.before.x, from = p.total + 1 - stay;
    (void)tile;
    for (uint i = p.item; i < stay; i += CHAIN_WG)
        a.data[p.before.x + i] = stage[from + i];
}

#include "chain_run.clh"
