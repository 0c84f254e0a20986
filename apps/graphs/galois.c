/* SPDX-License-Identifier: Apache-2.0
 *
 * Galois' binary graphs (libgalois/include/galois/graphs/OfflineGraph.h): little-endian numbers of
 * 64 bits: version (1 or 2), bytes of an edge's data, vertices, edges; the end of each vertex'
 * edges among all; where each edge goes, in 32 bits, padded to 64 (version 1), or in 64 bits; the
 * data of each edge, which is taken for an unsigned integer of 32 or 64 bits, its weight. Directed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "apps/graphs/formats.h"

struct reader {
    struct cb_graph_input *input;
    struct cb_edges *edges;
    struct cb_numbers ends; /* ends of each vertex's edges */
    struct cb_numbers weights;
    uint64_t version, weight_bytes, vertices, count;
};

struct range {
    const char *name;
    uint64_t min, max;
};

static uint64_t little_endian(const unsigned char *bytes, size_t n)
{
    uint64_t value = 0;
    while (n-- > 0)
        value = value << 8 | bytes[n];
    return value;
}

/* Reads a number of so many bytes. */
static enum cb_status take(struct reader *r, size_t bytes, const struct range *range,
                           uint64_t *value)
{
    unsigned char text[8];
    struct cb_graph_input *input = r->input;
    uint64_t offset = cb_graph_input_offset(input);
    bool there = cb_graph_input_take(input, text, bytes);
    if (input->status != CB_OK)
        return input->status;
    if (!there)
        return cb_fail(input->err, CB_USAGE,
                       "%s: byte %" PRIu64 ": %s: expected %zu bytes, got the end of the file",
                       input->path, offset, range->name, bytes);
    *value = little_endian(text, bytes);
    if (*value >= range->min && *value <= range->max)
        return CB_OK;
    return cb_fail(input->err, CB_USAGE,
                   "%s: byte %" PRIu64 ": %s: expected from %" PRIu64 " to %" PRIu64
                   ", got %" PRIu64,
                   input->path, offset, range->name, range->min, range->max, *value);
}

static enum cb_status read_header(struct reader *r)
{
    static const struct range version = {"version", 1, 2},
                              weight_bytes = {"bytes of an edge's data", 0, 8},
                              vertices = {"vertices", 1, UINT32_MAX - 1},
                              count = {"edges", 0, CB_GRAPH_MAX_EDGES};
    enum cb_status status = take(r, 8, &version, &r->version);
    if (status == CB_OK)
        status = take(r, 8, &weight_bytes, &r->weight_bytes);
    if (status == CB_OK && r->weight_bytes % 4 != 0)
        return cb_fail(r->input->err, CB_USAGE, "%s: byte 8: %s: expected 0, 4 or 8, got %" PRIu64,
                       r->input->path, weight_bytes.name, r->weight_bytes);
    if (status == CB_OK)
        status = take(r, 8, &vertices, &r->vertices);
    return status == CB_OK ? take(r, 8, &count, &r->count) : status;
}

static enum cb_status read_ends(struct reader *r)
{
    uint64_t end = 0;
    enum cb_status status = CB_OK;
    for (uint64_t v = 0; v < r->vertices && status == CB_OK; v++) {
        bool last = v + 1 == r->vertices;
        const struct range range = {"end of a vertex' edges", last ? r->count : end, r->count};
        status = take(r, 8, &range, &end);
        if (status == CB_OK)
            status = cb_numbers_add(&r->ends, (uint32_t)end, r->input);
    }
    return status;
}

static enum cb_status read_edges(struct reader *r)
{
    const struct range range = {"where an edge goes", 0, r->vertices - 1};
    uint64_t to;
    uint32_t v = 0;
    enum cb_status status = CB_OK;
    for (uint64_t i = 0; i < r->count && status == CB_OK; i++) {
        while (r->ends.list[v] <= i)
            v++;
        status = take(r, r->version == 1 ? 4 : 8, &range, &to);
        if (status == CB_OK)
            status = cb_edges_add(r->edges, v, (uint32_t)to, 1, r->input);
    }
    return status;
}

/* The padding of version 2 after an odd number of edges is where Galois' programs do not agree:
 * some read and write another 64 bits. Then as many are left over at the end. */
static enum cb_status read_weights(struct reader *r)
{
    static const struct range range = {"weight", 0, UINT32_MAX};
    uint64_t weight, skipped = 0;
    enum cb_status status = CB_OK;
    for (uint64_t i = 0; i < skipped + r->count && status == CB_OK; i++) {
        status = take(r, r->weight_bytes, &range, &weight);
        if (status == CB_OK)
            status = cb_numbers_add(&r->weights, (uint32_t)weight, r->input);
        if (i + 1 == r->count && r->version == 2 && i % 2 == 0 && !cb_graph_input_at_end(r->input))
            skipped = 8 / r->weight_bytes;
    }
    for (uint64_t i = 0; i < r->count && status == CB_OK; i++)
        cb_edges_weigh(r->edges, i, r->weights.list[i + skipped]);
    return status;
}

static enum cb_status read_all(struct reader *r)
{
    static const struct range padding = {"padding", 0, UINT32_MAX};
    uint64_t unused;
    enum cb_status status = read_header(r);
    if (status == CB_OK)
        status = read_ends(r);
    if (status == CB_OK)
        status = read_edges(r);
    if (status == CB_OK && r->version == 1 && r->count % 2 &&
        !(r->weight_bytes == 0 && cb_graph_input_at_end(r->input)))
        status = take(r, 4, &padding, &unused);
    if (status == CB_OK && r->weight_bytes > 0)
        status = read_weights(r);
    if (status == CB_OK && !cb_graph_input_at_end(r->input))
        return cb_fail(r->input->err, CB_USAGE,
                       "%s: byte %" PRIu64 ": expected the end of the file", r->input->path,
                       cb_graph_input_offset(r->input));
    return status;
}

/* No text begins with a number of 64 bits below 256. */
bool cb_graph_is_galois(const struct cb_graph_head *head)
{
    return head->n >= 8 && memcmp(head->bytes + 1, "\0\0\0\0\0\0\0", 7) == 0;
}

enum cb_status cb_graph_read_galois(struct cb_graph_input *input, struct cb_edges *edges,
                                    struct cb_graph *graph)
{
    struct reader r = {.input = input, .edges = edges};
    enum cb_status status = read_all(&r);
    if (status == CB_OK)
        status = cb_graph_finish(input, 0, r.vertices, edges, graph);
    free(r.ends.list);
    free(r.weights.list);
    return status;
}
