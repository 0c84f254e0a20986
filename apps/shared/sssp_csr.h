/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of the apps of shortest paths as their authors have them, whose kernels read the
 * graph in compressed sparse rows. Their arguments are
 *
 *     rows, columns, weights   of the graph; a weight of SSSP_NO_EDGE leads nowhere
 *     words, digests           as in sssp.clh
 *     lists                    two of `vertices` words
 *     sizes                    SSSP_SIZES words, SSSP_LINE apart
 *     vertices, source
 */
#pragma once

#include "apps/graphs/device.h"
#include "apps/shared/sssp.h"

struct cb_sssp_csr {
    struct cb_sssp sssp;
    struct cb_graph_buffers device;
    cl_mem lists, sizes;
};

/* Errors are those of cb_sssp_open(). transposed: the rows are those of the edges that lead to a
 * vertex. cb_sssp_csr_close() frees what is there, also after a failure. */
enum cb_status cb_sssp_csr_open(struct cb_session *session, const char *input, bool transposed,
                                void **state, struct cb_err *err);
void cb_sssp_csr_close(void *state);
size_t cb_sssp_csr_args(void *state, struct cb_kernel_value *values, size_t room);
