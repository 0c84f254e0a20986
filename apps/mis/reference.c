/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/mis/reference.h"

#include <stdlib.h>

#include "apps/shared/priority_abi.h"

static int by_priority(const void *a, const void *b)
{
    uint32_t x = priority_of(*(const uint32_t *)a), y = priority_of(*(const uint32_t *)b);
    return (x < y) - (x > y);
}

/* Takes the highest, rules out its neighbours, and so on. */
bool cb_mis_reference(const struct cb_graph *graph, uint32_t *out)
{
    uint32_t *order = malloc(4 * (size_t)graph->vertices);
    if (!order)
        return false;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        order[v] = v;
        out[v] = 0;
    }
    qsort(order, graph->vertices, sizeof *order, by_priority);
    for (uint32_t k = 0; k < graph->vertices; k++)
        if (out[order[k]] == 0)
            for (uint32_t i = graph->rows[order[k]]; i < graph->rows[order[k] + 1]; i++)
                out[graph->columns[i]] = 1;
    free(order);
    return true;
}
