/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/mst/reference.h"

#include <stdlib.h>
#include <string.h>

#include "apps/mst/mst_abi.h"

/* --- Trees: each vertex knows another of its tree, the root itself ---------------------------- */

static uint32_t *plant_trees(uint32_t vertices)
{
    uint32_t *trees = malloc(4 * (size_t)vertices);
    for (uint32_t v = 0; trees && v < vertices; v++)
        trees[v] = v;
    return trees;
}

static uint32_t root_of(uint32_t *trees, uint32_t v)
{
    while (trees[v] != v)
        v = trees[v] = trees[trees[v]];
    return v;
}

/* Joins the trees at the ends of an edge; false if it is one tree already. */
static bool join(uint32_t *trees, const struct cb_mst_edge *edge)
{
    uint32_t a = root_of(trees, edge->ends[0]), b = root_of(trees, edge->ends[1]);
    trees[a] = b;
    return a != b;
}

/* --- Kruskal's algorithm ---------------------------------------------------------------------- */

struct place {
    uint64_t key;
    uint32_t number;
};

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const struct place *)a)->key, y = ((const struct place *)b)->key;
    return (x > y) - (x < y);
}

static struct place *sort(const struct cb_mst_edges *edges)
{
    struct place *order = malloc((edges->count ? edges->count : 1) * sizeof *order);
    if (!order)
        return NULL;
    for (uint32_t e = 0; e < edges->count; e++)
        order[e] = (struct place){mst_key(e, edges->list[e].weight), e};
    qsort(order, edges->count, sizeof *order, by_key);
    return order;
}

bool cb_mst_reference(const struct cb_mst_edges *edges, uint32_t *forest)
{
    uint32_t *trees = plant_trees(edges->vertices);
    struct place *order = sort(edges);
    memset(forest, 0, 4 * cb_mst_words(edges->count));
    for (uint32_t i = 0; trees && order && i < edges->count; i++) {
        uint32_t e = order[i].number;
        forest[e / 32] |= (uint32_t)join(trees, &edges->list[e]) << e % 32;
    }
    bool done = trees && order;
    free(trees);
    free(order);
    return done;
}

bool cb_mst_add_up(const struct cb_mst_edges *edges, const uint32_t *set, struct cb_mst_sum *sum)
{
    uint32_t *trees = plant_trees(edges->vertices);
    *sum = (struct cb_mst_sum){.closing = UINT32_MAX};
    for (uint32_t e = 0; trees && e < edges->count; e++) {
        if (!cb_mst_has(set, e))
            continue;
        sum->edges++;
        sum->weight += edges->list[e].weight;
        if (!join(trees, &edges->list[e]) && sum->closing == UINT32_MAX)
            sum->closing = e;
    }
    free(trees);
    return trees != NULL;
}
