/* SPDX-License-Identifier: Apache-2.0
 *
 * A graph from its spec: of a generator, or of a file.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "apps/graphs/parts.h"

enum cb_status cb_graph_load(const char *spec, struct cb_graph *graph, struct cb_err *err)
{
    *graph = (struct cb_graph){0};
    if (cb_graph_is_generated(spec))
        return cb_graph_generate(spec, graph, err);
    if (access(spec, F_OK) != 0)
        return cb_graph_unknown(spec, strerror(errno), err);
    return cb_graph_read(spec, graph, err);
}
