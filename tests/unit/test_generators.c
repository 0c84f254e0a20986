/* SPDX-License-Identifier: Apache-2.0
 *
 * Generators of graphs.
 */
#include "graph_fixture.h"

/* --- Helpers -------------------------------------------------------------------------------- */

/* The edge from u to v, or the number of edges. */
static uint64_t find_edge(const struct cb_graph *graph, uint32_t u, uint32_t v)
{
    uint32_t low = graph->rows[u], high = graph->rows[u + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (graph->columns[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->rows[u + 1] && graph->columns[low] == v ? low : graph->edges;
}

/* FNV-1a of numbers, not of their bytes: the same on machines of both byte orders. */
static uint64_t checksum(const uint32_t *numbers, uint64_t n)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (uint64_t i = 0; i < n; i++)
        sum = (sum ^ numbers[i]) * 0x100000001b3u;
    return sum;
}

/* Rows ascend to the number of edges, the columns of each ascend without duplicates or loops, and
 * every edge is there in both directions with one weight from 1 to max_weight. */
static void is_simple_and_undirected(const struct cb_graph *graph, uint32_t max_weight)
{
    assert_int_equal(graph->rows[0], 0);
    assert_int_equal(graph->rows[graph->vertices], graph->edges);
    for (uint32_t u = 0; u < graph->vertices; u++) {
        assert_true(graph->rows[u] <= graph->rows[u + 1]);
        for (uint32_t i = graph->rows[u]; i < graph->rows[u + 1]; i++) {
            uint32_t v = graph->columns[i];
            assert_true(v < graph->vertices && v != u);
            assert_true(i == graph->rows[u] || graph->columns[i - 1] < v);
            uint64_t back = find_edge(graph, v, u);
            assert_true(back < graph->edges);
            assert_int_equal(graph->weights[back], graph->weights[i]);
            assert_in_range(graph->weights[i], 1, max_weight);
        }
    }
}

/* --- Generators ----------------------------------------------------------------------------- */

static void test_grid(void **unused)
{
    (void)unused;
    struct cb_graph graph = load("grid:7x5");
    assert_int_equal(graph.vertices, 35);
    assert_int_equal(graph.edges, 2 * (6 * 5 + 7 * 4));
    assert_string_equal(graph.name, "grid:7x5");
    is_simple_and_undirected(&graph, 1);
    for (uint32_t u = 0; u < 35; u++)
        for (uint32_t v = 0; v < 35; v++) {
            int distance = abs((int)(u % 7) - (int)(v % 7)) + abs((int)(u / 7) - (int)(v / 7));
            assert_int_equal(find_edge(&graph, u, v) < graph.edges, distance == 1);
        }
    assert_int_equal(checksum(graph.rows, 36), 0xc77a836178f932d5u);
    assert_int_equal(checksum(graph.columns, graph.edges), 0xd43d4e71b506440du);
    cb_graph_free(&graph);
}

static void test_thin_grids(void **unused)
{
    (void)unused;
    static const char *const lines[] = {"grid:1x4", "grid:4x1", "grid:004x01"};
    for (size_t i = 0; i < CB_COUNTOF(lines); i++) {
        struct cb_graph graph = load(lines[i]);
        assert_string_equal(graph.name, i == 0 ? "grid:1x4" : "grid:4x1");
        same_numbers(graph.rows, (const uint32_t[]){0, 1, 3, 5, 6}, 5);
        same_numbers(graph.columns, (const uint32_t[]){1, 0, 2, 1, 3, 2}, 6);
        cb_graph_free(&graph);
    }
    struct cb_graph graph = load("grid:1x1");
    assert_int_equal(graph.vertices, 1);
    assert_int_equal(graph.edges, 0);
    cb_graph_free(&graph);
}

/* SuiteSparse's ecology1 has 4996000 entries, 1000000 of them on the diagonal. */
static void test_grid_is_ecology1(void **unused)
{
    (void)unused;
    struct cb_graph graph = load("grid:1000x1000");
    assert_int_equal(graph.vertices, 1000000);
    assert_int_equal(graph.edges, 3996000);
    cb_graph_free(&graph);
}

static void test_rmat(void **unused)
{
    (void)unused;
    struct cb_graph graph = load("rmat:10:8");
    assert_int_equal(graph.vertices, 1024);
    assert_string_equal(graph.name, "rmat:10:8");
    assert_in_range(graph.edges, 2 * 4096, 2 * 8192); /* without loops and duplicates */
    is_simple_and_undirected(&graph, 255);
    uint32_t highest = 0;
    for (uint32_t v = 0; v < graph.vertices; v++)
        if (graph.rows[v + 1] - graph.rows[v] > highest)
            highest = graph.rows[v + 1] - graph.rows[v];
    assert_true(highest > 10 * graph.edges / graph.vertices); /* a few vertices have many edges */
    assert_int_equal(graph.edges, 11810);
    assert_int_equal(checksum(graph.rows, 1025), 0x6b35700834e45cb7u);
    assert_int_equal(checksum(graph.columns, graph.edges), 0x49ac7d32f2ab2cdbu);
    assert_int_equal(checksum(graph.weights, graph.edges), 0xfac4db41b7403a93u);
    cb_graph_free(&graph);
}

static void test_rmat_sizes(void **unused)
{
    (void)unused;
    struct cb_graph graph = load("rmat:12"), same = load("rmat:12:16");
    assert_string_equal(graph.name, "rmat:12:16");
    assert_int_equal(graph.edges, same.edges);
    assert_memory_equal(graph.columns, same.columns, graph.edges * sizeof *graph.columns);
    is_simple_and_undirected(&graph, 255);
    cb_graph_free(&graph);
    cb_graph_free(&same);
    graph = load("rmat:1:64");
    assert_int_equal(graph.vertices, 2);
    assert_int_equal(graph.edges, 2);
    is_simple_and_undirected(&graph, 255);
    cb_graph_free(&graph);
}

static void test_wrong_grids(void **unused)
{
    (void)unused;
    static const char *const specs[] = {"grid:",      "grid:10",      "grid:x",     "grid:10x",
                                        "grid:x10",   "grid:0x5",     "grid:5x0",   "grid:-1x5",
                                        "grid:10X10", "grid:10x10x",  "grid:a",     "grid: 1x1",
                                        "grid:1x1 ",  "grid:1.5x2.5", "grid:10:10", "grid:+1x1"};
    for (size_t i = 0; i < CB_COUNTOF(specs); i++) {
        char message[200];
        snprintf(message, sizeof message,
                 "grid: expected grid:WxH with W, H from 1, for instance grid:1000x1000, got "
                 "\"%s\"",
                 specs[i]);
        load_fails(specs[i], message);
    }
    static const char *const large[] = {"grid:16385x16384", "grid:268435457x1",
                                        "grid:1x99999999999999999999999", "grid:4294967297x1",
                                        "grid:4294967295x4294967295"};
    for (size_t i = 0; i < CB_COUNTOF(large); i++) {
        char message[200];
        snprintf(message, sizeof message,
                 "grid: expected grid:WxH with W * H of at most 268435456, got \"%s\"", large[i]);
        load_fails(large[i], message);
    }
}

static void test_wrong_rmats(void **unused)
{
    (void)unused;
    static const char *const specs[] = {"rmat:",
                                        "rmat:0",
                                        "rmat:27",
                                        "rmat:ten",
                                        "rmat:10:",
                                        "rmat:10:0",
                                        "rmat:10:65",
                                        "rmat:10:8:1",
                                        "rmat:-1",
                                        "rmat:10x8",
                                        "rmat::8",
                                        "rmat:99999999999999999999",
                                        "rmat:10:4294967304"};
    for (size_t i = 0; i < CB_COUNTOF(specs); i++) {
        char message[256];
        snprintf(message, sizeof message,
                 "rmat: expected rmat:SCALE[:EDGEFACTOR] with SCALE from 1 to 26 and EDGEFACTOR "
                 "from 1 to 64, for instance rmat:20:16, got \"%s\"",
                 specs[i]);
        load_fails(specs[i], message);
    }
    load_fails("rmat:26:32", "rmat: expected 2 * EDGEFACTOR * 2^SCALE of at most 4294967294, got "
                             "\"rmat:26:32\"");
}

static void test_neither_generator_nor_file(void **unused)
{
    (void)unused;
#define FORMS   "expected grid:WxH or rmat:SCALE[:EDGEFACTOR]"
#define NO_FILE "and no file (No such file or directory)"
    load_fails("gird:10x10", "graph: \"gird:10x10\" is no generator (" FORMS
                             "; did you mean \"grid\"?) " NO_FILE);
    load_fails("torus:4x4", "graph: \"torus:4x4\" is no generator (" FORMS ") " NO_FILE);
    load_fails("/missing/road.gr",
               "graph: \"/missing/road.gr\" is no generator (" FORMS ") " NO_FILE);
    load_fails("grid", "graph: \"grid\" is no generator (" FORMS ") " NO_FILE);
    load_fails("", "graph: \"\" is no generator (" FORMS ") " NO_FILE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_thin_grids),
        cmocka_unit_test(test_grid_is_ecology1),
        cmocka_unit_test(test_rmat),
        cmocka_unit_test(test_rmat_sizes),
        cmocka_unit_test(test_wrong_grids),
        cmocka_unit_test(test_wrong_rmats),
        cmocka_unit_test(test_neither_generator_nor_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
