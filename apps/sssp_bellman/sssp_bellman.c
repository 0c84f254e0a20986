/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths by rounds over lists (Pannotia's sssp): input, buffers and check. The kernel is
 * sssp_bellman.cl; README.md has the algorithm.
 */
#include <stdlib.h>

#include "apps/shared/sssp.h"
#include "apps/sssp_bellman/paper.h"
#include "apps/sssp_bellman/sssp_bellman_abi.h"

enum { EXITS, EXIT_ROWS, LISTS, SIZES, MARKS, BUFFERS };

struct bellman {
    struct cb_sssp sssp;
    cl_mem buffers[BUFFERS];
};

/* --- The two parts of the graph --------------------------------------------------------------- */

/* Edges within a block, and those that leave it, by blocks. */
struct parts {
    struct cb_graph within;
    uint32_t *exits; /* four words of each */
    uint32_t *exit_rows;
};

static bool allocate(struct parts *p, const struct cb_graph *graph)
{
    const size_t edges = graph->edges ? graph->edges : 1;
    p->within = (struct cb_graph){.vertices = graph->vertices};
    p->within.rows = calloc((size_t)graph->vertices + 1, 4);
    p->within.columns = malloc(4 * edges);
    p->within.weights = malloc(4 * edges);
    p->exit_rows = calloc((size_t)bellman_blocks(graph->vertices) + 1, 4);
    return p->within.rows && p->within.columns && p->within.weights && p->exit_rows;
}

static void add_exit(struct parts *p, uint32_t number, uint32_t vertex, uint32_t column,
                     uint32_t weight)
{
    uint32_t *exit = p->exits + 4 * (size_t)number;
    exit[0] = vertex % BELLMAN_BLOCK;
    exit[1] = column;
    exit[2] = weight;
    exit[3] = 0;
}

/* Shares the edges out; while there is no room for those that leave, they are only counted. */
static void share_out(struct parts *p, const struct cb_graph *graph)
{
    uint32_t within = 0, exits = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        for (uint32_t e = graph->rows[v]; e < graph->rows[v + 1]; e++) {
            uint32_t column = graph->columns[e], weight = cb_sssp_weight(graph, e);
            if (column / BELLMAN_BLOCK == v / BELLMAN_BLOCK) {
                p->within.columns[within] = column;
                p->within.weights[within++] = weight;
            } else if (p->exits) {
                add_exit(p, exits++, v, column, weight);
            } else {
                exits++;
            }
        }
        p->within.rows[v + 1] = within;
        p->exit_rows[v / BELLMAN_BLOCK + 1] = exits;
    }
    p->within.edges = within;
}

static enum cb_status put_parts(struct bellman *b, struct parts *p, struct cb_err *err)
{
    const struct cb_graph *graph = &b->sssp.graph;
    const uint32_t blocks = bellman_blocks(graph->vertices);
    if (!allocate(p, graph))
        return cb_fail(err, CB_ERROR, "%s: out of memory", graph->name);
    share_out(p, graph);
    if (p->exit_rows[blocks] > BELLMAN_MOST_EXITS)
        return cb_fail(err, CB_UNSUPPORTED,
                       "%s: %u edges between blocks of %u vertices, at most %u", graph->name,
                       p->exit_rows[blocks], BELLMAN_BLOCK, BELLMAN_MOST_EXITS);
    const size_t exits = p->exit_rows[blocks] ? p->exit_rows[blocks] : 1;
    if (!(p->exits = calloc(exits, 16)))
        return cb_fail(err, CB_ERROR, "%s: out of memory", graph->name);
    share_out(p, graph);
    if (cb_sssp_pack(&b->sssp, &p->within, err) != CB_OK)
        return err->status;
    b->buffers[EXITS] = cb_sssp_upload(b->sssp.session, p->exits, 16 * exits, err);
    b->buffers[EXIT_ROWS] =
        cb_sssp_upload(b->sssp.session, p->exit_rows, 4 * ((size_t)blocks + 1), err);
    return b->buffers[EXITS] && b->buffers[EXIT_ROWS] ? CB_OK : err->status;
}

static enum cb_status write_graph(struct bellman *b, struct cb_err *err)
{
    struct parts parts = {0};
    enum cb_status status = put_parts(b, &parts, err);
    cb_graph_free(&parts.within);
    free(parts.exits);
    free(parts.exit_rows);
    return status;
}

/* --- The app's functions ---------------------------------------------------------------------- */

static void bellman_close(void *state)
{
    struct bellman *b = state;
    if (!b)
        return;
    for (int i = 0; i < BUFFERS; i++)
        if (b->buffers[i])
            clReleaseMemObject(b->buffers[i]);
    cb_sssp_close(&b->sssp);
    free(b);
}

static enum cb_status bellman_open(struct cb_session *session, const char *input, size_t max_groups,
                                   void **state, struct cb_err *err)
{
    (void)max_groups;
    struct bellman *b = calloc(1, sizeof *b);
    *state = b;
    if (!b)
        return cb_no_memory(err);
    if (cb_sssp_open(&b->sssp, session, input, err) != CB_OK || write_graph(b, err) != CB_OK)
        return err->status;
    const size_t blocks = bellman_blocks(b->sssp.graph.vertices);
    const size_t bytes[BUFFERS] = {
        [LISTS] = 4 * 2 * blocks, [SIZES] = 4 * BELLMAN_LISTS * BELLMAN_LINE, [MARKS] = 4 * blocks};
    return cb_buffers_create(session, bytes + LISTS, BUFFERS - LISTS, b->buffers + LISTS, err);
}

static size_t bellman_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct bellman *b = state;
    size_t n = 0;
    if (room < CB_SSSP_BUFFERS + BUFFERS + 2)
        return 0;
    for (int i = 0; i < CB_SSSP_BUFFERS; i++)
        values[n++] = (struct cb_kernel_value){sizeof(cl_mem), &b->sssp.buffers[i]};
    for (int i = 0; i < BUFFERS; i++)
        values[n++] = (struct cb_kernel_value){sizeof(cl_mem), &b->buffers[i]};
    values[n++] = (struct cb_kernel_value){sizeof(cl_uint), &b->sssp.graph.vertices};
    values[n++] = (struct cb_kernel_value){sizeof(cl_uint), &b->sssp.source};
    return n;
}

const struct cb_app cb_app_sssp_bellman = {
    .id = "sssp_bellman",
    .summary = "Shortest paths from one vertex of a graph, sweeps of minimum and plus",
    .source = "FSE'17 Tab. 1, in the role of Pannotia's sssp",
    .kernel = "apps/sssp_bellman/sssp_bellman.cl",
    .inputs_help = CB_GRAPH_INPUTS_HELP,
    .inputs = {CB_INPUT_ROAD_NW},
    .gpu_wg_size = 256,
    .registers = 64,
    .cpu_wg_size = 16,
    .draw_input = cb_sssp_draw_input,
    .open = bellman_open,
    .args = bellman_args,
    .clear = cb_sssp_clear,
    .check = cb_sssp_check,
    .work = "edges",
    .count_work = cb_sssp_count_edges,
    .close = bellman_close,
    .paper = &cb_sssp_bellman_paper,
    .paper_once = &cb_sssp_bellman_paper_once,
};
