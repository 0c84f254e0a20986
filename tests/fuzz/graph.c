/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of graphs: the first line is the ending of the name, the rest is the file.
 */
#include "apps/graphs/graph.h"
#include "tests/fuzz/fuzz.h"

static const char *const endings[] = {"gr", "mtx", "graph", "el", "wel", "txt"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *head = fuzz_head(&data, &size);
    char name[32];
    struct cb_graph graph;
    struct cb_err err;
    bool symmetric;
    for (size_t i = 0; i < CB_COUNTOF(endings); i++) {
        if (strcmp(endings[i], head) != 0)
            continue;
        snprintf(name, sizeof name, "graph.%s", endings[i]);
        if (cb_graph_load(fuzz_file(name, data, size), &graph, &err) != CB_OK)
            return 0;
        cb_graph_is_symmetric(&graph, &symmetric, &err);
        cb_graph_free(&graph);
    }
    return 0;
}
