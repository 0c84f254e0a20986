/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths as Pannotia has them: a product of matrix and vector a round. The kernel is
 * paper.cl, or once.cl.
 */
#include "apps/sssp_bellman/paper.h"
#include "apps/shared/sssp_csr.h"

static enum cb_status paper_open(struct cb_session *session, const char *input, size_t max_groups,
                                 void **state, struct cb_err *err)
{
    (void)max_groups;
    return cb_sssp_csr_open(session, input, true, state, err);
}

static enum cb_status paper_run_baseline(void *state, struct cb_steps *steps, struct cb_err *err)
{
    struct cb_sssp_csr *c = state;
    struct cb_kernel_value values[CB_STEPS_VALUES];
    const struct cb_rounds rounds = {
        .begin = "vector_init",
        .steps = {"vector_assign", "spmv_min_dot_plus", "vector_diff"},
        .end = "add_digest",
        .items = c->sssp.graph.vertices,
        .flag = c->sizes,
        .most = c->sssp.graph.vertices, /* one more than the edges of a path */
    };
    return cb_steps_rounds(steps, &rounds, values, cb_sssp_csr_args(c, values, CB_COUNTOF(values)),
                           err);
}

/* What the authors' variants say. */
#define PAPER_APP                                                                                  \
    .id = "sssp_bellman",                                                                          \
    .summary = "Shortest paths from one vertex of a graph, products of minimum and plus",          \
    .source = "OOPSLA'16 Section 5.2, Pannotia's sssp", .inputs_help = CB_GRAPH_INPUTS_HELP,       \
    .inputs = {CB_INPUT_ROAD_NW}, .gpu_wg_size = 256, .cpu_wg_size = 64,                           \
    .draw_input = cb_sssp_draw_input, .open = paper_open, .args = cb_sssp_csr_args,                \
    .clear = cb_sssp_clear, .check = cb_sssp_check, .close = cb_sssp_csr_close, .work = "edges",   \
    .count_work = cb_sssp_count_edges, .baseline_kernel = "apps/sssp_bellman/baseline.cl",         \
    .run_baseline = paper_run_baseline

const struct cb_app cb_sssp_bellman_paper = {PAPER_APP, .kernel = "apps/sssp_bellman/paper.cl"};
const struct cb_app cb_sssp_bellman_paper_once = {PAPER_APP, .kernel = "apps/sssp_bellman/once.cl"};
