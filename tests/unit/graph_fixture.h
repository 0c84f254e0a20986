/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of graphs share.
 */
#pragma once

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/graphs/graph.h"
#include "tests/unit/unit.h"

static inline struct cb_graph load(const char *spec)
{
    struct cb_graph graph;
    struct cb_err err = {0};
    if (cb_graph_load(spec, &graph, &err) != CB_OK)
        fail_msg("%s: %s", spec, err.text);
    return graph;
}

static inline void load_fails(const char *spec, const char *message)
{
    struct cb_graph graph;
    struct cb_err err = {0};
    assert_int_equal(cb_graph_load(spec, &graph, &err), CB_USAGE);
    assert_int_equal(err.status, CB_USAGE);
    assert_string_equal(err.text, message);
    assert_null(graph.rows);
    assert_null(graph.columns);
    assert_null(graph.weights);
    assert_int_equal(cb_graph_load(spec, &graph, NULL), CB_USAGE);
}

static inline void same_numbers(const uint32_t *numbers, const uint32_t *expected, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_int_equal(numbers[i], expected[i]);
}

/* The edge from u to v, or the number of edges. */
static inline uint64_t find_edge(const struct cb_graph *graph, uint32_t u, uint32_t v)
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

static inline uint32_t degree(const struct cb_graph *graph, uint32_t v)
{
    return graph->rows[v + 1] - graph->rows[v];
}
