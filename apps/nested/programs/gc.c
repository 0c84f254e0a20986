/* SPDX-License-Identifier: Apache-2.0
 *
 * Graph colouring (gc.cl) of an undirected graph; without a file, of one whose vertices are all as
 * likely.
 */
#include <stdio.h>
#include <stdlib.h>

#include "apps/nested/programs/programs.h"

#define WORDS 8 /* words of a vertex, the first its colour, from 1 on (gc.cl) */

/* An edge is drawn once for two vertices: half as many draws as edges that a vertex has. */
static void name_graph(const struct cb_nest_size *size, char spec[32])
{
    unsigned scale = 0;
    while (1u << scale < size->parents)
        scale++;
    snprintf(spec, 32, "uniform:%u:%u", scale, size->items / 2);
}

static enum cb_status make(const struct cb_nest_size *size, const char *input,
                           struct cb_nest_data *d, struct cb_err *err)
{
    const struct cb_nest_graph needs = {.words_of_vertex = WORDS};
    struct cb_graph graph;
    char spec[32];
    name_graph(size, spec);
    if (cb_graph_load(input ? input : spec, &graph, err) != CB_OK ||
        cb_graph_symmetrise(&graph, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_nest_take_graph(d, &graph, &needs, err);
    cb_graph_free(&graph);
    return status;
}

/* Whether it has a colour, of which the number of its edges leaves one free. */
static bool check_colour(const struct cb_nest_data *d, const uint32_t *colours, uint32_t v,
                         char why[CB_NEST_WHY])
{
    const uint32_t edges = d->begins[v + 1] - d->begins[v];
    if (colours[v] == 0)
        snprintf(why, CB_NEST_WHY, "vertex %u has no colour", v);
    else if (colours[v] - 1 > edges)
        snprintf(why, CB_NEST_WHY, "vertex %u has colour %u, and %u edges", v, colours[v] - 1,
                 edges);
    return !why[0];
}

/* Whether no neighbour has its colour, and some neighbour each lower one. seen: of each colour the
 * last vertex with such a neighbour, counted from 1 on. */
static bool check_neighbours(const struct cb_nest_data *d, const uint32_t *colours, uint32_t v,
                             uint32_t *seen, char why[CB_NEST_WHY])
{
    uint32_t lower = 0;
    for (uint32_t e = d->begins[v]; e < d->begins[v + 1] && !why[0]; e++) {
        const uint32_t colour = colours[d->others[e]];
        if (colour == colours[v])
            snprintf(why, CB_NEST_WHY, "vertices %u and %u are neighbours of colour %u", v,
                     d->others[e], colour - 1);
        else if (colour < colours[v] && seen[colour] != v + 1) {
            seen[colour] = v + 1;
            lower++;
        }
    }
    if (!why[0] && lower + 1 != colours[v])
        snprintf(why, CB_NEST_WHY, "vertex %u has colour %u, and neighbours of %u lower ones", v,
                 colours[v] - 1, lower);
    return !why[0];
}

/* Any colouring is right in which no two neighbours have the same colour, and each vertex the
 * lowest that they have left free. */
static bool check(const struct cb_nest_data *d, const uint32_t *found, char why[CB_NEST_WHY])
{
    uint32_t *seen = calloc(d->n + (size_t)2, sizeof *seen);
    if (!seen)
        snprintf(why, CB_NEST_WHY, "out of memory for the check");
    for (uint32_t v = 0; v < d->parents && !why[0]; v++)
        check_colour(d, found, v, why);
    for (uint32_t v = 0; v < d->parents && !why[0]; v++)
        check_neighbours(d, found, v, seen, why);
    free(seen);
    return !why[0];
}

const struct cb_nest_program cb_nest_gc = {
    .id = "gc",
    .kernel = "apps/nested/programs/gc.cl",
    .parent_size = 256,
    .child_size = 256,
    .phases = 4,
    .launching = 1 << 0 | 1 << 2,
    .has_laps = true,
    .same_rounds = true,
    .sizes = {{1u << 8, 16}, {1u << 10, 42}, {1u << 12, 42}},
    .takes = "graph",
    .make = make,
    .check = check,
};
