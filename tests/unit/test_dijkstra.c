/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference of the apps of shortest paths, against edges relaxed until nothing changes.
 */

#include <stdlib.h>

#include "apps/graphs/dijkstra.h"
#include "measure/random.h"
#include "tests/unit/unit.h"

#define UNREACHED CB_DIJKSTRA_UNREACHED
#define MOST      60 /* vertices of a random graph, and edges of each */

static void build(uint32_t vertices, const struct cb_edge *edges, uint64_t count,
                  struct cb_graph *graph)
{
    struct cb_err err;
    assert_int_equal(cb_graph_build("test", vertices, edges, count, true, graph, &err), CB_OK);
}

static void check(uint32_t vertices, const struct cb_edge *edges, uint64_t count, uint32_t source,
                  const uint64_t *expected)
{
    struct cb_graph graph;
    uint64_t distances[MOST];
    build(vertices, edges, count, &graph);
    assert_true(cb_dijkstra(&graph, source, distances));
    for (uint32_t v = 0; v < vertices; v++)
        assert_int_equal(distances[v], expected[v]);
    cb_graph_free(&graph);
}

TEST(one_vertex)
{
    const struct cb_edge loop = {0, 0, 1};
    check(1, NULL, 0, 0, (const uint64_t[]){0});
    check(1, &loop, 1, 0, (const uint64_t[]){0});
}

TEST(detour)
{
    const struct cb_edge edges[] = {{0, 1, 10}, {0, 2, 1}, {2, 3, 1}, {3, 1, 1}, {1, 4, 1}};
    check(5, edges, 5, 0, (const uint64_t[]){0, 3, 1, 2, 4});
}

TEST(edges_are_directed)
{
    const struct cb_edge edges[] = {{0, 1, 5}, {1, 2, 7}};
    check(3, edges, 2, 1, (const uint64_t[]){UNREACHED, 0, 7});
}

TEST(lightest_of_parallel_edges)
{
    const struct cb_edge edges[] = {{0, 1, 9}, {0, 1, 4}, {0, 1, 6}};
    check(2, edges, 3, 0, (const uint64_t[]){0, 4});
}

TEST(sums_beyond_32_bits)
{
    const struct cb_edge edges[] = {{0, 1, UINT32_MAX}, {1, 2, UINT32_MAX}, {2, 3, 1}};
    check(4, edges, 3, 0,
          (const uint64_t[]){0, UINT32_MAX, 2ull * UINT32_MAX, 2ull * UINT32_MAX + 1});
}

/* Relaxes all edges, again and again. */
static void relax(const struct cb_edge *edges, uint64_t count, uint64_t *distances)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint64_t e = 0; e < count; e++) {
            uint64_t from = distances[edges[e].from], *to = &distances[edges[e].to];
            if (from == UNREACHED || from + edges[e].weight >= *to)
                continue;
            *to = from + edges[e].weight;
            changed = true;
        }
    }
}

TEST(random_graphs)
{
    struct cb_random random = {1};
    struct cb_edge edges[MOST * MOST];
    for (int i = 0; i < 1000; i++) {
        uint32_t vertices = cb_random_between(&random, 1, MOST);
        uint64_t count = cb_random_below(&random, 4 * vertices), expected[MOST];
        unsigned heaviest = cb_random_below(&random, 2) ? 3 : 1000;
        for (uint64_t e = 0; e < count; e++)
            edges[e] = (struct cb_edge){cb_random_below(&random, vertices),
                                        cb_random_below(&random, vertices),
                                        cb_random_between(&random, 1, heaviest)};
        uint32_t source = cb_random_below(&random, vertices);
        for (uint32_t v = 0; v < vertices; v++)
            expected[v] = v == source ? 0 : UNREACHED;
        relax(edges, count, expected);
        check(vertices, edges, count, source, expected);
    }
}
