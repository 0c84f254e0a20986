/* SPDX-License-Identifier: Apache-2.0
 *
 * Generators of graphs.
 */
#include "checks.h"
#include "graph_fixture.h"
#include "tests/unit/unit.h"

#include "apps/bfs/reference.h"
#include "runtime/host/hash.h"

/* --- Helpers ---------------------------------------------------------------------------------- */

static uint64_t checksum(const uint32_t *numbers, uint64_t n)
{
    return cb_hash_numbers(CB_HASH_START, numbers, n);
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

static uint32_t most_edges(const struct cb_graph *graph)
{
    uint32_t most = 0;
    for (uint32_t v = 0; v < graph->vertices; v++)
        most = degree(graph, v) > most ? degree(graph, v) : most;
    return most;
}

/* Returns how many of all vertices have so many edges, in percent. */
static double share_with(const struct cb_graph *graph, uint32_t edges)
{
    uint32_t found = 0;
    for (uint32_t v = 0; v < graph->vertices; v++)
        found += degree(graph, v) == edges;
    return 100.0 * found / graph->vertices;
}

/* The depth of the deepest vertex; every one must be reached. */
static uint32_t depth_from(const struct cb_graph *graph, uint32_t source, uint32_t *deepest)
{
    uint32_t *levels = calloc(graph->vertices, sizeof *levels), depth = 0;
    assert_non_null(levels);
    assert_true(cb_bfs_reference(graph, source, levels));
    *deepest = source;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        assert_int_not_equal(levels[v], UINT32_MAX);
        if (levels[v] > depth) {
            depth = levels[v];
            *deepest = v;
        }
    }
    free(levels);
    return depth;
}

/* At least as deep as a search from where another ended. */
static uint32_t diameter(const struct cb_graph *graph)
{
    uint32_t end;
    depth_from(graph, 0, &end);
    return depth_from(graph, end, &end);
}

static void has_checksums(const char *spec, uint64_t rows, uint64_t columns, uint64_t weights)
{
    struct cb_graph graph = load(spec);
    assert_int_equal(checksum(graph.rows, graph.vertices + 1ull), rows);
    assert_int_equal(checksum(graph.columns, graph.edges), columns);
    assert_int_equal(checksum(graph.weights, graph.edges), weights);
    cb_graph_free(&graph);
}

/* --- Grids ------------------------------------------------------------------------------------ */

TEST(grid)
{
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

TEST(thin_grids)
{
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
TEST(grid_is_ecology1)
{
    struct cb_graph graph = load("grid:1000x1000");
    assert_int_equal(graph.vertices, 1000000);
    assert_int_equal(graph.edges, 3996000);
    cb_graph_free(&graph);
}

/* --- R-MAT and uniform ------------------------------------------------------------------------ */

TEST(rmat)
{
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

TEST(rmat_sizes)
{
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

TEST(uniform)
{
    struct cb_graph graph = load("uniform:12");
    assert_string_equal(graph.name, "uniform:12:16");
    assert_int_equal(graph.vertices, 4096);
    is_simple_and_undirected(&graph, 255);
    assert_in_range(graph.edges, 2 * 65000, 2 * 65536); /* few loops and parallel edges */
    assert_true(most_edges(&graph) < 80);               /* the mean is 32 */
    cb_graph_free(&graph);
    graph = load("uniform:1:1");
    assert_int_equal(graph.vertices, 2);
    is_simple_and_undirected(&graph, 255);
    cb_graph_free(&graph);
}

/* Half of all edges lead to half of the vertices, whichever half. */
TEST(uniform_is_even)
{
    struct cb_graph graph = load("uniform:12:4");
    uint64_t in_upper_half = 0, to_even = 0;
    for (uint64_t i = 0; i < graph.edges; i++) {
        in_upper_half += graph.columns[i] >= 2048;
        to_even += graph.columns[i] % 2 == 0;
    }
    assert_in_range(in_upper_half, graph.edges * 48 / 100, graph.edges * 52 / 100);
    assert_in_range(to_even, graph.edges * 48 / 100, graph.edges * 52 / 100);
    cb_graph_free(&graph);
}

/* --- Roads ------------------------------------------------------------------------------------ */

/* Connected, as every depth_from() asserts; planar by construction only, which no test shows. */
TEST(roads_of_all_small_sizes)
{
    for (uint32_t n = 1; n <= 400; n++) {
        char spec[32];
        uint32_t end;
        snprintf(spec, sizeof spec, "road:%" PRIu32, n);
        struct cb_graph graph = load(spec);
        assert_string_equal(graph.name, spec);
        assert_int_equal(graph.vertices, n);
        assert_true(most_edges(&graph) <= 4);
        is_simple_and_undirected(&graph, 131071);
        depth_from(&graph, n / 2, &end);
        cb_graph_free(&graph);
    }
}

/* Beside the USA's: docs/graphs.md. */
TEST(road_is_like_roads)
{
    struct cb_graph graph = load("road:100000"); /* its square root is 316 */
    is_simple_and_undirected(&graph, 131071);
    assert_in_range(graph.edges, 239000, 242000);
    assert_true(share_with(&graph, 1) > 18 && share_with(&graph, 1) < 22);
    assert_true(share_with(&graph, 2) > 28 && share_with(&graph, 2) < 32);
    assert_true(share_with(&graph, 3) > 35 && share_with(&graph, 3) < 40);
    assert_true(share_with(&graph, 4) > 10 && share_with(&graph, 4) < 13);
    assert_in_range(diameter(&graph), 1.5 * 316, 2.0 * 316);
    cb_graph_free(&graph);
}

/* A tile of 64 x 64 crossings has 5851 vertices; from one to another lead few roads. */
TEST(numbers_of_neighbours_on_a_road_are_near)
{
    struct cb_graph graph = load("road:100000");
    uint64_t near = 0, nearest = 0;
    for (uint32_t u = 0; u < graph.vertices; u++)
        for (uint32_t i = graph.rows[u]; i < graph.rows[u + 1]; i++) {
            int64_t distance = llabs((int64_t)graph.columns[i] - u);
            near += distance < 5852;
            nearest += distance <= 2;
        }
    assert_true(near * 100 > graph.edges * 97 && near < graph.edges);
    assert_true(nearest * 100 > graph.edges * 50);
    cb_graph_free(&graph);
}

TEST(lengths_of_roads)
{
    struct cb_graph graph = load("road:20000");
    uint64_t sum = 0;
    for (uint64_t i = 0; i < graph.edges; i++)
        sum += graph.weights[i];
    qsort(graph.weights, graph.edges, sizeof *graph.weights, ascending);
    assert_in_range(graph.weights[0], 16, 63);
    assert_in_range(graph.weights[graph.edges / 2], 1400, 1700);
    assert_in_range(sum / graph.edges, 2900, 3300);
    assert_in_range(graph.weights[graph.edges - 1], 50000, 131071);
    cb_graph_free(&graph);
}

/* --- Circuits --------------------------------------------------------------------------------- */

TEST(circuits_of_all_small_sizes)
{
    for (uint32_t n = 1; n <= 400; n++) {
        char spec[32];
        uint32_t end;
        snprintf(spec, sizeof spec, "circuit:%" PRIu32, n);
        struct cb_graph graph = load(spec);
        assert_string_equal(graph.name, spec);
        assert_int_equal(graph.vertices, n);
        assert_true(most_edges(&graph) <= 5);
        is_simple_and_undirected(&graph, 255);
        depth_from(&graph, n / 2, &end);
        cb_graph_free(&graph);
    }
}

/* Beside G3_circuit: docs/graphs.md. */
TEST(circuit_is_irregular_and_wide)
{
    struct cb_graph graph = load("circuit:100000"); /* its square root is 316 */
    uint32_t end;
    is_simple_and_undirected(&graph, 255);
    assert_in_range(graph.edges, 380000, 384000);
    assert_int_equal(most_edges(&graph), 5);
    assert_true(share_with(&graph, 3) > 15);
    assert_true(share_with(&graph, 4) > 65);
    assert_in_range(depth_from(&graph, 0, &end), 0.35 * 316, 0.45 * 316);
    assert_in_range(diameter(&graph), 0.35 * 316, 0.5 * 316);
    cb_graph_free(&graph);
}

/* --- All of them ------------------------------------------------------------------------------ */

TEST(the_same_on_all_machines)
{
    has_checksums("rmat:10:8", 0x6b35700834e45cb7u, 0x49ac7d32f2ab2cdbu, 0xfac4db41b7403a93u);
    has_checksums("grid:7x5", 0xc77a836178f932d5u, 0xd43d4e71b506440du, 0x47df13e7a4fa50c9u);
    has_checksums("uniform:10:8", 0xcb85fd227776efc7u, 0x7a3c0ca762a19303u, 0xa652055d2095fa5bu);
    has_checksums("directed:100x900", 0xd9ac582c8956e137u, 0xef085bda0eed8c92u,
                  0x2e0802dc783a0c1bu);
    has_checksums("road:1000", 0xae810aeaa5f2e71eu, 0xf20df9d75de26730u, 0x8e66ba48f17114bbu);
    has_checksums("road:100000", 0x0ce537ad622687bau, 0xe9cc79d9c0940f5eu, 0x6c7c47af61c8cc2du);
    has_checksums("circuit:1000", 0xcc6ec42ab3a82933u, 0xda620a4da6bf630du, 0x00b508b798502d37u);
    has_checksums("circuit:100000", 0xf175338a05a6a066u, 0xa150128ab02693a0u, 0xad772db54b430d2bu);
}

static bool is_of(const char *spec, const char *generator)
{
    return strncmp(spec, generator, strlen(generator)) == 0;
}

/* Stress runs draw every generator, and graphs of a few vertices among them. */
TEST(draws)
{
    static const char *const generators[] = {
        "grid:", "road:", "circuit:", "rmat:", "uniform:", "directed:"};
    struct cb_random random = {1};
    int drawn[CB_COUNTOF(generators)] = {0}, tiny = 0, single = 0, without_edges = 0;
    for (int i = 0; i < 1000; i++) {
        char spec[64];
        cb_graph_draw(&random, spec, sizeof spec);
        struct cb_graph graph = load(spec);
        assert_in_range(graph.vertices, 1, 3600);
        for (size_t k = 0; k < CB_COUNTOF(generators); k++)
            drawn[k] += is_of(spec, generators[k]);
        tiny += graph.vertices <= 8;
        single += graph.vertices == 1;
        without_edges += graph.edges == 0;
        cb_graph_free(&graph);
    }
    for (size_t k = 0; k < CB_COUNTOF(generators); k++)
        assert_in_range(drawn[k], 120, 220);
    assert_true(tiny > 50 && single > 5 && without_edges > 5);
}
