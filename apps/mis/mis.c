/* SPDX-License-Identifier: Apache-2.0
 *
 * A maximal independent set (Pannotia's mis): input, buffers and check. The kernel is mis.cl.
 */
#include "apps/graphs/inputs.h"
#include "apps/mis/reference.h"
#include "apps/shared/priority.h"

static enum cb_status mis_open(struct cb_session *session, const char *input, size_t max_groups,
                               void **state, struct cb_err *err)
{
    (void)max_groups;
    return cb_priority_open(session, input, cb_mis_reference, state, err);
}

/* A vertex in the set has no neighbour in it, one outside has at least one. */
static bool is_right(const struct cb_priority *p, uint32_t v, struct cb_sample *sample)
{
    uint32_t inside = 0;
    for (uint32_t i = p->graph.rows[v]; i < p->graph.rows[v + 1]; i++)
        inside += p->results[p->graph.columns[i]] == 0;
    return cb_sample_check(sample, p->results[v] <= 1, "vertex %u: neither in nor out", v) &&
           cb_sample_check(sample, p->results[v] == 1 || inside == 0,
                           "vertex %u is in the set, and so are %u of its neighbours", v, inside) &&
           cb_sample_check(sample, p->results[v] == 0 || inside > 0,
                           "vertex %u could be in the set", v);
}

static enum cb_status mis_check(void *state, unsigned runs, struct cb_sample *sample,
                                struct cb_err *err)
{
    struct cb_priority *p = state;
    if (cb_priority_read(p, err) != CB_OK)
        return err->status;
    uint32_t inside = 0;
    for (uint32_t v = 0; v < p->graph.vertices; v++) {
        if (!is_right(p, v, sample))
            return CB_OK;
        inside += p->results[v] == 0;
    }
    cb_sample_add(sample, "result", inside);
    return cb_priority_check(p, "state", runs, sample, err);
}

/* ---- Pannotia's ------------------------------------------------------------------------------ */

static enum cb_status mis_run_baseline(void *state, struct cb_steps *steps, struct cb_err *err)
{
    return cb_priority_run_baseline(state, steps,
                                    (const char *[]){"mis_choose", "mis_rule_out", NULL}, err);
}

/* What all variants say. */
#define MIS_APP                                                                                    \
    .id = "mis", .inputs_help = CB_GRAPH_INPUTS_HELP, .inputs = {CB_INPUT_GRID, CB_INPUT_CIRCUIT}, \
    .cpu_wg_size = 64, .draw_input = cb_graph_draw, .open = mis_open, .args = cb_priority_args,    \
    .clear = cb_priority_clear, .check = mis_check, .close = cb_priority_close,                    \
    .result = {"vertex", "vertices"}

#define PAPER_APP                                                                                  \
    MIS_APP, .summary = "Maximal independent set of a graph in rounds over all vertices",          \
             .source = "OOPSLA'16 Section 5.2, Pannotia's mis", .gpu_wg_size = 256,                \
             .baseline_kernel = "apps/mis/baseline.cl", .run_baseline = mis_run_baseline

static const struct cb_app paper = {PAPER_APP, .kernel = "apps/mis/paper.cl"};
static const struct cb_app paper_once = {PAPER_APP, .kernel = "apps/mis/once.cl"};

const struct cb_app cb_app_mis = {
    MIS_APP,
    .summary = "Maximal independent set of a graph, greedy by random priorities",
    .source = "FSE'17 Tab. 1, in the role of Pannotia's mis",
    .kernel = "apps/mis/mis.cl",
    .gpu_wg_size = 1024,
    .paper = &paper,
    .paper_once = &paper_once,
};
