/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the readers of graphs: files.
 */
#pragma once

#include "graph_fixture.h"
#include "temp_folder.h"

#define GRAPHS COOPBENCH_TEST_DIR "/fixtures/graphs"

/* A file of GRAPHS; how many bytes it has. */
static inline size_t read_bytes(const char *name, char *bytes, size_t room)
{
    char path[200];
    snprintf(path, sizeof path, GRAPHS "/%s", name);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    size_t n = fread(bytes, 1, room, in);
    assert_true(n < room);
    fclose(in);
    return n;
}

/* Rows ascend to the number of edges, the columns of each ascend, and weights are positive. */
static inline void is_sound(const struct cb_graph *graph)
{
    assert_int_equal(graph->rows[0], 0);
    assert_int_equal(graph->rows[graph->vertices], graph->edges);
    for (uint32_t u = 0; u < graph->vertices; u++) {
        assert_true(graph->rows[u] <= graph->rows[u + 1]);
        for (uint32_t i = graph->rows[u]; i < graph->rows[u + 1]; i++) {
            assert_true(graph->columns[i] < graph->vertices);
            assert_true(i == graph->rows[u] || graph->columns[i - 1] <= graph->columns[i]);
            assert_true(graph->weights[i] >= 1);
        }
    }
}

/* All valid files of GRAPHS, and each graph by hand: "VERTICES: FROM>TO*WEIGHT ..." */
static const struct graph_file {
    const char *name, *graph;
} graph_files[] = {
    {"dimacs.gr", "4: 0>1*1 0>2*1 0>2*9 1>1*6 3>0*4294967295"},
    {"crlf.gr", "2: 0>1*3"},
    {"plain.graph", "5: 0>1*1 0>3*1 1>0*1 1>4*1 3>0*1 3>4*1 4>1*1 4>3*1"},
    {"edge-weights.graph", "3: 0>1*7 1>0*7 1>2*9 2>1*9"},
    {"vertex-weights.graph", "3: 0>1*1 1>0*1 1>2*1 2>1*1"},
    {"vertex-sizes.graph", "3: 0>1*1 1>0*1 1>2*1 2>1*1"},
    {"all-weights.graph", "3: 0>1*7 1>0*7 1>2*9 2>1*9"},
    {"loops.graph", "3: 0>0*1 0>1*1 0>1*1 1>0*1 1>0*1 1>2*1 2>1*1"},
    {"last-line.graph", "3: 0>1*1 1>0*1"},
    {"pattern-symmetric.mtx", "4: 0>1*1 0>3*1 1>0*1 2>3*1 3>0*1 3>2*1"},
    {"integer-general.mtx", "3: 0>1*7 0>2*4294967295 1>0*1 2>0*4"},
    {"real-general.mtx", "3: 0>1*3 0>2*1 1>0*1000 1>2*4294967295 2>0*1 2>1*4294967294"},
    {"real-skew.mtx", "3: 0>1*3 1>0*3 1>2*13 2>1*13"},
    {"directed.el", "5: 0>1*1 0>1*1 2>2*1 4>0*1"},
    {"weighted.wel", "4: 0>1*4 0>3*1 3>0*8"},
    {"sparse.txt", "4: 0>3*1 1>0*1 2>1*1"},
    {"undirected.txt", "3: 0>1*1 1>0*1 1>2*1 2>1*1 2>2*1"},
    {"version-1.gr", "3: 0>1*1 0>2*5 2>0*6"},
    {"version-1-plain.gr", "3: 0>1*1 0>2*1 2>0*1"},
    {"version-1-wide.gr", "3: 0>1*4 0>2*5"},
    {"version-2.gr", "3: 0>1*4 0>2*5 2>0*6"},
    {"version-2-padded.gr", "3: 0>1*4 0>2*5 2>0*6"},
    {"version-2-plain.gr", "3: 0>1*1 0>2*1"},
};
