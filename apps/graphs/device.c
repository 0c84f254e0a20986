/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/graphs/device.h"

static enum cb_status upload(struct cb_session *session, const uint32_t *words, uint64_t count,
                             cl_mem *buffer, struct cb_err *err)
{
    *buffer = cb_buffer_create(session, sizeof *words * (count ? count : 1), err);
    if (!*buffer)
        return err->status;
    if (count == 0)
        return CB_OK;
    return cb_buffer_write(session, *buffer, words, sizeof *words * count, err);
}

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
    *buffers = (struct cb_graph_buffers){0};
    enum cb_status status =
        upload(session, graph->rows, graph->vertices + 1ull, &buffers->rows, err);
    if (status == CB_OK)
        status = upload(session, graph->columns, graph->edges, &buffers->columns, err);
    if (status == CB_OK && graph->weights)
        status = upload(session, graph->weights, graph->edges, &buffers->weights, err);
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
