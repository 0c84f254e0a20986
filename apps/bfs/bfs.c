/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search (LonestarGPU's bfs): input, buffers and check. The kernel is bfs.cl;
 * README.md has the algorithm.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/bfs/bfs_abi.h"
#include "apps/bfs/reference.h"
#include "apps/graphs/device.h"
#include "apps/graphs/inputs.h"
#include "apps/host/app.h"
#include "kernels/coop_abi.h"

enum { QUADS, ROWS, EDGED, LEVELS, QUEUES, OFFSETS, STARTS, FRONTIERS, DIGESTS, BUFFERS };
enum { VERTICES, SOURCE, SOURCE_QUADS, ALL_QUADS, CHUNKS, EVEN, BOTH_WAYS, NUMBERS };

struct bfs {
    struct cb_session *session;
    struct cb_graph graph;
    cl_mem buffers[BUFFERS];        /* those that its variant uses */
    struct cb_graph_buffers device; /* graph of the paper's variant */
    cl_uint numbers[NUMBERS];
    uint32_t *expected, *levels; /* one for each vertex */
    uint32_t digest;
    double edges; /* edges of the vertices that are reached */
};

static uint32_t quads_of(const struct cb_graph *graph, uint32_t vertex)
{
    return cb_graph_edges_of(graph, vertex) > 4 ? (cb_graph_edges_of(graph, vertex) + 3) / 4 : 1;
}

static uint64_t count_quads(const struct cb_graph *graph)
{
    uint64_t quads = 0;
    for (uint32_t v = 0; v < graph->vertices; v++)
        quads += quads_of(graph, v);
    return quads;
}

static size_t bytes_of(const struct bfs *b, int buffer)
{
    const size_t vertices = b->graph.vertices;
    const size_t words[BUFFERS] = {
        [ROWS] = 2 * vertices,
        [QUADS] = 4 * (size_t)b->numbers[ALL_QUADS],
        [EDGED] = vertices / 32 + 1,
        [LEVELS] = vertices,
        [QUEUES] = 2 * vertices,
        [OFFSETS] = b->numbers[EVEN] ? 1 : 2 * vertices,
        [STARTS] = 2 * (size_t)b->numbers[CHUNKS],
        [FRONTIERS] = BFS_FRONTIERS * BFS_LINE,
        [DIGESTS] = COOP_MAX_RUNS,
    };
    return 4 * words[buffer];
}

/* Four edges of a vertex from `first` on; beyond the last, that one again; without any, itself. */
static void fill_quad(const struct cb_graph *graph, uint32_t vertex, uint32_t first,
                      uint32_t quad[4])
{
    uint32_t edges = cb_graph_edges_of(graph, vertex);
    const uint32_t *columns = graph->columns + graph->rows[vertex];
    for (uint32_t k = 0; k < 4; k++)
        quad[k] = edges == 0 ? vertex : columns[first + k < edges ? first + k : edges - 1];
}

static void fill_quads(const struct cb_graph *graph, uint32_t *rows, uint32_t *quads)
{
    uint32_t next = graph->vertices;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint32_t edges = cb_graph_edges_of(graph, v);
        fill_quad(graph, v, 0, quads + 4 * (size_t)v);
        rows[2 * (size_t)v] = next;
        for (uint32_t first = 4; first < edges; first += 4, next++)
            fill_quad(graph, v, first, quads + 4 * (size_t)next);
        rows[2 * (size_t)v + 1] = next - rows[2 * (size_t)v];
        quads[4 * (size_t)v + 3] |= edges > 4 ? BFS_MORE : 0;
    }
}

/* A bit of each vertex: it has edges. */
static void fill_edged(const struct cb_graph *graph, uint32_t *edged)
{
    for (uint32_t v = 0; v < graph->vertices; v++)
        edged[v / 32] |= (uint32_t)(cb_graph_edges_of(graph, v) > 0) << v % 32;
}

static enum cb_status write_buffer(struct bfs *b, int buffer, const void *from, struct cb_err *err)
{
    return cb_buffer_write(b->session, b->buffers[buffer], from, bytes_of(b, buffer), err);
}

static enum cb_status write_graph(struct bfs *b, struct cb_err *err)
{
    uint32_t *rows = calloc(1, bytes_of(b, ROWS)), *quads = calloc(1, bytes_of(b, QUADS));
    uint32_t *edged = calloc(1, bytes_of(b, EDGED));
    enum cb_status status = rows && quads && edged ? CB_OK : cb_no_memory(err);
    if (status == CB_OK) {
        fill_quads(&b->graph, rows, quads);
        fill_edged(&b->graph, edged);
        status = write_buffer(b, ROWS, rows, err);
    }
    if (status == CB_OK)
        status = write_buffer(b, QUADS, quads, err);
    if (status == CB_OK)
        status = write_buffer(b, EDGED, edged, err);
    free(rows);
    free(quads);
    free(edged);
    return status;
}

static enum cb_status create_buffers(struct bfs *b, struct cb_err *err)
{
    size_t bytes[BUFFERS];
    for (int i = 0; i < BUFFERS; i++)
        bytes[i] = bytes_of(b, i);
    if (cb_buffers_create(b->session, bytes, BUFFERS, b->buffers, err) != CB_OK)
        return err->status;
    return write_graph(b, err);
}

static void bfs_close(void *state)
{
    struct bfs *b = state;
    if (!b)
        return;
    for (int i = 0; i < BUFFERS; i++)
        if (b->buffers[i])
            clReleaseMemObject(b->buffers[i]);
    cb_graph_release_buffers(&b->device);
    cb_graph_free(&b->graph);
    free(b->expected);
    free(b->levels);
    free(b);
}

static enum cb_status set_numbers(struct bfs *b, struct cb_err *err)
{
    const struct cb_graph *graph = &b->graph;
    uint64_t quads = count_quads(graph);
    if (graph->vertices >= BFS_MORE || quads > UINT32_MAX / 4)
        return cb_fail(err, CB_UNSUPPORTED, "bfs: at most %u vertices and about 2^32 edges",
                       BFS_MORE - 1);
    cl_uint source = cb_graph_busiest(graph);
    b->numbers[VERTICES] = graph->vertices;
    b->numbers[SOURCE] = source;
    b->numbers[SOURCE_QUADS] = quads_of(graph, source);
    b->numbers[ALL_QUADS] = (cl_uint)quads;
    b->numbers[EVEN] = cb_graph_edges_of(graph, source) <= BFS_EVEN;
    b->numbers[CHUNKS] = b->numbers[EVEN] ? 1 : (cl_uint)(quads / BFS_CHUNK + 1);
    return CB_OK;
}

/* The graph, and what comes out. */
static enum cb_status open_graph(struct cb_session *session, const char *input, void **state,
                                 struct cb_err *err)
{
    struct bfs *b = calloc(1, sizeof *b);
    *state = b;
    if (!b)
        return cb_no_memory(err);
    b->session = session;
    if (cb_graph_open(session, input, &b->graph, err) != CB_OK)
        return err->status;
    if (set_numbers(b, err) != CB_OK)
        return err->status;
    b->expected = malloc(4 * (size_t)b->graph.vertices);
    b->levels = malloc(4 * (size_t)b->graph.vertices);
    if (!b->expected || !b->levels || !cb_bfs_reference(&b->graph, b->numbers[SOURCE], b->expected))
        return cb_no_memory(err);
    for (uint32_t v = 0; v < b->graph.vertices; v++) {
        b->digest += bfs_digest(v, b->expected[v]);
        b->edges += b->expected[v] == BFS_UNREACHED ? 0 : cb_graph_edges_of(&b->graph, v);
    }
    return CB_OK;
}

static enum cb_status bfs_open(struct cb_session *session, const char *input, size_t max_groups,
                               void **state, struct cb_err *err)
{
    (void)max_groups;
    bool both_ways;
    if (open_graph(session, input, state, err) != CB_OK)
        return err->status;
    struct bfs *b = *state;
    if (cb_graph_is_symmetric(&b->graph, &both_ways, err) != CB_OK)
        return err->status;
    b->numbers[BOTH_WAYS] = both_ways;
    return create_buffers(b, err);
}

static size_t bfs_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct bfs *b = state;
    if (room < BUFFERS + NUMBERS)
        return 0;
    for (int i = 0; i < BUFFERS; i++)
        values[i] = (struct cb_kernel_value){sizeof(cl_mem), &b->buffers[i]};
    for (int i = 0; i < NUMBERS; i++)
        values[BUFFERS + i] = (struct cb_kernel_value){sizeof(cl_uint), &b->numbers[i]};
    return BUFFERS + NUMBERS;
}

/* The kernel clears the rest itself, since it may run again and again in one launch. */
static enum cb_status bfs_clear(void *state, struct cb_err *err)
{
    struct bfs *b = state;
    return cb_buffer_clear(b->session, b->buffers[DIGESTS], bytes_of(b, DIGESTS), err);
}

static enum cb_status bfs_check(void *state, unsigned runs, struct cb_sample *sample,
                                struct cb_err *err)
{
    struct bfs *b = state;
    if (cb_buffer_read(b->session, b->buffers[LEVELS], b->levels, bytes_of(b, LEVELS), err) !=
        CB_OK)
        return err->status;
    for (uint32_t v = 0; v < b->graph.vertices; v++)
        if (!cb_sample_check(sample, b->levels[v] == b->expected[v],
                             "vertex %u: level %d instead of %d (-1: not reached)", v,
                             (int)b->levels[v], (int)b->expected[v]))
            return CB_OK;
    return cb_app_check_digests(b->session, b->buffers[DIGESTS], runs, b->digest, sample, err);
}

static double bfs_work(void *state)
{
    return ((struct bfs *)state)->edges;
}

/* ---- LonestarGPU's --------------------------------------------------------------------------- */

static const int paper_buffers[] = {LEVELS, QUEUES, FRONTIERS, DIGESTS};

static enum cb_status paper_open(struct cb_session *session, const char *input, size_t max_groups,
                                 void **state, struct cb_err *err)
{
    (void)max_groups;
    if (open_graph(session, input, state, err) != CB_OK)
        return err->status;
    struct bfs *b = *state;
    for (size_t i = 0; i < CB_COUNTOF(paper_buffers); i++) {
        int buffer = paper_buffers[i];
        if (!(b->buffers[buffer] = cb_buffer_create(session, bytes_of(b, buffer), err)))
            return err->status;
    }
    struct cb_graph unweighted = b->graph;
    unweighted.weights = NULL;
    return cb_graph_upload(session, &unweighted, &b->device, err);
}

static size_t paper_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct bfs *b = state;
    size_t n = 0;
    if (room < CB_COUNTOF(paper_buffers) + 4)
        return 0;
    values[n++] = (struct cb_kernel_value){sizeof(cl_mem), &b->device.rows};
    values[n++] = (struct cb_kernel_value){sizeof(cl_mem), &b->device.columns};
    for (size_t i = 0; i < CB_COUNTOF(paper_buffers); i++)
        values[n++] = (struct cb_kernel_value){sizeof(cl_mem), &b->buffers[paper_buffers[i]]};
    values[n++] = (struct cb_kernel_value){sizeof(cl_uint), &b->numbers[VERTICES]};
    values[n++] = (struct cb_kernel_value){sizeof(cl_uint), &b->numbers[SOURCE]};
    return n;
}

/* What the authors' variants say. */
#define PAPER_APP                                                                                  \
    .id = "bfs",                                                                                   \
    .summary = "Breadth-first search: the level of each vertex of a graph, one worklist a level",  \
    .source = "OOPSLA'16 Section 5.3, LonestarGPU's bfs", .inputs_help = CB_GRAPH_INPUTS_HELP,     \
    .inputs = {CB_INPUT_ROAD, CB_INPUT_RMAT, CB_INPUT_UNIFORM, CB_INPUT_USA}, .slow_check = true,  \
    .gpu_wg_size = 256, .cpu_wg_size = 64, .draw_input = cb_graph_draw, .open = paper_open,        \
    .args = paper_args, .clear = bfs_clear, .check = bfs_check, .close = bfs_close,                \
    .work = "edges", .count_work = bfs_work

static const struct cb_app paper = {PAPER_APP, .kernel = "apps/bfs/paper.cl"};
static const struct cb_app paper_once = {PAPER_APP, .kernel = "apps/bfs/once.cl"};

const struct cb_app cb_app_bfs = {
    .id = "bfs",
    .summary = "Breadth-first search: the level of each vertex of a graph, worklists",
    .source = "FSE'17 Tab. 1, in the role of LonestarGPU's bfs",
    .kernel = "apps/bfs/bfs.cl",
    .inputs_help = CB_GRAPH_INPUTS_HELP,
    .inputs = {CB_INPUT_ROAD, CB_INPUT_RMAT, CB_INPUT_UNIFORM, CB_INPUT_USA},
    .slow_check = true,
    .gpu_wg_size = 1024,
    .large_groups = true, /* a narrow level is one workgroup's */
    .cpu_wg_size = 1,
    .draw_input = cb_graph_draw,
    .open = bfs_open,
    .args = bfs_args,
    .clear = bfs_clear,
    .check = bfs_check,
    .close = bfs_close,
    .work = "edges",
    .count_work = bfs_work,
    .paper = &paper,
    .paper_once = &paper_once,
};
