/* SPDX-License-Identifier: Apache-2.0
 *
 * Brandes, A faster algorithm for betweenness centrality (2001), as he has it: paths are counted
 * forwards, from a vertex to those after it, and dependencies go back along lists of predecessors.
 * Numbers of paths are long doubles, whose exponents reach far enough for 16,000 levels.
 */
#include "apps/bc/reference.h"

#include <stdlib.h>
#include <string.h>

#include "apps/bc/bc_abi.h"

#define UNREACHED UINT32_MAX

struct search {
    const struct cb_graph *graph;
    uint32_t *levels, *exact; /* exact: paths modulo 2^32 */
    long double *paths, *dependencies;
    uint32_t *order, reached;           /* vertices, as they were found */
    uint32_t *lists, *befores, *counts; /* predecessors of v: counts[v] from befores[lists[v]] on */
};

static bool begin(struct search *s, const struct cb_graph *graph)
{
    const size_t n = graph->vertices;
    *s = (struct search){
        .graph = graph,
        .levels = malloc(4 * n),
        .exact = malloc(4 * n),
        .paths = malloc(n * sizeof *s->paths),
        .dependencies = malloc(n * sizeof *s->dependencies),
        .order = malloc(4 * n),
        .lists = calloc(n + 1, 4),
        .befores = malloc(4 * graph->edges + 4),
        .counts = malloc(4 * n),
    };
    if (!s->levels || !s->exact || !s->paths || !s->dependencies || !s->order || !s->lists ||
        !s->befores || !s->counts)
        return false;
    for (uint64_t e = 0; e < graph->edges; e++)
        s->lists[graph->columns[e] + 1]++;
    for (size_t v = 0; v < n; v++)
        s->lists[v + 1] += s->lists[v];
    return true;
}

static void end(struct search *s)
{
    free(s->levels);
    free(s->exact);
    free(s->paths);
    free(s->dependencies);
    free(s->order);
    free(s->lists);
    free(s->befores);
    free(s->counts);
}

static void reach(struct search *s, uint32_t v, uint32_t level)
{
    s->levels[v] = level;
    s->paths[v] = s->dependencies[v] = 0;
    s->exact[v] = s->counts[v] = 0;
    s->order[s->reached++] = v;
}

static void count_paths(struct search *s, uint32_t source)
{
    memset(s->levels, 0xff, 4 * (size_t)s->graph->vertices);
    s->reached = 0;
    reach(s, source, 0);
    s->paths[source] = s->exact[source] = 1;
    for (uint32_t i = 0; i < s->reached; i++) {
        uint32_t v = s->order[i];
        for (uint32_t e = s->graph->rows[v]; e < s->graph->rows[v + 1]; e++) {
            uint32_t w = s->graph->columns[e];
            if (s->levels[w] == UNREACHED)
                reach(s, w, s->levels[v] + 1);
            if (s->levels[w] != s->levels[v] + 1)
                continue;
            s->paths[w] += s->paths[v];
            s->exact[w] += s->exact[v];
            s->befores[s->lists[w] + s->counts[w]++] = v;
        }
    }
}

static void add_dependencies(struct search *s, double *centrality)
{
    for (uint32_t i = s->reached; i-- > 1;) {
        uint32_t w = s->order[i];
        long double share = (1 + s->dependencies[w]) / s->paths[w];
        for (uint32_t k = 0; k < s->counts[w]; k++) {
            uint32_t v = s->befores[s->lists[w] + k];
            s->dependencies[v] += s->paths[v] * share;
        }
        centrality[w] += (double)s->dependencies[w];
    }
}

static void add_source(struct search *s, uint32_t source, struct cb_bc_reference *reference)
{
    count_paths(s, source);
    add_dependencies(s, reference->centrality);
    uint32_t depth = s->levels[s->order[s->reached - 1]];
    reference->levels += depth + 1;
    reference->deepest = depth > reference->deepest ? depth : reference->deepest;
    for (uint32_t i = 0; i < s->reached; i++) {
        uint32_t v = s->order[i];
        reference->fingerprints[v] += bc_fingerprint(source, s->levels[v], s->exact[v]);
        reference->edges += cb_graph_edges_of(s->graph, v);
    }
}

bool cb_bc_reference(const struct cb_graph *graph, uint32_t sources,
                     struct cb_bc_reference *reference)
{
    struct search s;
    *reference = (struct cb_bc_reference){
        .centrality = calloc(graph->vertices, sizeof *reference->centrality),
        .fingerprints = calloc(graph->vertices, sizeof *reference->fingerprints),
    };
    bool has_room = begin(&s, graph) && reference->centrality && reference->fingerprints;
    for (uint32_t k = 0; has_room && k < sources; k++)
        add_source(&s, k * (graph->vertices / sources), reference);
    end(&s);
    return has_room;
}

void cb_bc_reference_free(struct cb_bc_reference *reference)
{
    free(reference->centrality);
    free(reference->fingerprints);
    *reference = (struct cb_bc_reference){0};
}
