/* SPDX-License-Identifier: Apache-2.0
 *
 * The minimum spanning forest by a serial algorithm, and what makes a set of edges a forest. A set
 * is a bit for each edge, 32 to a word: cb_mst_words() of them.
 */
#pragma once

#include <stdbool.h>

#include "apps/mst/edges.h"

static inline size_t cb_mst_words(uint32_t count)
{
    return ((size_t)count + 31) / 32;
}

static inline bool cb_mst_has(const uint32_t *set, uint32_t number)
{
    return set[number / 32] >> number % 32 & 1;
}

/* Kruskal's algorithm: the edges in the order of their keys (mst_abi.h), each if it joins two
 * trees. false: no memory. */
bool cb_mst_reference(const struct cb_mst_edges *edges, uint32_t *forest);

/* The edges of a set, and their weight. */
struct cb_mst_sum {
    uint32_t edges;
    uint64_t weight;
    uint32_t closing; /* the number of the first edge that closes a cycle; UINT32_MAX: none does */
};

/* false: no memory. */
bool cb_mst_add_up(const struct cb_mst_edges *edges, const uint32_t *set, struct cb_mst_sum *sum);
