/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs on the device: what kernels read as `const global uint *`, in words, and never write.
 *
 *     struct cb_graph_buffers buffers = {0};
 *     status = cb_graph_upload(session, &graph, &buffers, err);
 *     ...
 *     cb_graph_release_buffers(&buffers);
 */
#pragma once

#include <CL/cl.h>

#include "apps/graphs/graph.h"
#include "runtime/session.h"

struct cb_graph_buffers {
    cl_mem rows;    /* vertices + 1 */
    cl_mem columns; /* edges; one word if there are none */
    cl_mem weights; /* as columns; NULL if the graph has none */
};

/* cb_graph_load() of a case's input: the session notes what it is (measure/identity.h). */
enum cb_status cb_graph_open(struct cb_session *session, const char *spec, struct cb_graph *graph,
                             struct cb_err *err);

/* Copies the graph to the device; it may be freed afterwards. What was made before a failure is
 * released. */
enum cb_status cb_graph_upload(struct cb_session *session, const struct cb_graph *graph,
                               struct cb_graph_buffers *buffers, struct cb_err *err);

/* Empty ones are fine. */
void cb_graph_release_buffers(struct cb_graph_buffers *buffers);
