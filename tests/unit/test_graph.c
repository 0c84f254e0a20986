/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: compressed rows of edges.
 */
#include "graph_fixture.h"
#include "tests/unit/unit.h"

/* --- Compressed rows -------------------------------------------------------------------------- */

static const struct cb_edge edges[] = {{3, 1, 7}, {0, 2, 5}, {0, 1, 4}, {3, 1, 2},
                                       {3, 3, 9}, {0, 3, 1}, {3, 0, 8}};

TEST(build)
{
    struct cb_graph graph;
    struct cb_err err;
    assert_int_equal(cb_graph_build("small", 4, edges, CB_COUNTOF(edges), true, &graph, &err),
                     CB_OK);
    assert_int_equal(graph.vertices, 4);
    assert_int_equal(graph.edges, 7);
    assert_string_equal(graph.name, "small");
    same_numbers(graph.rows, (const uint32_t[]){0, 3, 3, 3, 7}, 5);
    same_numbers(graph.columns, (const uint32_t[]){1, 2, 3, 0, 1, 1, 3}, 7);
    same_numbers(graph.weights, (const uint32_t[]){4, 5, 1, 8, 7, 2, 9}, 7);
    cb_graph_free(&graph);
    assert_null(graph.rows);
    cb_graph_free(&graph);
}

TEST(build_without_weights_or_edges)
{
    struct cb_graph graph;
    struct cb_err err;
    assert_int_equal(cb_graph_build("small", 4, edges, CB_COUNTOF(edges), false, &graph, &err),
                     CB_OK);
    assert_null(graph.weights);
    same_numbers(graph.columns, (const uint32_t[]){1, 2, 3, 0, 1, 1, 3}, 7);
    cb_graph_free(&graph);
    assert_int_equal(cb_graph_build("none", 2, NULL, 0, true, &graph, &err), CB_OK);
    same_numbers(graph.rows, (const uint32_t[]){0, 0, 0}, 3);
    assert_non_null(graph.columns);
    assert_non_null(graph.weights);
    cb_graph_free(&graph);
}

TEST(build_refuses)
{
    struct cb_graph graph;
    struct cb_err err;
    assert_int_equal(cb_graph_build("small", 3, edges, 1, true, &graph, &err), CB_USAGE);
    assert_string_equal(err.text, "small: edge 0: expected vertices from 0 to 2, got 3 and 1");
    assert_int_equal(cb_graph_build("small", 0, edges, 0, true, &graph, &err), CB_USAGE);
    assert_string_equal(err.text, "small: expected from 1 to 4294967294 vertices, got 0");
    assert_int_equal(cb_graph_build("small", 4, edges, UINT32_MAX, true, &graph, &err), CB_USAGE);
    assert_string_equal(err.text, "small: expected at most 4294967294 edges, got 4294967295");
    assert_null(graph.rows);
}

TEST(transpose)
{
    struct cb_graph graph, transposed;
    struct cb_err err;
    assert_int_equal(cb_graph_build("small", 4, edges, CB_COUNTOF(edges), true, &graph, &err),
                     CB_OK);
    assert_int_equal(cb_graph_transpose(&graph, &transposed, &err), CB_OK);
    assert_string_equal(transposed.name, "small");
    same_numbers(transposed.rows, (const uint32_t[]){0, 1, 4, 5, 7}, 5);
    same_numbers(transposed.columns, (const uint32_t[]){3, 0, 3, 3, 0, 0, 3}, 7);
    same_numbers(transposed.weights, (const uint32_t[]){8, 4, 7, 2, 5, 1, 9}, 7);
    cb_graph_free(&graph);
    cb_graph_free(&transposed);
}

TEST(long_names_are_cut_between_characters)
{
    struct cb_graph graph;
    struct cb_err err;
    char name[80], expected[80];
    memset(name, 'x', sizeof name);
    strcpy(name + 62, "\xc3\xa4"); /* bytes 62 and 63: only one of them fits */
    assert_int_equal(cb_graph_build(name, 1, NULL, 0, false, &graph, &err), CB_OK);
    snprintf(expected, sizeof expected, "%.62s", name);
    assert_string_equal(graph.name, expected);
    cb_graph_free(&graph);
}
