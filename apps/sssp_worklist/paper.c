/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths as LonestarGPU has them: one list read and one written a round. The kernel is
 * paper.cl, or once.cl.
 */
#include "apps/sssp_worklist/paper.h"
#include "apps/shared/sssp_csr.h"

static enum cb_status paper_open(struct cb_session *session, const char *input, size_t max_groups,
                                 void **state, struct cb_err *err)
{
    (void)max_groups;
    return cb_sssp_csr_open(session, input, false, state, err);
}

/* What the authors' variants say. */
#define PAPER_APP                                                                                  \
    .id = "sssp_worklist",                                                                         \
    .summary = "Shortest paths from one vertex of a graph, rounds over a worklist",                \
    .source = "OOPSLA'16 Section 5.3, LonestarGPU's sssp", .inputs_help = CB_GRAPH_INPUTS_HELP,    \
    .inputs = {CB_INPUT_ROAD, CB_INPUT_RMAT, CB_INPUT_UNIFORM, CB_INPUT_USA}, .slow_check = true,  \
    .gpu_wg_size = 256, .cpu_wg_size = 64, .draw_input = cb_sssp_draw_input, .open = paper_open,   \
    .args = cb_sssp_csr_args, .clear = cb_sssp_clear, .check = cb_sssp_check,                      \
    .close = cb_sssp_csr_close, .work = "edges", .count_work = cb_sssp_count_edges

const struct cb_app cb_sssp_worklist_paper = {PAPER_APP, .kernel = "apps/sssp_worklist/paper.cl"};
const struct cb_app cb_sssp_worklist_paper_once = {PAPER_APP,
                                                   .kernel = "apps/sssp_worklist/once.cl"};
