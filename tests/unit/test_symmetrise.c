/* SPDX-License-Identifier: Apache-2.0
 *
 * Undirected graphs out of directed ones, and whether a graph is one.
 */
#include <string.h>

#include "apps/graphs/graph.h"
#include "measure/random.h"
#include "tests/unit/unit.h"

static struct cb_graph undirected(uint32_t vertices, const struct cb_edge *edges, uint64_t count)
{
    struct cb_graph graph;
    struct cb_err err;
    assert_int_equal(cb_graph_build("small", vertices, edges, count, true, &graph, &err), CB_OK);
    assert_int_equal(cb_graph_symmetrise(&graph, &err), CB_OK);
    assert_string_equal(graph.name, "small");
    assert_int_equal(graph.vertices, vertices);
    assert_null(graph.weights);
    return graph;
}

static void is(struct cb_graph *graph, const uint32_t *rows, const uint32_t *columns)
{
    assert_int_equal(graph->edges, rows[graph->vertices]);
    assert_memory_equal(graph->rows, rows, (graph->vertices + 1) * sizeof *rows);
    assert_memory_equal(graph->columns, columns, graph->edges * sizeof *columns);
    cb_graph_free(graph);
}

TEST(loops_and_parallel_edges)
{
    const struct cb_edge edges[] = {{3, 1, 5}, {1, 3, 7}, {3, 1, 5}, {0, 0, 1}, {0, 2, 1},
                                    {2, 0, 1}, {1, 0, 2}, {3, 3, 1}, {3, 0, 1}, {3, 3, 1}};
    struct cb_graph graph = undirected(5, edges, CB_COUNTOF(edges));
    is(&graph, (const uint32_t[]){0, 3, 5, 6, 8, 8}, (const uint32_t[]){1, 2, 3, 0, 3, 0, 0, 1});
}

TEST(without_edges)
{
    struct cb_graph graph = undirected(2, NULL, 0);
    assert_non_null(graph.columns);
    is(&graph, (const uint32_t[]){0, 0, 0}, graph.columns);
    const struct cb_edge loops[] = {{0, 0, 1}, {0, 0, 2}};
    graph = undirected(1, loops, CB_COUNTOF(loops));
    assert_non_null(graph.columns);
    is(&graph, (const uint32_t[]){0, 0}, graph.columns);
}

TEST(a_star_has_all_edges_at_its_centre)
{
    const struct cb_edge in_and_out[] = {{0, 2, 1}, {1, 2, 1}, {2, 3, 1}, {2, 4, 1}};
    struct cb_graph graph = undirected(5, in_and_out, CB_COUNTOF(in_and_out));
    is(&graph, (const uint32_t[]){0, 1, 2, 6, 7, 8}, (const uint32_t[]){2, 2, 0, 1, 3, 4, 2, 2});
}

TEST(what_is_undirected_stays)
{
    const char *specs[] = {"grid:1x1", "grid:7x5", "rmat:8"};
    for (size_t i = 0; i < CB_COUNTOF(specs); i++) {
        struct cb_graph graph, same;
        struct cb_err err;
        assert_int_equal(cb_graph_load(specs[i], &graph, &err), CB_OK);
        assert_int_equal(cb_graph_load(specs[i], &same, &err), CB_OK);
        assert_int_equal(cb_graph_symmetrise(&same, &err), CB_OK);
        is(&same, graph.rows, graph.columns);
        cb_graph_free(&graph);
    }
}

static bool is_symmetric(const struct cb_graph *graph)
{
    bool symmetric;
    struct cb_err err;
    assert_int_equal(cb_graph_is_symmetric(graph, &symmetric, &err), CB_OK);
    return symmetric;
}

/* It is as if all edges were turned around. */
static bool is_its_transpose(const struct cb_graph *graph)
{
    struct cb_graph turned;
    struct cb_err err;
    assert_int_equal(cb_graph_transpose(graph, &turned, &err), CB_OK);
    bool same =
        memcmp(graph->rows, turned.rows, (graph->vertices + 1) * sizeof *turned.rows) == 0 &&
        memcmp(graph->columns, turned.columns, graph->edges * sizeof *turned.columns) == 0;
    cb_graph_free(&turned);
    return same;
}

/* Few vertices, so that edges often lead back by chance; parallel ones and loops among them. */
TEST(symmetric)
{
    struct cb_random random = {17};
    int symmetric = 0;
    print_message("seed 17\n");
    for (int i = 0; i < 3000; i++) {
        struct cb_edge edges[12];
        struct cb_graph graph;
        struct cb_err err;
        uint32_t vertices = cb_random_between(&random, 1, 4);
        uint64_t count = 0;
        for (uint32_t pairs = cb_random_below(&random, 6); pairs > 0; pairs--) {
            uint32_t u = cb_random_below(&random, vertices), v = cb_random_below(&random, vertices);
            edges[count++] = (struct cb_edge){u, v, 1};
            if (cb_random_below(&random, 4) > 0)
                edges[count++] = (struct cb_edge){v, u, 1};
        }
        assert_int_equal(cb_graph_build("small", vertices, edges, count, false, &graph, &err),
                         CB_OK);
        assert_int_equal(is_symmetric(&graph), is_its_transpose(&graph));
        symmetric += is_symmetric(&graph);
        cb_graph_free(&graph);
    }
    assert_in_range(symmetric, 300, 2700);
}
