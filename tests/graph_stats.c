/* SPDX-License-Identifier: Apache-2.0
 *
 * graph_stats SPEC...: a Markdown row for each graph, as docs/graphs.md has them.
 *
 * Depth: of the deepest vertex that a breadth-first search reaches from the first of the vertices
 * with the most edges, where bfs and sssp begin. Diameter: at least the depth of a second search,
 * from a vertex that the first one reached last. Widest: vertices of the largest level of the
 * first.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/bfs/reference.h"
#include "apps/graphs/graph.h"

#define MANY 6 /* edges of a vertex: not counted apart from here on */

struct search {
    uint32_t depth, last, widest, reached;
};

static uint32_t degree(const struct cb_graph *graph, uint32_t v)
{
    return graph->rows[v + 1] - graph->rows[v];
}

/* Takes two arrays of a word for each vertex. */
static bool search_from(const struct cb_graph *graph, uint32_t source, uint32_t *levels,
                        uint32_t *sizes, struct search *found)
{
    if (!cb_bfs_reference(graph, source, levels))
        return false;
    *found = (struct search){.last = source};
    for (uint32_t v = 0; v < graph->vertices; v++)
        sizes[v] = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        if (levels[v] == UINT32_MAX)
            continue;
        found->reached++;
        if (++sizes[levels[v]] > found->widest)
            found->widest = sizes[levels[v]];
        if (levels[v] > found->depth) {
            found->depth = levels[v];
            found->last = v;
        }
    }
    return true;
}

static void print_degrees(const struct cb_graph *graph, uint32_t most)
{
    uint64_t count[MANY + 1] = {0};
    for (uint32_t v = 0; v < graph->vertices; v++)
        count[degree(graph, v) < MANY ? degree(graph, v) : MANY]++;
    printf("| %.2f | ", (double)graph->edges / graph->vertices);
    for (int i = 0; i <= MANY; i++)
        printf("%.1f%s", 100.0 * (double)count[i] / graph->vertices, i < MANY ? " / " : " | ");
    printf("%" PRIu32 " ", most);
}

static int by_size(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the weights, which nobody needs any more. */
static void print_weights(struct cb_graph *graph)
{
    double sum = 0;
    for (uint64_t i = 0; i < graph->edges; i++)
        sum += graph->weights[i];
    qsort(graph->weights, graph->edges, sizeof *graph->weights, by_size);
    if (graph->edges == 0)
        printf("| - |\n");
    else
        printf("| %" PRIu32 ", %" PRIu32 ", %.0f, %" PRIu32 " |\n", graph->weights[0],
               graph->weights[graph->edges / 2], sum / (double)graph->edges,
               graph->weights[graph->edges - 1]);
}

static bool print_graph(struct cb_graph *graph)
{
    uint32_t *levels = malloc(4 * (size_t)graph->vertices);
    uint32_t *sizes = malloc(4 * (size_t)graph->vertices);
    uint32_t source = cb_graph_busiest(graph);
    struct search first, second;
    bool ok = levels && sizes && search_from(graph, source, levels, sizes, &first) &&
              search_from(graph, first.last, levels, sizes, &second);
    free(levels);
    free(sizes);
    if (!ok)
        return false;
    printf("| `%s` | %" PRIu32 " | %" PRIu64 " ", graph->name, graph->vertices, graph->edges);
    print_degrees(graph, degree(graph, source));
    printf("| %.1f | %" PRIu32 " | %" PRIu32 " | %" PRIu32 " ",
           100.0 * first.reached / graph->vertices, first.depth, first.widest, second.depth);
    print_weights(graph);
    return true;
}

int main(int n, char **specs)
{
    puts("| graph | n | m | m / n | of 0 / 1 / 2 / 3 / 4 / 5 / more edges, % | most edges "
         "| reached, % | depth | widest | diameter, at least | weights: least, median, mean, most "
         "|");
    puts("|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---|");
    for (int i = 1; i < n; i++) {
        struct cb_graph graph;
        struct cb_err err = {0};
        bool ok = cb_graph_load(specs[i], &graph, &err) == CB_OK;
        if (!ok || !print_graph(&graph)) {
            fprintf(stderr, "graph_stats: %s\n", ok ? "out of memory" : err.text);
            return 1;
        }
        cb_graph_free(&graph);
    }
    return 0;
}
