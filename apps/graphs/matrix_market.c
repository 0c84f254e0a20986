/* SPDX-License-Identifier: Apache-2.0
 *
 * Sparse matrices of the Matrix Market: a banner, "%" comments, "ROWS COLUMNS ENTRIES", then
 * "ROW COLUMN VALUE" for each entry, or "ROW COLUMN" of a pattern, from 1.
 * https://math.nist.gov/MatrixMarket/formats.html
 *
 * A square matrix is a graph: an entry off the diagonal is an edge from its row to its column, of a
 * symmetric one in both directions, with the absolute value as weight. What is on the diagonal is
 * no edge.
 */
#include <inttypes.h>

#include "apps/graphs/formats.h"
#include "apps/graphs/scan.h"

#define BANNER       "%%MatrixMarket"
#define BANNER_FORM  BANNER " matrix coordinate FIELD SYMMETRY"
#define SIZES_FORM   "ROWS COLUMNS ENTRIES"
#define PATTERN_FORM "ROW COLUMN"
#define VALUE_FORM   "ROW COLUMN VALUE"

enum field { PATTERN, INTEGER, REAL, FIELDS };
enum symmetry { GENERAL, SYMMETRIC, SKEW, SYMMETRIES };

struct reader {
    struct cb_scan scan;
    struct cb_edges *edges;
    enum field field;
    enum symmetry symmetry;
    uint64_t sizes_line; /* 0: not seen yet */
    uint64_t sizes[3];   /* rows, columns, entries */
    uint64_t count;      /* entries read */
};

/* Reads one of the words that are expected; its number, or -1. */
static int read_choice(struct cb_scan *scan, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (cb_scan_skip_word(scan, words[i]))
            return i;
    return -1;
}

static enum cb_status read_banner(struct reader *r)
{
    static const char *const fields[] = {"pattern", "integer", "real"};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric"};
    if (!cb_scan_next_line(&r->scan) || !cb_scan_skip_word(&r->scan, BANNER))
        return cb_scan_wrong_word(&r->scan, "expected \"%s\"", BANNER_FORM);
    if (!cb_scan_skip_word(&r->scan, "matrix"))
        return cb_scan_wrong_word(&r->scan, "object: expected matrix");
    if (!cb_scan_skip_word(&r->scan, "coordinate"))
        return cb_scan_wrong_word(&r->scan, "format: expected coordinate, a sparse matrix");
    int field = read_choice(&r->scan, fields, FIELDS);
    if (field < 0)
        return cb_scan_wrong_word(&r->scan, "field: expected pattern, integer or real");
    int symmetry = read_choice(&r->scan, symmetries, SYMMETRIES);
    if (symmetry < 0)
        return cb_scan_wrong_word(&r->scan,
                                  "symmetry: expected general, symmetric or skew-symmetric");
    r->field = (enum field)field;
    r->symmetry = (enum symmetry)symmetry;
    return cb_scan_end(&r->scan, BANNER_FORM);
}

static enum cb_status read_sizes(struct reader *r)
{
    static const struct cb_scan_range sizes[] = {{"rows", 1, UINT32_MAX - 1},
                                                 {"columns", 1, UINT32_MAX - 1},
                                                 {"entries", 0, CB_GRAPH_MAX_EDGES}};
    r->sizes_line = r->scan.line_number;
    enum cb_status status = cb_scan_line(&r->scan, SIZES_FORM, sizes, 3, r->sizes);
    if (status == CB_OK && r->sizes[0] != r->sizes[1])
        return cb_scan_wrong_line(&r->scan, "a graph is a square matrix: expected as many rows as "
                                            "columns");
    return status;
}

static enum cb_status add_entry(struct reader *r, uint64_t row, uint64_t column, uint64_t weight)
{
    uint32_t from = (uint32_t)row - 1, to = (uint32_t)column - 1;
    r->count++;
    if (from == to)
        return CB_OK;
    enum cb_status status = cb_edges_add(r->edges, from, to, (uint32_t)weight, r->scan.input);
    if (status == CB_OK && r->symmetry != GENERAL)
        status = cb_edges_add(r->edges, to, from, (uint32_t)weight, r->scan.input);
    return status;
}

static enum cb_status read_entry(struct reader *r)
{
    static const struct cb_scan_range value = {"value", 0, UINT32_MAX};
    const struct cb_scan_range row = {"row", 1, r->sizes[0]}, column = {"column", 1, r->sizes[1]};
    uint64_t i, j, weight = 1;
    if (r->count == r->sizes[2])
        return cb_scan_wrong_line(&r->scan,
                                  "too many entries: expected %" PRIu64 " as line %" PRIu64 " says",
                                  r->sizes[2], r->sizes_line);
    enum cb_status status = cb_scan_number(&r->scan, &row, &i);
    if (status == CB_OK)
        status = cb_scan_number(&r->scan, &column, &j);
    if (status == CB_OK && r->field != PATTERN)
        status = cb_scan_magnitude(&r->scan, &value, r->field == INTEGER, &weight);
    if (status == CB_OK)
        status = cb_scan_end(&r->scan, r->field == PATTERN ? PATTERN_FORM : VALUE_FORM);
    return status == CB_OK ? add_entry(r, i, j, weight) : status;
}

bool cb_graph_is_matrix_market(const struct cb_graph_head *head)
{
    return cb_graph_head_begins(head, BANNER) || cb_graph_head_named(head, ".mtx");
}

enum cb_status cb_graph_read_matrix_market(struct cb_graph_input *input, struct cb_edges *edges,
                                           struct cb_graph *graph)
{
    struct reader r = {.scan = {.input = input}, .edges = edges};
    enum cb_status status = read_banner(&r);
    while (status == CB_OK && cb_scan_next_line(&r.scan)) {
        char next = cb_scan_peek(&r.scan);
        if (next != '%' && next != '\n')
            status = r.sizes_line ? read_entry(&r) : read_sizes(&r);
    }
    if (status != CB_OK)
        return status;
    if (!r.sizes_line)
        return cb_scan_wrong(&r.scan, "expected \"" SIZES_FORM "\", got the end of the file");
    if (r.count < r.sizes[2])
        return cb_scan_wrong(&r.scan,
                             "too few entries: expected %" PRIu64 " as line %" PRIu64
                             " says, got the end of the file after %" PRIu64,
                             r.sizes[2], r.sizes_line, r.count);
    return cb_graph_finish(input, r.sizes_line, r.sizes[0], edges, graph);
}
