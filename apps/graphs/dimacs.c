/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest-path problems of the 9th DIMACS challenge: "c ..." comments, one "p sp VERTICES ARCS",
 * then "a FROM TO WEIGHT" for each arc, with vertices from 1. Empty lines are accepted.
 * http://www.diag.uniroma1.it/challenge9/format.shtml
 */
#include <inttypes.h>
#include <string.h>

#include "apps/graphs/formats.h"
#include "apps/graphs/scan.h"

#define P_FORM "p sp VERTICES ARCS"
#define A_FORM "a FROM TO WEIGHT"

struct reader {
    struct cb_scan scan;
    struct cb_edges *edges;
    uint64_t p_line;   /* 0: not seen yet */
    uint64_t sizes[2]; /* vertices, arcs */
};

static enum cb_status read_problem(struct reader *r)
{
    static const struct cb_scan_range sizes[] = {{"vertices", 1, UINT32_MAX - 1},
                                                 {"arcs", 0, CB_GRAPH_MAX_EDGES}};
    if (r->p_line)
        return cb_scan_wrong_line(&r->scan, "second p line: expected only the one on line %" PRIu64,
                                  r->p_line);
    if (!cb_scan_skip_word(&r->scan, "sp"))
        return cb_scan_wrong_line(&r->scan, "not a shortest-path problem: expected \"" P_FORM "\"");
    r->p_line = r->scan.line_number;
    return cb_scan_line(&r->scan, P_FORM, sizes, 2, r->sizes);
}

static enum cb_status read_arc(struct reader *r)
{
    const struct cb_scan_range ranges[] = {{"first vertex", 1, r->sizes[0]},
                                           {"second vertex", 1, r->sizes[0]},
                                           {"weight", 0, UINT32_MAX}};
    uint64_t arc[3];
    if (!r->p_line)
        return cb_scan_wrong_line(&r->scan, "arc before the p line: expected \"" P_FORM "\" first");
    if (r->edges->count == r->sizes[1])
        return cb_scan_wrong_line(&r->scan,
                                  "too many arcs: expected %" PRIu64 " as line %" PRIu64 " says",
                                  r->sizes[1], r->p_line);
    enum cb_status status = cb_scan_line(&r->scan, A_FORM, ranges, 3, arc);
    if (status != CB_OK)
        return status;
    return cb_edges_add(r->edges, (uint32_t)arc[0] - 1, (uint32_t)arc[1] - 1, (uint32_t)arc[2],
                        r->scan.input);
}

static enum cb_status read_line(struct reader *r)
{
    if (cb_scan_skip_word(&r->scan, "a"))
        return read_arc(r);
    if (cb_scan_peek(&r->scan) == 'c')
        return CB_OK;
    if (cb_scan_skip_word(&r->scan, "p"))
        return read_problem(r);
    if (cb_scan_peek(&r->scan) == '\n')
        return CB_OK;
    return cb_scan_wrong_line(&r->scan,
                              "unknown line: expected one that begins with c, p or a and a blank");
}

bool cb_graph_is_dimacs(const struct cb_graph_head *head)
{
    return cb_graph_head_named(head, ".gr") || cb_graph_head_begins(head, "p sp ") ||
           cb_graph_head_begins(head, "c ") || cb_graph_head_begins(head, "c\n");
}

enum cb_status cb_graph_read_dimacs(struct cb_graph_input *input, struct cb_edges *edges,
                                    struct cb_graph *graph)
{
    struct reader r = {.scan = {.input = input}, .edges = edges};
    while (cb_scan_next_line(&r.scan)) {
        enum cb_status status = read_line(&r);
        if (status != CB_OK)
            return status;
    }
    if (!r.p_line)
        return cb_scan_wrong(&r.scan,
                             "no p line: expected \"" P_FORM "\", got the end of the file");
    if (edges->count < r.sizes[1])
        return cb_scan_wrong(&r.scan,
                             "too few arcs: expected %" PRIu64 " as line %" PRIu64
                             " says, got the end of the file after %" PRIu64,
                             r.sizes[1], r.p_line, edges->count);
    return cb_graph_finish(input, r.p_line, r.sizes[0], edges, graph);
}
