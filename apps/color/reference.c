/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/color/reference.h"

#include <stdlib.h>

#include "apps/shared/priority_abi.h"

static bool is_higher(uint32_t v, uint32_t than)
{
    return priority_of(v) > priority_of(than);
}

/* The number of neighbours of higher priority, which have no colour yet. */
static uint32_t count_higher(const struct cb_graph *graph, uint32_t v)
{
    uint32_t count = 0;
    for (uint32_t i = graph->rows[v]; i < graph->rows[v + 1]; i++)
        count += is_higher(graph->columns[i], v);
    return count;
}

/* A queue of those whose round is known; a round ends where the queue did when it began. */
bool cb_color_reference(const struct cb_graph *graph, uint32_t *colours)
{
    const size_t bytes = 4 * (size_t)graph->vertices;
    uint32_t *higher = malloc(bytes), *queue = malloc(bytes), head = 0, tail = 0;
    for (uint32_t v = 0; higher && queue && v < graph->vertices; v++)
        if ((higher[v] = count_higher(graph, v)) == 0)
            queue[tail++] = v;
    for (uint32_t round = 0; higher && queue && head < tail; round++)
        for (uint32_t end = tail; head < end; head++) {
            uint32_t v = queue[head];
            colours[v] = round;
            for (uint32_t i = graph->rows[v]; i < graph->rows[v + 1]; i++)
                if (is_higher(v, graph->columns[i]) && --higher[graph->columns[i]] == 0)
                    queue[tail++] = graph->columns[i];
        }
    bool done = higher && queue;
    free(higher);
    free(queue);
    return done;
}
