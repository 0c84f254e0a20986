/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs whose edges lead one way.
 */
#include "graph_fixture.h"
#include "tests/unit/unit.h"

/* A graph has as many edges as asked for, parallel ones among them, one way each, and no loops. */
TEST(directed)
{
    struct cb_graph graph = load("directed:1024x131072");
    assert_string_equal(graph.name, "directed:1024x131072");
    assert_int_equal(graph.vertices, 1024);
    assert_int_equal(graph.edges, 131072);
    assert_int_equal(graph.rows[1024], 131072);
    uint64_t parallel = 0, back = 0;
    for (uint32_t u = 0; u < graph.vertices; u++) {
        assert_in_range(degree(&graph, u), 80, 180);
        for (uint32_t i = graph.rows[u]; i < graph.rows[u + 1]; i++) {
            uint32_t v = graph.columns[i];
            assert_true(v < 1024 && v != u && (i == graph.rows[u] || graph.columns[i - 1] <= v));
            assert_in_range(graph.weights[i], 1, 255);
            parallel += i > graph.rows[u] && graph.columns[i - 1] == v;
            back += find_edge(&graph, v, u) < graph.edges;
        }
    }
    assert_in_range(parallel, 7000, 9000);                    /* Pannotia's 1k_128k has 7817 */
    assert_in_range(back, graph.edges / 10, graph.edges / 7); /* by chance: one in eight */
    cb_graph_free(&graph);
}

TEST(directed_of_one_vertex_has_loops)
{
    struct cb_graph graph = load("directed:1x3");
    same_numbers(graph.columns, (const uint32_t[]){0, 0, 0}, graph.edges);
    assert_int_equal(graph.edges, 3);
    cb_graph_free(&graph);
    graph = load("directed:2x100");
    same_numbers(graph.columns + graph.rows[1], (const uint32_t[100]){0}, degree(&graph, 1));
    cb_graph_free(&graph);
}
