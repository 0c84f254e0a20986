/* SPDX-License-Identifier: Apache-2.0
 *
 * Priorities, and what color and mis expect of them: the references work in rounds and in order;
 * here each vertex is compared with its neighbours of higher priority.
 */
#include "checks.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "apps/color/reference.h"
#include "apps/mis/reference.h"
#include "apps/shared/priority_abi.h"

static const char *const specs[] = {"grid:1x1",  "grid:1x40",    "grid:30x20", "circuit:500",
                                    "rmat:9:32", "uniform:7:40", "rmat:6:1",   "road:300"};

TEST(no_two_priorities_are_equal)
{
    const uint32_t n = 1u << 20;
    uint32_t *all = malloc(n * sizeof *all);
    assert_non_null(all);
    for (uint32_t v = 0; v < n; v++)
        all[v] = priority_of(v);
    qsort(all, n, sizeof *all, ascending);
    for (uint32_t v = 1; v < n; v++)
        assert_true(all[v - 1] < all[v]);
    free(all);
}

/* The most that neighbours of higher priority ask for: `step` more than their result, or of a set
 * (step 0) 1 if one of them is in it. */
static uint32_t asked_for(const struct cb_graph *graph, const uint32_t *results, uint32_t v,
                          uint32_t step)
{
    uint32_t most = 0;
    for (uint32_t i = graph->rows[v]; i < graph->rows[v + 1]; i++) {
        uint32_t u = graph->columns[i], asks = step ? results[u] + step : results[u] == 0;
        if (priority_of(u) > priority_of(v) && asks > most)
            most = asks;
    }
    return most;
}

static void check_reference(bool (*reference)(const struct cb_graph *, uint32_t *), uint32_t step)
{
    for (size_t s = 0; s < CB_COUNTOF(specs); s++) {
        struct cb_graph graph;
        struct cb_err err;
        assert_int_equal(cb_graph_load(specs[s], &graph, &err), CB_OK);
        uint32_t *results = malloc(graph.vertices * sizeof *results);
        assert_non_null(results);
        assert_true(reference(&graph, results));
        for (uint32_t v = 0; v < graph.vertices; v++)
            assert_int_equal(results[v], asked_for(&graph, results, v, step));
        free(results);
        cb_graph_free(&graph);
    }
}

TEST(colours)
{
    check_reference(cb_color_reference, 1);
}

TEST(sets)
{
    check_reference(cb_mis_reference, 0);
}
