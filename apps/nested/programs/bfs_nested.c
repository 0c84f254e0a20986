/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search from the vertex with the most edges on (bfs_nested.cl). Without a file each
 * vertex has as many edges, to any.
 */
#include <stdlib.h>

#include "apps/nested/programs/programs.h"
#include "measure/random.h"

#define SEED 1

/* One vertex after the other, in the order in which they are found. */
static enum cb_status search(struct cb_nest_data *d, struct cb_err *err)
{
    uint32_t *found = malloc(d->parents * sizeof *found), n = 0;
    if (!found)
        return cb_fail(err, CB_ERROR, "out of memory for the search");
    const uint32_t source = cb_nest_source(d);
    d->words[source] = d->expected[source] = 1;
    found[n++] = source;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t e = d->begins[found[i]]; e < d->begins[found[i] + 1]; e++)
            if (d->expected[d->others[e]] == 0) {
                d->expected[d->others[e]] = d->expected[found[i]] + 1;
                found[n++] = d->others[e];
            }
    free(found);
    return CB_OK;
}

static enum cb_status draw(const struct cb_nest_size *size, struct cb_nest_data *d,
                           struct cb_err *err)
{
    struct cb_random random = {SEED};
    if (cb_nest_room(d, size->parents, (size_t)size->parents * size->items, size->parents,
                     size->parents, err) != CB_OK)
        return err->status;
    for (uint32_t p = 0; p < d->parents; p++)
        d->begins[p + 1] = d->begins[p] + size->items;
    for (size_t e = 0; e < d->n_others; e++)
        d->others[e] = (uint32_t)cb_random_below(&random, d->parents);
    return CB_OK;
}

static enum cb_status load(const char *input, struct cb_nest_data *d, struct cb_err *err)
{
    const struct cb_nest_graph needs = {.words_of_vertex = 1};
    struct cb_graph graph;
    if (cb_graph_load(input, &graph, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_nest_take_graph(d, &graph, &needs, err);
    cb_graph_free(&graph);
    return status;
}

static enum cb_status make(const struct cb_nest_size *size, const char *input,
                           struct cb_nest_data *d, struct cb_err *err)
{
    enum cb_status status = input ? load(input, d, err) : draw(size, d, err);
    return status == CB_OK ? search(d, err) : status;
}

const struct cb_nest_program cb_nest_bfs_nested = {
    .id = "bfs_nested",
    .kernel = "apps/nested/programs/bfs_nested.cl",
    .parent_size = 1024,
    .child_size = 32,
    .phases = 1,
    .launching = 1,
    .has_laps = true,
    .same_rounds = true,
    .sizes = {{500, 8}, {4000, 50}, {10000, 1000}},
    .takes = "graph",
    .make = make,
};
