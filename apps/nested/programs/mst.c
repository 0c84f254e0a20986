/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimum spanning forest (mst.cl) of an undirected graph. mstf launches where the best
 * weights of components are found, mstv where it is verified which edges have them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/mst/reference.h"
#include "apps/nested/programs/mst_abi.h"
#include "apps/nested/programs/programs.h"

#define MOST (UINT32_MAX - MST_SUMS) /* words of an array */

/* ---- The input ------------------------------------------------------------------------------- */

/* Each edge in both directions; a vertex's from the last to the first. */
static void place_edges(struct cb_nest_data *d, const struct cb_mst_edges *edges)
{
    for (uint32_t i = 0; i < edges->count; i++)
        for (int end = 0; end < 2; end++)
            d->begins[edges->list[i].ends[end]]++;
    for (uint32_t v = 1; v <= d->parents; v++)
        d->begins[v] += d->begins[v - 1];
    for (uint32_t i = edges->count; i-- > 0;) {
        const struct cb_mst_edge *edge = &edges->list[i];
        const uint32_t numbers[2] = {--d->begins[edge->ends[0]], --d->begins[edge->ends[1]]};
        for (int end = 0; end < 2; end++) {
            d->others[numbers[end]] = edge->ends[!end];
            d->others[d->n + numbers[end]] = edge->weight;
            d->others[2 * d->n + numbers[end]] = numbers[!end];
        }
    }
}

/* Each vertex is a component of its own. */
static void begin_words(struct cb_nest_data *d)
{
    memset(d->words, 0xff, (size_t)MST_ARRAYS * d->parents * sizeof *d->words);
    for (uint32_t v = 0; v < d->parents; v++)
        d->words[MST_COMPONENT * d->parents + v] = d->words[MST_LINK * d->parents + v] = v;
}

/* The sums of what Kruskal's algorithm takes. */
static enum cb_status expect(struct cb_nest_data *d, const struct cb_mst_edges *edges,
                             struct cb_err *err)
{
    struct cb_mst_sum sum;
    uint32_t *forest = calloc(cb_mst_words(edges->count) + 1, sizeof *forest);
    const bool done =
        forest && cb_mst_reference(edges, forest) && cb_mst_add_up(edges, forest, &sum);
    free(forest);
    if (!done)
        return cb_fail(err, CB_ERROR, "out of memory for the forest");
    d->expected[0] = sum.edges;
    d->expected[1] = (uint32_t)sum.weight;
    d->expected[2] = (uint32_t)(sum.weight >> 32);
    return CB_OK;
}

static enum cb_status take_edges(struct cb_nest_data *d, const struct cb_mst_edges *edges,
                                 struct cb_err *err)
{
    const size_t n = 2 * (size_t)edges->count, words = MST_ARRAYS * (size_t)edges->vertices + n;
    if (3 * n > MOST || words > MOST)
        return cb_fail(err, CB_UNSUPPORTED, "mst: at most %u words for vertices and edges", MOST);
    d->n = (uint32_t)n;
    if (cb_nest_room(d, edges->vertices, 3 * n, words + MST_SUMS, MST_SUMS, err) != CB_OK)
        return err->status;
    place_edges(d, edges);
    begin_words(d);
    return expect(d, edges, err);
}

static enum cb_status make(const struct cb_nest_size *size, const char *input,
                           struct cb_nest_data *d, struct cb_err *err)
{
    struct cb_mst_edges edges = {0};
    struct cb_graph graph;
    char spec[32];
    snprintf(spec, sizeof spec, "rmat:%u", size->items);
    if (cb_graph_load(input ? input : spec, &graph, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_mst_edges_of(&graph, &edges, err);
    cb_graph_free(&graph);
    if (status == CB_OK)
        status = take_edges(d, &edges, err);
    cb_mst_edges_free(&edges);
    return status;
}

/* ---- The check ------------------------------------------------------------------------------- */

/* The edges that are marked, added up on their own. false: no memory. */
static bool add_up(const struct cb_nest_data *d, const uint32_t *marks, struct cb_mst_sum *sum)
{
    struct cb_mst_edges edges = {.vertices = d->parents,
                                 .list = malloc((d->n + (size_t)1) * sizeof *edges.list)};
    uint32_t *all = malloc((cb_mst_words(d->n) + 1) * sizeof *all);
    for (uint32_t v = 0; edges.list && v < d->parents; v++)
        for (uint32_t e = d->begins[v]; e < d->begins[v + 1]; e++)
            if (marks[e])
                edges.list[edges.count++] =
                    (struct cb_mst_edge){{v, d->others[e]}, e, d->others[d->n + e]};
    if (all)
        memset(all, 0xff, (cb_mst_words(d->n) + 1) * sizeof *all);
    const bool done = edges.list && all && cb_mst_add_up(&edges, all, sum);
    cb_mst_edges_free(&edges);
    free(all);
    return done;
}

/* Without a cycle, and as many edges and as heavy as Kruskal's: a minimum forest, which spans all.
 */
static bool check_forest(const struct cb_nest_data *d, const uint32_t *found, char why[CB_NEST_WHY])
{
    const uint64_t weight = d->expected[1] | (uint64_t)d->expected[2] << 32;
    struct cb_mst_sum sum;
    if (!add_up(d, found + mst_forest(d->parents), &sum))
        snprintf(why, CB_NEST_WHY, "out of memory for the check");
    else if (sum.closing != UINT32_MAX)
        snprintf(why, CB_NEST_WHY, "edge %u of those marked closes a cycle", sum.closing);
    else if (sum.edges != d->expected[0])
        snprintf(why, CB_NEST_WHY, "the forest has %u edges instead of %u", sum.edges,
                 d->expected[0]);
    else if (sum.weight != weight)
        snprintf(why, CB_NEST_WHY, "the forest weighs %llu instead of %llu",
                 (unsigned long long)sum.weight, (unsigned long long)weight);
    return !why[0];
}

static bool check_sums(const struct cb_nest_data *d, const uint32_t *found, char why[CB_NEST_WHY])
{
    const uint32_t *sums = found + mst_sums(d->parents, d->n);
    for (unsigned i = 0; i < MST_SUMS && !why[0]; i++)
        if (sums[i] != d->expected[i])
            snprintf(why, CB_NEST_WHY, "sum %u is %u instead of %u", i, sums[i], d->expected[i]);
    return !why[0];
}

/* The ends of each edge have one root, and there are as many roots as trees. */
static bool check_components(const struct cb_nest_data *d, const uint32_t *found,
                             char why[CB_NEST_WHY])
{
    const uint32_t *roots = found + MST_COMPONENT * d->parents;
    uint32_t trees = 0;
    for (uint32_t v = 0; v < d->parents; v++) {
        trees += roots[v] == v;
        for (uint32_t e = d->begins[v]; e < d->begins[v + 1]; e++)
            if (roots[d->others[e]] != roots[v]) {
                snprintf(why, CB_NEST_WHY, "vertices %u and %u are neighbours of two components", v,
                         d->others[e]);
                return false;
            }
    }
    if (trees + d->expected[0] != d->parents)
        snprintf(why, CB_NEST_WHY, "%u components instead of %u", trees,
                 d->parents - d->expected[0]);
    return !why[0];
}

static bool check(const struct cb_nest_data *d, const uint32_t *found, char why[CB_NEST_WHY])
{
    return check_forest(d, found, why) && check_sums(d, found, why) &&
           check_components(d, found, why);
}

#define MST(program, phase)                                                                        \
    {                                                                                              \
        .id = program, .kernel = "apps/nested/programs/mst.cl", .parent_size = 1024,               \
        .child_size = 1024, .phases = 4, .launching = 1u << (phase), .has_laps = true,             \
        .same_rounds = true, .sizes = {{1u << 8, 8}, {1u << 10, 10}, {1u << 12, 12}},              \
        .takes = "graph", .make = make, .check = check,                                            \
    }

const struct cb_nest_program cb_nest_mstf = MST("mstf", 0), cb_nest_mstv = MST("mstv", 1);
