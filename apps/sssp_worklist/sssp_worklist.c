/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths by near and far lists (LonestarGPU's sssp): input, buffers and check. The kernel
 * is sssp_worklist.cl; README.md has the algorithm.
 */
#include <stdlib.h>

#include "apps/shared/sssp.h"
#include "apps/shared/sssp_abi.h"
#include "apps/sssp_worklist/paper.h"
#include "apps/sssp_worklist/sssp_worklist_abi.h"

enum { NEARS, FARS, CHUNKS, TALLIES, BUFFERS };

struct worklist {
    struct cb_sssp sssp;
    cl_mem buffers[BUFFERS];
    cl_uint delta, hubs;
};

/* With which the work is about that of Dijkstra's algorithm, if the weights are evenly spread from
 * 0 to twice their mean (Meyer and Sanders: Delta-stepping, Section 3). The kernel enlarges it
 * while there is too little to do at a time. */
static cl_uint choose_delta(const struct cb_graph *graph)
{
    double sum = 0;
    for (uint64_t e = 0; e < graph->edges; e++)
        sum += graph->weights[e];
    if (graph->edges == 0)
        return 1;
    double mean = sum / (double)graph->edges, degree = (double)graph->edges / graph->vertices;
    double delta = 2 * mean / degree;
    return delta < 1 ? 1 : delta > SSSP_FARTHEST / 2 ? SSSP_FARTHEST / 2 : (cl_uint)delta;
}

/* Counts the chunks of all hubs, and at least one. */
static size_t count_chunks(const struct cb_graph *graph)
{
    size_t chunks = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint32_t more = cb_sssp_more_records(graph, v);
        chunks += more > SSSP_FEW ? worklist_chunks(more) : 0;
    }
    return chunks;
}

static void worklist_close(void *state)
{
    struct worklist *w = state;
    if (!w)
        return;
    for (int i = 0; i < BUFFERS; i++)
        if (w->buffers[i])
            clReleaseMemObject(w->buffers[i]);
    cb_sssp_close(&w->sssp);
    free(w);
}

static enum cb_status worklist_open(struct cb_session *session, const char *input,
                                    size_t max_groups, void **state, struct cb_err *err)
{
    (void)max_groups;
    struct worklist *w = calloc(1, sizeof *w);
    *state = w;
    if (!w)
        return cb_no_memory(err);
    const struct cb_graph *graph = &w->sssp.graph;
    if (cb_sssp_open(&w->sssp, session, input, err) != CB_OK ||
        cb_sssp_pack(&w->sssp, graph, err) != CB_OK)
        return err->status;
    const size_t chunks = count_chunks(graph);
    const size_t bytes[BUFFERS] = {
        [NEARS] = 4 * 2 * (size_t)graph->vertices,
        [FARS] = 4 * 2 * (size_t)graph->vertices,
        [CHUNKS] = 4 * 4 * (chunks ? chunks : 1),
        [TALLIES] = 4 * WORKLIST_TALLIES * WORKLIST_LINE,
    };
    w->delta = choose_delta(graph);
    w->hubs = chunks > 0;
    return cb_buffers_create(session, bytes, BUFFERS, w->buffers, err);
}

static size_t worklist_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct worklist *w = state;
    const cl_uint *const numbers[] = {&w->sssp.graph.vertices, &w->sssp.source, &w->delta,
                                      &w->hubs};
    size_t n = 0;
    if (room < CB_SSSP_BUFFERS + BUFFERS + CB_COUNTOF(numbers))
        return 0;
    for (int i = 0; i < CB_SSSP_BUFFERS; i++)
        values[n++] = (struct cb_kernel_value){sizeof(cl_mem), &w->sssp.buffers[i]};
    for (int i = 0; i < BUFFERS; i++)
        values[n++] = (struct cb_kernel_value){sizeof(cl_mem), &w->buffers[i]};
    for (size_t i = 0; i < CB_COUNTOF(numbers); i++)
        values[n++] = (struct cb_kernel_value){sizeof(cl_uint), numbers[i]};
    return n;
}

const struct cb_app cb_app_sssp_worklist = {
    .id = "sssp_worklist",
    .summary = "Shortest paths from one vertex of a graph, worklists of near and far vertices",
    .source = "FSE'17 Tab. 1, in the role of LonestarGPU's sssp",
    .kernel = "apps/sssp_worklist/sssp_worklist.cl",
    .inputs_help = CB_GRAPH_INPUTS_HELP,
    .inputs = {CB_INPUT_ROAD, CB_INPUT_RMAT, CB_INPUT_UNIFORM, CB_INPUT_USA},
    .slow_check = true,
    .gpu_wg_size = 256,
    .registers = 64,
    .cpu_wg_size = 4,
    .draw_input = cb_sssp_draw_input,
    .open = worklist_open,
    .args = worklist_args,
    .clear = cb_sssp_clear,
    .check = cb_sssp_check,
    .work = "edges",
    .count_work = cb_sssp_count_edges,
    .close = worklist_close,
    .paper = &cb_sssp_worklist_paper,
    .paper_once = &cb_sssp_worklist_paper_once,
};
