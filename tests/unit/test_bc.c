/* SPDX-License-Identifier: Apache-2.0
 *
 * Betweenness centrality: the reference on graphs whose values are counted by hand, and the
 * kernel's numbers of paths, compiled as C.
 */
#include "checks.h"
#include "graph_fixture.h"
#include "opencl_c.h"
#include "tests/unit/unit.h"

#include "apps/bc/bc_abi.h"
#include "apps/bc/reference.h"
#include "measure/random.h"

#define ldexp ldexpf /* OpenCL C's is one for all types */
#include "apps/bc/number.clh"
#undef ldexp

/* --- The reference ---------------------------------------------------------------------------- */

static struct cb_graph build(uint32_t vertices, const uint32_t (*ends)[2], size_t n, bool both)
{
    struct cb_edge edges[64] = {{0}};
    struct cb_graph graph;
    struct cb_err err;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        edges[count++] = (struct cb_edge){ends[i][0], ends[i][1], 1};
        if (both)
            edges[count++] = (struct cb_edge){ends[i][1], ends[i][0], 1};
    }
    assert_int_equal(cb_graph_build("test", vertices, edges, count, false, &graph, &err), CB_OK);
    return graph;
}

/* Frees the graph. */
static struct cb_bc_reference centrality(struct cb_graph graph, uint32_t sources,
                                         const double *expected)
{
    struct cb_bc_reference reference;
    assert_true(cb_bc_reference(&graph, sources, &reference));
    for (uint32_t v = 0; v < graph.vertices; v++)
        check_close(reference.centrality[v], expected[v], 1e-12);
    cb_graph_free(&graph);
    return reference;
}

static void check_centrality(struct cb_graph graph, uint32_t sources, const double *expected)
{
    struct cb_bc_reference reference = centrality(graph, sources, expected);
    cb_bc_reference_free(&reference);
}

TEST(path)
{
    static const uint32_t path[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
    check_centrality(build(5, path, 4, false), 5, (const double[]){0, 3, 4, 3, 0});
    check_centrality(build(5, path, 4, true), 5, (const double[]){0, 6, 8, 6, 0});
}

TEST(some_sources)
{
    static const uint32_t path[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
    check_centrality(build(5, path, 4, false), 1, (const double[]){0, 3, 2, 1, 0});
    check_centrality(build(5, path, 4, false), 2, (const double[]){0, 3, 2, 2, 0}); /* 0, 2 */
}

TEST(star)
{
    static const uint32_t star[][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}};
    check_centrality(build(6, star, 5, true), 6, (const double[]){20, 0, 0, 0, 0, 0});
    check_centrality(build(7, star, 5, false), 7, (const double[7]){0});
}

TEST(diamond)
{
    static const uint32_t diamond[][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {0, 1}, {1, 1}};
    check_centrality(build(4, diamond, 4, true), 4, (const double[]){1, 1, 1, 1});
    check_centrality(build(4, diamond, 4, false), 4, (const double[]){0, 0.5, 0.5, 0});
    /* With two edges from 0 to 1, and a loop. */
    check_centrality(build(4, diamond, 6, false), 4, (const double[]){0, 2 / 3.0, 1 / 3.0, 0});
}

TEST(what_is_counted)
{
    static const uint32_t diamond[][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
    struct cb_bc_reference r =
        centrality(build(5, diamond, 4, false), 5, (const double[]){0, 0.5, 0.5, 0, 0});
    assert_int_equal(r.deepest, 2);
    assert_int_equal(r.levels, 3 + 2 + 2 + 1 + 1);
    check_close(r.edges, 4 + 1 + 1, 0);
    assert_int_equal(r.fingerprints[0], bc_fingerprint(0, 0, 1));
    assert_int_equal(r.fingerprints[3], bc_fingerprint(0, 2, 2) + bc_fingerprint(1, 1, 1) +
                                            bc_fingerprint(2, 1, 1) + bc_fingerprint(3, 0, 1));
    assert_int_equal(r.fingerprints[4], bc_fingerprint(4, 0, 1));
    cb_bc_reference_free(&r);
}

/* A chain of n diamonds has 2^n shortest paths, more than a double holds. */
TEST(more_paths_than_a_double_holds)
{
    enum { DIAMONDS = 1500, VERTICES = 3 * DIAMONDS + 1 };
    static struct cb_edge edges[4 * DIAMONDS];
    static double expected[VERTICES];
    for (uint32_t d = 0; d < DIAMONDS; d++) {
        const uint32_t v = 3 * d, after = VERTICES - 1 - v;
        edges[4 * d] = (struct cb_edge){v, v + 1, 1};
        edges[4 * d + 1] = (struct cb_edge){v, v + 2, 1};
        edges[4 * d + 2] = (struct cb_edge){v + 1, v + 3, 1};
        edges[4 * d + 3] = (struct cb_edge){v + 2, v + 3, 1};
        expected[v] = d == 0 ? 0 : after;
        expected[v + 1] = expected[v + 2] = (after - 2) / 2.0;
    }
    struct cb_graph graph;
    struct cb_err err;
    assert_int_equal(
        cb_graph_build("diamonds", VERTICES, edges, CB_COUNTOF(edges), false, &graph, &err), CB_OK);
    check_centrality(graph, 1, expected);
}

/* --- Numbers of paths ------------------------------------------------------------------------- */

static bool is_normal(bc_number x)
{
    return x.mantissa >= 1 && x.mantissa < BC_POWER;
}

/* n doublings, and back. */
TEST(numbers_of_any_size)
{
    bc_number x = bc_one();
    for (int n = 0; n < 5000; n++) {
        assert_true(is_normal(x));
        assert_int_equal(x.power, n / 64);
        assert_true(x.mantissa == ldexpf(1, n % 64));
        assert_int_equal(x.exact, n < 32 ? 1u << n : 0);
        bc_number share = bc_reciprocal(x);
        assert_true(is_normal(share));
        assert_true(bc_product(x, share) == 1);
        assert_true(bc_product(bc_plus(x, x), share) == 2);
        x = bc_plus(x, x);
    }
}

static bc_number number_of(float value, int power)
{
    bc_number x = {value, power, 0};
    return bc_carry(x);
}

TEST(sums)
{
    struct cb_random random = {1};
    for (int i = 0; i < 20000; i++) {
        float a = ldexpf(1 + (float)cb_random_below(&random, 1000) / 1000,
                         (int)cb_random_below(&random, 64));
        float b = ldexpf(1 + (float)cb_random_below(&random, 1000) / 1000,
                         (int)cb_random_below(&random, 64));
        int p = (int)cb_random_below(&random, 4) - 2, q = (int)cb_random_below(&random, 4) - 2;
        bc_number sum = bc_plus(number_of(a, p), number_of(b, q));
        double expected = ldexp(a, 64 * p) + ldexp(b, 64 * q);
        assert_true(is_normal(sum));
        check_close(ldexp(sum.mantissa, 64 * sum.power) / expected, 1, 0x1p-23);
        bc_number same = bc_plus(bc_nothing(), sum);
        assert_true(same.mantissa == sum.mantissa && same.power == sum.power);
    }
    assert_true(bc_plus(bc_nothing(), bc_nothing()).mantissa == 0);
}
