/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths from the vertex with the most edges on (sssp_nested.cl).
 */
#include <stdio.h>
#include <string.h>

#include "apps/nested/programs/programs.h"
#include "apps/nested/programs/sssp_abi.h"

/* Whether it makes an edge's end nearer. */
static bool relax(struct cb_nest_data *d, uint32_t from, uint32_t edge)
{
    const uint32_t distance = sssp_sum(d->expected[from], d->others[d->begins[d->parents] + edge]);
    if (distance >= d->expected[d->others[edge]])
        return false;
    d->expected[d->others[edge]] = distance;
    return true;
}

/* Until nothing changes: none of the weights is negative. */
static void relax_all(struct cb_nest_data *d)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t p = 0; p < d->parents; p++)
            for (uint32_t e = d->begins[p]; e < d->begins[p + 1] && d->expected[p] != SSSP_FAR; e++)
                changed = relax(d, p, e) || changed;
    }
}

static enum cb_status make(const struct cb_nest_size *size, const char *input,
                           struct cb_nest_data *d, struct cb_err *err)
{
    const struct cb_nest_graph needs = {.weighted = true, .words_of_vertex = 2};
    struct cb_graph graph;
    char spec[32];
    snprintf(spec, sizeof spec, "rmat:%u", size->items);
    if (cb_graph_load(input ? input : spec, &graph, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_nest_take_graph(d, &graph, &needs, err);
    cb_graph_free(&graph);
    if (status != CB_OK)
        return status;
    memset(d->words, 0xff, d->parents * sizeof *d->words);
    memset(d->expected, 0xff, d->parents * sizeof *d->words);
    const uint32_t source = cb_nest_source(d);
    d->words[source] = d->expected[source] = 0;
    d->words[d->parents + source] = 1;
    relax_all(d);
    return CB_OK;
}

const struct cb_nest_program cb_nest_sssp_nested = {
    .id = "sssp_nested",
    .kernel = "apps/nested/programs/sssp_nested.cl",
    .parent_size = 128,
    .child_size = 128,
    .phases = 1,
    .launching = 1,
    .has_laps = true,
    .sizes = {{1u << 8, 8}, {1u << 12, 12}, {1u << 17, 17}},
    .takes = "graph",
    .make = make,
};
