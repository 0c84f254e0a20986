/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/bfs/reference.h"

#include <stdlib.h>

bool cb_bfs_reference(const struct cb_graph *graph, uint32_t source, uint32_t *levels)
{
    uint32_t *queue = malloc(4 * (size_t)graph->vertices), head = 0, tail = 0;
    if (!queue)
        return false;
    for (uint32_t v = 0; v < graph->vertices; v++)
        levels[v] = UINT32_MAX;
    levels[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        uint32_t v = queue[head++];
        for (uint32_t e = graph->rows[v]; e < graph->rows[v + 1]; e++) {
            uint32_t next = graph->columns[e];
            if (levels[next] != UINT32_MAX)
                continue;
            levels[next] = levels[v] + 1;
            queue[tail++] = next;
        }
    }
    free(queue);
    return true;
}
