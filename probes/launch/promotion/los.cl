/* SPDX-License-Identifier: Apache-2.0
 *
 * los: line of sight (KLAP'16 Table I): which points of a profile are seen from its first. It
 * passes on which point so far is the highest one as seen from there, and its height: angles are
 * compared as fractions, exactly.
 */
#define CHAIN_JOIN(a, x, y) chain_higher(a, x, y)
#define CHAIN_READY(a, p)   CHAIN_PAIR((a).data[0], (a).data[(p).total])
#include "chain.clh"

/* The point of two, in their order, that hides the other; 0: none. */
static inline uint chain_higher(const chain_input a, uint x, uint y)
{
    return x == 0 || chain_hides(a.data[0], a.data[y], y, a.data[x], x) ? y : x;
}

static inline uint chain_ahead(const chain_input a, const chain_place p, uint *tile)
{
    const uint i = CHAIN_BLOCKED(p.step, p.item, 0);
    (void)tile;
    return i < a.n ? i : 0;
}

static inline uint2 chain_pass(const chain_input a, const chain_place p)
{
    const bool hides =
        p.before.x == 0 || chain_hides(p.ready.x, p.ready.y, p.total, p.before.y, p.before.x);
    (void)a;
    return hides ? CHAIN_PAIR(p.total, p.ready.y) : p.before;
}

static inline void chain_store(const chain_input a, const chain_place p, const uint *tile,
                               const local uint *stage)
{
    const uint i = CHAIN_BLOCKED(p.step, p.item, 0), highest = chain_higher(a, p.before.x, p.own);
    (void)tile, (void)stage;
    if (i < a.n)
        a.out[i] = chain_higher(a, highest, i) == i;
}

#include "chain_run.clh"
