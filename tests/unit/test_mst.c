/* SPDX-License-Identifier: Apache-2.0
 *
 * What mst expects: the list of undirected edges, and the minimum spanning forest of small graphs,
 * by hand, and of random ones by another algorithm.
 */
#include "graph_fixture.h"
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include "apps/mst/mst_abi.h"
#include "apps/mst/reference.h"

#define MOST 40 /* vertices of a random graph */

static struct cb_mst_edges list_edges(uint32_t vertices, const struct cb_edge *edges,
                                      uint64_t count)
{
    struct cb_graph graph;
    struct cb_mst_edges list;
    struct cb_err err;
    assert_int_equal(cb_graph_build("test", vertices, edges, count, true, &graph, &err), CB_OK);
    assert_int_equal(cb_mst_edges_of(&graph, &list, &err), CB_OK);
    cb_graph_free(&graph);
    return list;
}

static void same_edge(const struct cb_mst_edges *edges, uint32_t number, uint32_t a, uint32_t b,
                      uint32_t weight)
{
    const struct cb_mst_edge *edge = &edges->list[number];
    assert_int_equal(edge->number, number);
    assert_int_equal(edge->ends[0], a);
    assert_int_equal(edge->ends[1], b);
    assert_int_equal(edge->weight, weight);
}

/* The forest of up to 32 edges, as bits. */
static uint32_t forest_of(const struct cb_mst_edges *edges, struct cb_mst_sum *sum)
{
    uint32_t forest = 0;
    assert_true(edges->count <= 32);
    assert_true(cb_mst_reference(edges, &forest));
    assert_true(cb_mst_add_up(edges, &forest, sum));
    return forest;
}

static void check_forest(uint32_t vertices, const struct cb_edge *edges, uint64_t count,
                         uint32_t expected, uint64_t weight)
{
    struct cb_mst_sum sum;
    struct cb_mst_edges list = list_edges(vertices, edges, count);
    assert_int_equal(forest_of(&list, &sum), expected);
    assert_int_equal(sum.weight, weight);
    assert_int_equal(sum.edges, __builtin_popcount(expected));
    assert_int_equal(sum.closing, UINT32_MAX);
    cb_mst_edges_free(&list);
}

/* --- Edges ------------------------------------------------------------------------------------ */

TEST(edges_are_undirected)
{
    const struct cb_edge edges[] = {{2, 0, 5}, {0, 1, 9}, {1, 0, 4}, {1, 1, 1},
                                    {2, 1, 7}, {2, 1, 6}, {1, 2, 8}, {3, 3, 2}};
    struct cb_mst_edges list = list_edges(4, edges, 8);
    assert_int_equal(list.vertices, 4);
    assert_int_equal(list.count, 3);
    same_edge(&list, 0, 0, 1, 4); /* the lighter direction */
    same_edge(&list, 1, 0, 2, 5); /* given from the larger end only */
    same_edge(&list, 2, 1, 2, 6); /* the lightest of three */
    cb_mst_edges_free(&list);
}

TEST(no_edges)
{
    const struct cb_edge loop = {0, 0, 1};
    check_forest(1, NULL, 0, 0, 0);
    check_forest(1, &loop, 1, 0, 0);
    check_forest(5, NULL, 0, 0, 0);
}

/* The rows of a vertex, of which vertex 3 has none. */
TEST(rows_have_each_edge_twice)
{
    const struct cb_edge edges[] = {{2, 0, 5}, {0, 1, 9}, {1, 0, 4}, {2, 1, 7}, {4, 0, 3}};
    struct cb_mst_edges list = list_edges(5, edges, 5);
    struct cb_graph rows;
    uint32_t *numbers;
    struct cb_err err;
    assert_int_equal(cb_mst_rows_of(&list, &rows, &numbers, &err), CB_OK);
    assert_int_equal(rows.vertices, 5);
    assert_int_equal(rows.edges, 8);
    same_numbers(rows.rows, (const uint32_t[]){0, 3, 5, 7, 7, 8}, 6);
    same_numbers(rows.columns, (const uint32_t[]){1, 2, 4, 0, 2, 0, 1, 0}, 8);
    same_numbers(rows.weights, (const uint32_t[]){4, 5, 3, 4, 7, 5, 7, 3}, 8);
    same_numbers(numbers, (const uint32_t[]){0, 1, 2, 0, 3, 1, 3, 2}, 8);
    cb_graph_free(&rows);
    free(numbers);
    cb_mst_edges_free(&list);
}

TEST(no_rows)
{
    struct cb_mst_edges list = list_edges(2, NULL, 0);
    struct cb_graph rows;
    uint32_t *numbers;
    struct cb_err err;
    assert_int_equal(cb_mst_rows_of(&list, &rows, &numbers, &err), CB_OK);
    assert_int_equal(rows.edges, 0);
    same_numbers(rows.rows, (const uint32_t[]){0, 0, 0}, 3);
    cb_graph_free(&rows);
    free(numbers);
    cb_mst_edges_free(&list);
}

/* --- Forests by hand -------------------------------------------------------------------------- */

TEST(triangle)
{
    const struct cb_edge edges[] = {{0, 1, 3}, {0, 2, 1}, {1, 2, 2}};
    check_forest(3, edges, 3, 1u << 1 | 1u << 2, 3);
}

/* The edges are, in the order of their numbers, 0-1 4, 0-2 8, 1-2 11, 1-3 8, 2-4 7, 2-5 1, 3-4 2,
 * 4-5 6. By weight, 2-5, 3-4, 0-1, 4-5 and 1-3 join, 2-4 and the others close cycles. */
TEST(six_vertices)
{
    const struct cb_edge edges[] = {{0, 1, 4}, {0, 2, 8}, {1, 2, 11}, {1, 3, 8},
                                    {2, 4, 7}, {2, 5, 1}, {3, 4, 2},  {4, 5, 6}};
    struct cb_mst_edges list = list_edges(6, edges, 8);
    struct cb_mst_sum sum;
    uint32_t forest = forest_of(&list, &sum);
    assert_int_equal(forest & ~(1u << 1 | 1u << 3), 1u << 0 | 1u << 5 | 1u << 6 | 1u << 7);
    assert_int_equal(forest & (1u << 1 | 1u << 3), /* of two that weigh the same */
                     mst_key(1, 8) < mst_key(3, 8) ? 1u << 1 : 1u << 3);
    assert_int_equal(sum.weight, 4 + 1 + 2 + 6 + 8);
    cb_mst_edges_free(&list);
}

TEST(several_trees)
{
    const struct cb_edge edges[] = {{5, 4, 3}, {1, 0, 2}, {6, 5, 3}, {6, 4, 9}};
    check_forest(8, edges, 4, 1u << 0 | 1u << 1 | 1u << 3, 8);
}

/* The forest of a ring of equal weights has all edges but the one with the largest key. */
TEST(ties)
{
    struct cb_edge edges[9];
    for (uint32_t v = 0; v < 9; v++)
        edges[v] = (struct cb_edge){v, (v + 1) % 9, 7};
    uint32_t last = 0;
    for (uint32_t e = 1; e < 9; e++)
        last = mst_key(e, 7) > mst_key(last, 7) ? e : last;
    check_forest(9, edges, 9, 0x1ffu & ~(1u << last), 56);
}

TEST(weights_beyond_32_bits)
{
    const struct cb_edge edges[] = {{0, 1, UINT32_MAX}, {1, 2, UINT32_MAX}, {2, 3, UINT32_MAX - 1}};
    check_forest(4, edges, 3, 7, 3ull * UINT32_MAX - 1);
}

TEST(cycle_is_found)
{
    const struct cb_edge edges[] = {{0, 1, 1}, {0, 2, 1}, {1, 2, 1}, {2, 3, 1}};
    const uint32_t all = 15;
    struct cb_mst_sum sum;
    struct cb_mst_edges list = list_edges(4, edges, 4);
    assert_true(cb_mst_add_up(&list, &all, &sum));
    assert_int_equal(sum.closing, 2);
    assert_int_equal(sum.edges, 4);
    assert_int_equal(sum.weight, 4);
    cb_mst_edges_free(&list);
}

/* --- Random graphs, by Prim's algorithm ------------------------------------------------------- */

/* The edge with the smallest key between a vertex that is reached and one that is not; the count of
 * edges if there is none. */
static uint32_t next_edge(const struct cb_mst_edges *edges, const bool *reached)
{
    uint32_t best = edges->count;
    for (uint32_t e = 0; e < edges->count; e++) {
        const struct cb_mst_edge *edge = &edges->list[e];
        if (reached[edge->ends[0]] == reached[edge->ends[1]])
            continue;
        if (best == edges->count ||
            mst_key(e, edge->weight) < mst_key(best, edges->list[best].weight))
            best = e;
    }
    return best;
}

static void grow_trees(const struct cb_mst_edges *edges, uint32_t *forest)
{
    bool reached[MOST] = {false};
    memset(forest, 0, 4 * cb_mst_words(edges->count));
    for (uint32_t root = 0; root < edges->vertices; root++) {
        if (reached[root])
            continue;
        reached[root] = true;
        for (uint32_t e; (e = next_edge(edges, reached)) < edges->count;) {
            forest[e / 32] |= 1u << e % 32;
            reached[edges->list[e].ends[0]] = reached[edges->list[e].ends[1]] = true;
        }
    }
}

static void check_random(struct cb_random *random)
{
    struct cb_edge edges[4 * MOST];
    uint32_t forest[4 * MOST / 32 + 1], expected[4 * MOST / 32 + 1];
    const uint32_t vertices = cb_random_between(random, 1, MOST);
    const uint32_t count = cb_random_below(random, 4 * vertices);
    const uint32_t heaviest = (const uint32_t[]){1, 3, 1000}[cb_random_below(random, 3)];
    for (uint32_t e = 0; e < count; e++)
        edges[e] =
            (struct cb_edge){cb_random_below(random, vertices), cb_random_below(random, vertices),
                             cb_random_between(random, 1, heaviest)};
    struct cb_mst_edges list = list_edges(vertices, edges, count);
    assert_true(cb_mst_reference(&list, forest));
    grow_trees(&list, expected);
    same_numbers(forest, expected, cb_mst_words(list.count));
    cb_mst_edges_free(&list);
}

TEST_WITH(random_graphs, seed_random, NULL)
{
    for (int i = 0; i < 500; i++)
        check_random(&dice);
}
