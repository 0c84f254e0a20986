/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "apps/graph/sssp.h"
#include "apps/sssp_bellman/sssp_bellman_abi.h"

enum { LISTS, SIZES, MARKS, BUFFERS };

struct bellman {
    struct cb_sssp sssp;
    cl_mem buffers[BUFFERS];
};

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
        return cb_fail(err, CB_ERROR, "out of memory");
    if (cb_sssp_open(&b->sssp, session, input, err) != CB_OK)
        return err->status;
    const size_t blocks = bellman_blocks(b->sssp.graph.vertices);
    const size_t words[BUFFERS] = {
        [LISTS] = 2 * blocks, [SIZES] = BELLMAN_LISTS * BELLMAN_LINE, [MARKS] = blocks};
    for (int i = 0; i < BUFFERS; i++)
        if (!(b->buffers[i] = cb_buffer_create(session, 4 * words[i], err)))
            return err->status;
    return CB_OK;
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
    .gpu_wg = 256,
    .cpu_wg = 16,
    .draw_input = cb_sssp_draw_input,
    .open = bellman_open,
    .args = bellman_args,
    .clear = cb_sssp_clear,
    .check = cb_sssp_check,
    .work = "edges",
    .count_work = cb_sssp_count_edges,
    .close = bellman_close,
};
