/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/shared/sssp_csr.h"

#include <stdlib.h>

#include "apps/shared/sssp_abi.h"

/* Uploads the graph, with weights as kernels read them; from now on the host uses only its rows. */
static enum cb_status upload(struct cb_sssp_csr *c, bool transposed, struct cb_err *err)
{
    struct cb_graph *graph = &c->sssp.graph, turned = {0};
    for (uint64_t e = 0; e < graph->edges; e++)
        graph->weights[e] = cb_sssp_weight(graph, e);
    if (transposed && cb_graph_transpose(graph, &turned, err) != CB_OK)
        return err->status;
    enum cb_status status =
        cb_graph_upload(c->sssp.session, transposed ? &turned : graph, &c->device, err);
    cb_graph_free(&turned);
    return status;
}

enum cb_status cb_sssp_csr_open(struct cb_session *session, const char *input, bool transposed,
                                void **state, struct cb_err *err)
{
    struct cb_sssp_csr *c = calloc(1, sizeof *c);
    *state = c;
    if (!c)
        return cb_no_memory(err);
    if (cb_sssp_open(&c->sssp, session, input, err) != CB_OK || upload(c, transposed, err) != CB_OK)
        return err->status;
    c->lists = cb_buffer_create(session, 2 * 4 * (size_t)c->sssp.graph.vertices, err);
    c->sizes = c->lists ? cb_buffer_create(session, 4 * SSSP_SIZES * SSSP_LINE, err) : NULL;
    return c->sizes ? CB_OK : err->status;
}

void cb_sssp_csr_close(void *state)
{
    struct cb_sssp_csr *c = state;
    if (!c)
        return;
    if (c->lists)
        clReleaseMemObject(c->lists);
    if (c->sizes)
        clReleaseMemObject(c->sizes);
    cb_graph_release_buffers(&c->device);
    cb_sssp_close(&c->sssp);
    free(c);
}

size_t cb_sssp_csr_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct cb_sssp_csr *c = state;
    const cl_mem *const buffers[] = {
        &c->device.rows,
        &c->device.columns,
        &c->device.weights,
        &c->sssp.buffers[CB_SSSP_WORDS],
        &c->sssp.buffers[CB_SSSP_DIGESTS],
        &c->lists,
        &c->sizes,
    };
    const cl_uint *const numbers[] = {&c->sssp.graph.vertices, &c->sssp.source};
    size_t n = 0;
    if (room < CB_COUNTOF(buffers) + CB_COUNTOF(numbers))
        return 0;
    for (size_t i = 0; i < CB_COUNTOF(buffers); i++)
        values[n++] = (struct cb_kernel_value){sizeof(cl_mem), buffers[i]};
    for (size_t i = 0; i < CB_COUNTOF(numbers); i++)
        values[n++] = (struct cb_kernel_value){sizeof(cl_uint), numbers[i]};
    return n;
}
