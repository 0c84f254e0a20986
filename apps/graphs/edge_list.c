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

#include "apps/graphs/formats.h"
#include "apps/graphs/scan.h"

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

/* --- GAP -------------------------------------------------------------------------------------- */

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

/* --- SNAP ------------------------------------------------------------------------------------- */

/* A set of numbers, in pages that exist only where there are some. */
#define PAGES 65536

struct page {
    struct block {
        uint32_t bits;    /* which of 32 numbers are in the set */
        uint32_t smaller; /* how many of the set are smaller than these */
    } blocks[2048];
};

static struct block *block_of(struct page *const *pages, uint32_t number)
{
    return &pages[number >> 16]->blocks[number % 65536 / 32];
}

static bool insert(struct page **pages, uint32_t number)
{
    struct page **page = &pages[number >> 16];
    if (!*page && !(*page = calloc(1, sizeof **page)))
        return false;
    block_of(pages, number)->bits |= 1u << number % 32;
    return true;
}

/* How many there are. */
static uint32_t count_smaller(struct page **pages)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < PAGES; i++)
        for (uint32_t j = 0; pages[i] && j < CB_COUNTOF(pages[i]->blocks); j++) {
            pages[i]->blocks[j].smaller = count;
            count += (uint32_t)__builtin_popcount(pages[i]->blocks[j].bits);
        }
    return count;
}

static uint32_t rank(struct page *const *pages, uint32_t number)
{
    const struct block *block = block_of(pages, number);
    uint32_t smaller = block->bits & ((1u << number % 32) - 1);
    return block->smaller + (uint32_t)__builtin_popcount(smaller);
}

/* Numbers the vertices that occur without gaps; how many there are, 0 if there is not enough
 * memory. */
static uint32_t renumber(struct cb_edges *edges)
{
    struct page **pages = calloc(PAGES, sizeof *pages);
    bool complete = pages != NULL;
    for (uint64_t i = 0; complete && i < edges->count; i++)
        complete = insert(pages, edges->list[i].from) && insert(pages, edges->list[i].to);
    uint32_t count = complete ? count_smaller(pages) : 0;
    for (uint64_t i = 0; complete && i < edges->count; i++) {
        edges->list[i].from = rank(pages, edges->list[i].from);
        edges->list[i].to = rank(pages, edges->list[i].to);
    }
    for (uint32_t i = 0; pages && i < PAGES; i++)
        free(pages[i]);
    free(pages);
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
    uint32_t vertices = renumber(edges);
    if (vertices == 0)
        return cb_fail(input->err, CB_ERROR, "%s: out of memory to number its vertices",
                       input->path);
    return cb_graph_finish(input, r.largest_line, vertices, edges, graph);
}
