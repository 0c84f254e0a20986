/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of directed edges, "FROM TO" or "FROM TO WEIGHT", with "#" or "%" comments.
 *
 * Of the GAP Benchmark Suite (.el, .wel): the numbers are those of the vertices, from 0.
 * Of SNAP (snap.stanford.edu/data): any numbers. The vertices are those that occur, in ascending
 * order. A comment that begins with "# Undirected graph", as SNAP writes it, says that each edge is
 * there once and means both directions.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "apps/graph/formats.h"
#include "apps/graph/scan.h"

#define UNDIRECTED "# Undirected graph"

struct reader {
    struct cb_scan scan;
    struct cb_edges *edges;
    bool weighted;
    bool undirected;
    uint32_t largest;
    uint64_t largest_line;
};

static enum cb_status read_edge(struct reader *r)
{
    static const struct cb_scan_range ranges[] = {{"first vertex", 0, UINT32_MAX - 1},
                                                  {"second vertex", 0, UINT32_MAX - 1},
                                                  {"weight", 0, UINT32_MAX}};
    uint64_t edge[3] = {0, 0, 1};
    enum cb_status status = r->weighted ? cb_scan_line(&r->scan, "FROM TO WEIGHT", ranges, 3, edge)
                                        : cb_scan_line(&r->scan, "FROM TO", ranges, 2, edge);
    if (status != CB_OK)
        return status;
    uint32_t from = (uint32_t)edge[0], to = (uint32_t)edge[1], weight = (uint32_t)edge[2];
    uint32_t larger = from > to ? from : to;
    if (r->largest_line == 0 || larger > r->largest) {
        r->largest = larger;
        r->largest_line = r->scan.line_number;
    }
    status = cb_edges_add(r->edges, from, to, weight, r->scan.input);
    if (status == CB_OK && r->undirected && from != to)
        status = cb_edges_add(r->edges, to, from, weight, r->scan.input);
    return status;
}

static enum cb_status read_edges(struct reader *r)
{
    enum cb_status status = CB_OK;
    while (status == CB_OK && cb_scan_next_line(&r->scan)) {
        char next = cb_scan_peek(&r->scan);
        if (next == '#')
            r->undirected |= strncmp(r->scan.line, UNDIRECTED, strlen(UNDIRECTED)) == 0;
        else if (next != '%' && next != '\n')
            status = read_edge(r);
    }
    if (status == CB_OK && r->edges->count == 0)
        return cb_scan_wrong(&r->scan, "expected edges, got the end of the file");
    return status;
}

/* --- GAP ------------------------------------------------------------------------------------ */

bool cb_graph_is_edge_list(const struct cb_graph_head *head)
{
    return cb_graph_head_named(head, ".el");
}

bool cb_graph_is_weighted_edge_list(const struct cb_graph_head *head)
{
    return cb_graph_head_named(head, ".wel");
}

static enum cb_status read_gap(bool weighted, struct cb_graph_input *input, struct cb_edges *edges,
                               struct cb_graph *graph)
{
    struct reader r = {.scan = {.input = input}, .edges = edges, .weighted = weighted};
    enum cb_status status = read_edges(&r);
    if (status != CB_OK)
        return status;
    return cb_graph_finish(input, r.largest_line, r.largest + 1ull, edges, graph);
}

enum cb_status cb_graph_read_edge_list(struct cb_graph_input *input, struct cb_edges *edges,
                                       struct cb_graph *graph)
{
    return read_gap(false, input, edges, graph);
}

enum cb_status cb_graph_read_weighted_edge_list(struct cb_graph_input *input,
                                                struct cb_edges *edges, struct cb_graph *graph)
{
    return read_gap(true, input, edges, graph);
}

/* --- SNAP ----------------------------------------------------------------------------------- */

/* A set of numbers: of 32 of them each, which are in it, and how many smaller ones are. Of a large
 * one most is never touched, and takes no memory. */
struct block {
    uint32_t bits, smaller;
};

static struct block *collect(const struct cb_edges *edges, uint32_t largest)
{
    struct block *blocks = calloc(largest / 32 + 1ull, sizeof *blocks);
    for (uint64_t i = 0; blocks && i < edges->count; i++) {
        const struct cb_edge *edge = &edges->list[i];
        blocks[edge->from / 32].bits |= 1u << edge->from % 32;
        blocks[edge->to / 32].bits |= 1u << edge->to % 32;
    }
    return blocks;
}

static uint32_t rank(const struct block *blocks, uint32_t number)
{
    const struct block *block = &blocks[number / 32];
    uint32_t smaller = block->bits & ((1u << number % 32) - 1);
    return block->smaller + (uint32_t)__builtin_popcount(smaller);
}

/* Numbers the vertices that occur without gaps; how many there are, 0 if there is not enough
 * memory. */
static uint32_t renumber(struct cb_edges *edges, uint32_t largest)
{
    uint32_t count = 0;
    struct block *blocks = collect(edges, largest);
    for (uint32_t i = 0; blocks && i <= largest / 32; i++)
        if (blocks[i].bits) {
            blocks[i].smaller = count;
            count += (uint32_t)__builtin_popcount(blocks[i].bits);
        }
    for (uint64_t i = 0; blocks && i < edges->count; i++) {
        edges->list[i].from = rank(blocks, edges->list[i].from);
        edges->list[i].to = rank(blocks, edges->list[i].to);
    }
    free(blocks);
    return count;
}

bool cb_graph_is_snap(const struct cb_graph_head *head)
{
    return cb_graph_head_named(head, ".txt") || cb_graph_head_begins(head, "#");
}

enum cb_status cb_graph_read_snap(struct cb_graph_input *input, struct cb_edges *edges,
                                  struct cb_graph *graph)
{
    struct reader r = {.scan = {.input = input}, .edges = edges};
    enum cb_status status = read_edges(&r);
    if (status != CB_OK)
        return status;
    uint32_t vertices = renumber(edges, r.largest);
    if (vertices == 0)
        return cb_fail(input->err, CB_ERROR, "%s: out of memory to number its vertices",
                       input->path);
    return cb_graph_finish(input, r.largest_line, vertices, edges, graph);
}
