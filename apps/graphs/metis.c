/* SPDX-License-Identifier: Apache-2.0
 *
 * Undirected graphs for METIS (its manual, section 4.1.1) and of the 10th DIMACS challenge: "%"
 * comments, "VERTICES EDGES [FORMAT [WEIGHTS]]", then a line for each vertex, from 1: its size and
 * its WEIGHTS weights, if FORMAT says so (100, 10), which are of no use here, and its neighbours,
 * each with the weight of the edge (1). Every edge is there from both ends.
 *
 * Format 100 alone has two meanings. The challenge uses it for graphs with loops or parallel edges,
 * whose EDGES is the number of neighbours; there are no sizes then. How many numbers there are
 * tells which it is.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "apps/graphs/formats.h"
#include "apps/graphs/scan.h"

#define FORM "VERTICES EDGES [FORMAT [WEIGHTS]]"

struct reader {
    struct cb_scan scan;
    struct cb_edges *edges;
    struct cb_numbers lines; /* lines of the vertices */
    uint64_t header_line;
    uint64_t sizes[2]; /* vertices, edges */
    uint64_t skipped;  /* numbers of a vertex before its neighbours */
    uint64_t neighbours;
    bool weighted;
    bool loops; /* with parallel edges: DIMACS' format 100 */
};

/* --- First line ------------------------------------------------------------------------------- */

static bool next_line(struct cb_scan *scan)
{
    while (cb_scan_next_line(scan))
        if (cb_scan_peek(scan) != '%')
            return true;
    return false;
}

/* All numbers after the first line, in a reading of their own. */
static enum cb_status count_numbers(const struct reader *r, uint64_t *count)
{
    static const struct cb_scan_range any = {"number", 0, UINT32_MAX};
    struct cb_graph_input input;
    struct cb_scan scan = {.input = &input};
    const struct cb_graph_input *first = r->scan.input;
    enum cb_status status = cb_graph_input_open(&input, first->path, first->err);
    *count = 0;
    if (status == CB_OK)
        next_line(&scan);
    while (status == CB_OK && next_line(&scan))
        for (uint64_t n; status == CB_OK && cb_scan_peek(&scan) != '\n'; ++*count)
            status = cb_scan_number(&scan, &any, &n);
    cb_graph_input_close(&input);
    return status;
}

static enum cb_status read_format(struct reader *r)
{
    static const struct cb_scan_range digits = {"format", 0, 111}, weights = {"weights", 1, 1024};
    uint64_t format = 0, count = 0, n = 1;
    enum cb_status status = CB_OK;
    if (cb_scan_peek(&r->scan) != '\n')
        status = cb_scan_number(&r->scan, &digits, &format);
    if (status == CB_OK && (format % 10 > 1 || format / 10 % 10 > 1))
        status = cb_scan_wrong_line(&r->scan, "format: expected digits 0 and 1");
    bool sizes = format >= 100, weighs = format / 10 % 10;
    if (status == CB_OK && weighs && cb_scan_peek(&r->scan) != '\n')
        status = cb_scan_number(&r->scan, &weights, &n);
    if (status == CB_OK)
        status = cb_scan_end(&r->scan, FORM);
    if (status == CB_OK && format == 100)
        status = count_numbers(r, &count);
    r->loops = format == 100 && count == r->sizes[1];
    r->skipped = (weighs ? n : 0) + (sizes && !r->loops);
    r->weighted = format % 10;
    return status;
}

static enum cb_status read_header(struct reader *r)
{
    static const struct cb_scan_range sizes[] = {{"vertices", 1, UINT32_MAX - 1},
                                                 {"edges", 0, CB_GRAPH_MAX_EDGES}};
    if (!next_line(&r->scan))
        return cb_scan_wrong(&r->scan, "expected \"" FORM "\", got the end of the file");
    r->header_line = r->scan.line_number;
    enum cb_status status = cb_scan_number(&r->scan, &sizes[0], &r->sizes[0]);
    if (status == CB_OK)
        status = cb_scan_number(&r->scan, &sizes[1], &r->sizes[1]);
    if (status == CB_OK)
        status = read_format(r);
    r->neighbours = r->loops ? r->sizes[1] : 2 * r->sizes[1];
    return status;
}

/* --- Vertices --------------------------------------------------------------------------------- */

static enum cb_status wrong_count(struct reader *r)
{
    uint64_t got = r->edges->count;
    r->scan.line_number = r->header_line;
    return cb_scan_wrong(&r->scan, "edges: expected %" PRIu64 " neighbours, %s, got %s%" PRIu64,
                         r->neighbours, r->loops ? "as many" : "two for each",
                         got > r->neighbours ? "at least " : "", got);
}

static enum cb_status read_neighbour(struct reader *r, uint32_t v)
{
    static const struct cb_scan_range weights = {"weight", 0, UINT32_MAX};
    const struct cb_scan_range neighbours = {"neighbour", 1, r->sizes[0]};
    uint64_t to, weight = 1;
    enum cb_status status = cb_scan_number(&r->scan, &neighbours, &to);
    if (status == CB_OK && to == v + 1ull && !r->loops)
        return cb_scan_wrong(
            &r->scan, "a loop: expected neighbours of vertex %" PRIu64 " other than itself", to);
    if (status == CB_OK && r->weighted)
        status = cb_scan_number(&r->scan, &weights, &weight);
    if (status == CB_OK)
        status = cb_edges_add(r->edges, v, (uint32_t)to - 1, (uint32_t)weight, r->scan.input);
    if (status == CB_OK && r->edges->count > r->neighbours)
        return wrong_count(r);
    return status;
}

static enum cb_status read_vertex(struct reader *r, uint32_t v)
{
    static const struct cb_scan_range skipped = {"size or weight of the vertex", 0, UINT32_MAX};
    uint64_t number;
    enum cb_status status = cb_numbers_add(&r->lines, (uint32_t)r->scan.line_number, r->scan.input);
    for (uint64_t i = 0; status == CB_OK && i < r->skipped; i++)
        status = cb_scan_number(&r->scan, &skipped, &number);
    while (status == CB_OK && cb_scan_peek(&r->scan) != '\n')
        status = read_neighbour(r, v);
    return status;
}

/* The last line may be missing: that of a vertex without neighbours, with no line end. */
static enum cb_status read_vertices(struct reader *r)
{
    uint64_t v = 0;
    enum cb_status status = CB_OK;
    while (status == CB_OK && next_line(&r->scan)) {
        if (v < r->sizes[0])
            status = read_vertex(r, (uint32_t)v++);
        else if (cb_scan_peek(&r->scan) != '\n')
            status = cb_scan_wrong_line(
                &r->scan, "too many vertices: expected %" PRIu64 " as line %" PRIu64 " says",
                r->sizes[0], r->header_line);
    }
    if (status == CB_OK && v + (r->skipped == 0) < r->sizes[0])
        return cb_scan_wrong(&r->scan,
                             "too few vertices: expected %" PRIu64 " as line %" PRIu64
                             " says, got the end of the file after %" PRIu64,
                             r->sizes[0], r->header_line, v);
    if (status == CB_OK && r->edges->count < r->neighbours)
        return wrong_count(r);
    return status;
}

/* --- Both ends -------------------------------------------------------------------------------- */

static enum cb_status one_sided(struct reader *r, uint32_t from, uint32_t to, const char *what)
{
    r->scan.line_number = r->lines.list[from];
    return cb_scan_wrong(&r->scan,
                         "vertex %" PRIu32 " has neighbour %" PRIu32
                         ": expected the same edge from both ends, got %s",
                         from + 1, to + 1, what);
}

/* An undirected graph is the same when all edges are turned around. */
static enum cb_status compare(struct reader *r, const struct cb_graph *graph,
                              const struct cb_graph *turned)
{
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint32_t end = graph->rows[v + 1], turned_end = turned->rows[v + 1];
        for (uint32_t i = graph->rows[v]; i < end || i < turned_end; i++) {
            uint32_t to = i < end ? graph->columns[i] : UINT32_MAX;
            uint32_t from = i < turned_end ? turned->columns[i] : UINT32_MAX;
            if (to < from)
                return one_sided(r, v, to, "it from one");
            if (from < to)
                return one_sided(r, from, v, "it from one");
            if (graph->weights[i] != turned->weights[i])
                return one_sided(r, v, to, "two weights");
        }
    }
    return CB_OK;
}

static enum cb_status check_undirected(struct reader *r, struct cb_graph *graph)
{
    struct cb_graph turned;
    enum cb_status status = cb_graph_transpose(graph, &turned, r->scan.input->err);
    if (status == CB_OK) {
        status = compare(r, graph, &turned);
        cb_graph_free(&turned);
    }
    if (status != CB_OK)
        cb_graph_free(graph);
    return status;
}

/* --- The format ------------------------------------------------------------------------------- */

bool cb_graph_is_metis(const struct cb_graph_head *head)
{
    return cb_graph_head_named(head, ".graph");
}

enum cb_status cb_graph_read_metis(struct cb_graph_input *input, struct cb_edges *edges,
                                   struct cb_graph *graph)
{
    struct reader r = {.scan = {.input = input}, .edges = edges};
    enum cb_status status = read_header(&r);
    if (status == CB_OK)
        status = read_vertices(&r);
    if (status == CB_OK)
        status = cb_graph_finish(input, r.header_line, r.sizes[0], edges, graph);
    if (status == CB_OK)
        status = check_undirected(&r, graph);
    free(r.lines.list);
    return status;
}
