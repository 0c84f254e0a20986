/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/graphs/device.h"

enum cb_status cb_graph_open(struct cb_session *session, const char *spec, struct cb_graph *graph,
                             struct cb_err *err)
{
    enum cb_status status = cb_graph_load(spec, graph, err);
    if (status == CB_OK)
        cb_identity_note(session, spec, cb_graph_identity(graph));
    return status;
}

enum cb_status cb_graph_upload(struct cb_session *session, const struct cb_graph *graph,
                               struct cb_graph_buffers *buffers, struct cb_err *err)
{
    const uint32_t *const words[] = {graph->rows, graph->columns, graph->weights};
    const uint64_t counts[] = {graph->vertices + 1ull, graph->edges, graph->edges};
    const size_t n = graph->weights ? 3 : 2;
    size_t bytes[3];
    cl_mem made[3] = {NULL};
    for (size_t i = 0; i < n; i++)
        bytes[i] = sizeof *words[i] * (counts[i] ? counts[i] : 1);
    enum cb_status status = cb_buffers_create(session, bytes, n, made, err);
    *buffers = (struct cb_graph_buffers){made[0], made[1], made[2]};
    for (size_t i = 0; i < n && status == CB_OK; i++)
        if (counts[i] > 0)
            status = cb_buffer_write(session, made[i], words[i], bytes[i], err);
    if (status != CB_OK)
        cb_graph_release_buffers(buffers);
    return status;
}

void cb_graph_release_buffers(struct cb_graph_buffers *buffers)
{
    const cl_mem all[] = {buffers->rows, buffers->columns, buffers->weights};
    for (size_t i = 0; i < CB_COUNTOF(all); i++)
        if (all[i])
            clReleaseMemObject(all[i]);
    *buffers = (struct cb_graph_buffers){0};
}
