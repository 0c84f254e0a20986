/* SPDX-License-Identifier: Apache-2.0
 *
 * Graph colouring (Pannotia's color): input, buffers and check. The kernel is color.cl.
 */
#include "apps/color/reference.h"
#include "apps/graphs/inputs.h"
#include "apps/shared/priority.h"

#include <stdlib.h>

static enum cb_status color_open(struct cb_session *session, const char *input, size_t max_groups,
                                 void **state, struct cb_err *err)
{
    (void)max_groups;
    return cb_priority_open(session, input, cb_color_reference, state, err);
}

/* No two neighbours have the same colour. */
static void check_proper(const struct cb_priority *p, struct cb_sample *sample)
{
    for (uint32_t v = 0; v < p->graph.vertices; v++)
        for (uint32_t i = p->graph.rows[v]; i < p->graph.rows[v + 1]; i++)
            if (!cb_sample_check(sample, p->results[v] != p->results[p->graph.columns[i]],
                                 "vertices %u and %u are neighbours and have the colour %u", v,
                                 p->graph.columns[i], p->results[v]))
                return;
}

/* Each vertex has a colour, and these are 0, 1, 2 and so on. */
static enum cb_status check_colours(const struct cb_priority *p, struct cb_sample *sample,
                                    struct cb_err *err)
{
    uint32_t most = 0, colours = 0;
    bool *seen = calloc(p->graph.vertices, sizeof *seen);
    if (!seen)
        return cb_no_memory(err);
    for (uint32_t v = 0; v < p->graph.vertices; v++) {
        uint32_t colour = p->results[v];
        if (!cb_sample_check(sample, colour < p->graph.vertices, "vertex %u: no colour", v))
            continue;
        colours += !seen[colour];
        seen[colour] = true;
        most = colour > most ? colour : most;
    }
    free(seen);
    cb_sample_check(sample, colours == most + 1, "of %u colours, %u are used", most + 1, colours);
    cb_sample_add(sample, "result", colours);
    return CB_OK;
}

static enum cb_status color_check(void *state, unsigned runs, struct cb_sample *sample,
                                  struct cb_err *err)
{
    struct cb_priority *p = state;
    if (cb_priority_read(p, err) != CB_OK || check_colours(p, sample, err) != CB_OK)
        return err->status;
    check_proper(p, sample);
    return cb_priority_check(p, "colour", runs, sample, err);
}

/* ---- Pannotia's ------------------------------------------------------------------------------ */

static enum cb_status color_run_baseline(void *state, struct cb_steps *steps, struct cb_err *err)
{
    return cb_priority_run_baseline(state, steps, (const char *[]){"color_choose", NULL}, err);
}

/* What all variants say. */
#define COLOR_APP                                                                                  \
    .id = "color", .inputs_help = CB_GRAPH_INPUTS_HELP,                                            \
    .inputs = {CB_INPUT_GRID, CB_INPUT_CIRCUIT}, .cpu_wg_size = 64, .draw_input = cb_graph_draw,   \
    .open = color_open, .args = cb_priority_args, .clear = cb_priority_clear,                      \
    .check = color_check, .close = cb_priority_close, .result = {"colour", "colours"}

#define PAPER_APP                                                                                  \
    COLOR_APP, .summary = "Graph colouring in rounds over all vertices",                           \
               .source = "OOPSLA'16 Section 5.2, Pannotia's color, maxima only",                   \
               .gpu_wg_size = 256, .baseline_kernel = "apps/color/baseline.cl",                    \
               .run_baseline = color_run_baseline

static const struct cb_app paper = {PAPER_APP, .kernel = "apps/color/paper.cl"};
static const struct cb_app paper_once = {PAPER_APP, .kernel = "apps/color/once.cl"};

const struct cb_app cb_app_color = {
    COLOR_APP,
    .summary = "Graph colouring by independent sets of random priorities",
    .source = "FSE'17 Tab. 1, in the role of Pannotia's color",
    .kernel = "apps/color/color.cl",
    .gpu_wg_size = 1024,
    .paper = &paper,
    .paper_once = &paper_once,
};
