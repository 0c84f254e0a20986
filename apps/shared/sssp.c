/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/shared/sssp.h"

#include <inttypes.h>
#include <stdlib.h>

#include "apps/graphs/device.h"
#include "apps/graphs/dijkstra.h"
#include "apps/shared/sssp_abi.h"
#include "kernels/coop_abi.h"

#define DIGEST_BYTES (4 * COOP_MAX_RUNS)

static size_t words_bytes(const struct cb_sssp *s)
{
    return 4 * (size_t)s->graph.vertices;
}

uint32_t cb_sssp_more_records(const struct cb_graph *graph, uint32_t vertex)
{
    uint32_t edges = cb_graph_edges_of(graph, vertex);
    return edges > 4 ? (edges - 1) / 4 : 0;
}

/* --- The reference ---------------------------------------------------------------------------- */

/* Computes what the word of each vertex has to be at the end. */
static enum cb_status expect(struct cb_sssp *s, const uint64_t *distances, struct cb_err *err)
{
    for (uint32_t v = 0; v < s->graph.vertices; v++) {
        bool reached = distances[v] != CB_DIJKSTRA_UNREACHED;
        if (reached && distances[v] > SSSP_FARTHEST)
            return cb_fail(err, CB_UNSUPPORTED,
                           "%s: the distance of vertex %" PRIu32 " is %" PRIu64
                           ", larger than %" PRIu32,
                           s->graph.name, v, distances[v], (uint32_t)SSSP_FARTHEST);
        s->expected[v] = reached ? 2 * (uint32_t)distances[v] : SSSP_UNREACHED;
        s->digest += sssp_digest(v, s->expected[v]);
    }
    return CB_OK;
}

static enum cb_status search(struct cb_sssp *s, struct cb_err *err)
{
    const size_t vertices = s->graph.vertices;
    uint64_t *distances = malloc(vertices * sizeof *distances);
    s->expected = malloc(4 * vertices);
    s->words = malloc(4 * vertices);
    enum cb_status status = CB_OK;
    if (!distances || !s->expected || !s->words || !cb_dijkstra(&s->graph, s->source, distances))
        status = cb_fail(err, CB_ERROR, "%s: out of memory", s->graph.name);
    if (status == CB_OK)
        status = expect(s, distances, err);
    free(distances);
    return status;
}

/* --- Records ---------------------------------------------------------------------------------- */

uint32_t cb_sssp_weight(const struct cb_graph *graph, uint64_t edge)
{
    uint32_t weight = graph->weights[edge];
    return weight <= SSSP_FARTHEST ? weight : SSSP_NO_EDGE;
}

/* Fills a record with up to four edges of a vertex, from `first` on. */
static void fill_record(const struct cb_graph *graph, uint32_t vertex, uint32_t first,
                        uint32_t record[8])
{
    uint32_t end = cb_graph_edges_of(graph, vertex);
    for (uint32_t k = 0; k < 4; k++) {
        bool is_edge = first + k < end;
        uint32_t e = is_edge ? graph->rows[vertex] + first + k : 0;
        uint32_t column = is_edge ? graph->columns[e] : vertex;
        record[k] = column | (cb_sssp_more_records(graph, column) > SSSP_FEW ? SSSP_HUB : 0);
        record[4 + k] = is_edge ? cb_sssp_weight(graph, e) : SSSP_NO_EDGE;
    }
}

static void fill_records(const struct cb_graph *graph, uint32_t *records, uint32_t *rows)
{
    uint32_t next = graph->vertices;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint32_t more = cb_sssp_more_records(graph, v);
        fill_record(graph, v, 0, records + 8 * (size_t)v);
        records[8 * (size_t)v + 7] |= more ? SSSP_MORE : 0;
        rows[2 * (size_t)v] = next;
        rows[2 * (size_t)v + 1] = more;
        for (uint32_t i = 1; i <= more; i++, next++)
            fill_record(graph, v, 4 * i, records + 8 * (size_t)next);
    }
}

cl_mem cb_sssp_upload(struct cb_session *session, const void *from, size_t bytes,
                      struct cb_err *err)
{
    cl_mem buffer = cb_buffer_create(session, bytes, err);
    if (buffer && cb_buffer_write(session, buffer, from, bytes, err) == CB_OK)
        return buffer;
    if (buffer)
        clReleaseMemObject(buffer);
    return NULL;
}

static enum cb_status upload_packed(struct cb_sssp *s, const uint32_t *records,
                                    size_t records_bytes, const uint32_t *rows, size_t rows_bytes,
                                    struct cb_err *err)
{
    const size_t bytes[] = {[CB_SSSP_RECORDS] = records_bytes, [CB_SSSP_ROWS] = rows_bytes};
    cl_mem *b = s->buffers;
    if (cb_buffers_create(s->session, bytes, CB_COUNTOF(bytes), b, err) != CB_OK ||
        cb_buffer_write(s->session, b[CB_SSSP_RECORDS], records, records_bytes, err) != CB_OK)
        return err->status;
    return cb_buffer_write(s->session, b[CB_SSSP_ROWS], rows, rows_bytes, err);
}

enum cb_status cb_sssp_pack(struct cb_sssp *s, const struct cb_graph *graph, struct cb_err *err)
{
    size_t n = graph->vertices;
    for (uint32_t v = 0; v < graph->vertices; v++)
        n += cb_sssp_more_records(graph, v);
    if (n > SSSP_RECORDS)
        return cb_fail(err, CB_UNSUPPORTED, "%s: %zu records of edges, of at most %u",
                       s->graph.name, n, SSSP_RECORDS);
    uint32_t *records = malloc(32 * n), *rows = malloc(8 * (size_t)graph->vertices);
    enum cb_status status =
        records && rows ? CB_OK : cb_fail(err, CB_ERROR, "%s: out of memory", s->graph.name);
    if (status == CB_OK) {
        fill_records(graph, records, rows);
        status = upload_packed(s, records, 32 * n, rows, 8 * (size_t)graph->vertices, err);
    }
    free(records);
    free(rows);
    return status;
}

/* --- The app's functions ---------------------------------------------------------------------- */

enum cb_status cb_sssp_open(struct cb_sssp *s, struct cb_session *session, const char *input,
                            struct cb_err *err)
{
    s->session = session;
    if (cb_graph_open(session, input, &s->graph, err) != CB_OK)
        return err->status;
    if (s->graph.vertices >= SSSP_HUB)
        return cb_fail(err, CB_UNSUPPORTED, "%s: at most %u vertices", s->graph.name, SSSP_HUB - 1);
    s->source = cb_graph_busiest(&s->graph);
    if (search(s, err) != CB_OK)
        return err->status;
    s->buffers[CB_SSSP_WORDS] = cb_buffer_create(session, words_bytes(s), err);
    s->buffers[CB_SSSP_DIGESTS] = cb_buffer_create(session, DIGEST_BYTES, err);
    return s->buffers[CB_SSSP_WORDS] && s->buffers[CB_SSSP_DIGESTS] ? CB_OK : err->status;
}

void cb_sssp_close(struct cb_sssp *s)
{
    for (int i = 0; i < CB_SSSP_BUFFERS; i++)
        if (s->buffers[i])
            clReleaseMemObject(s->buffers[i]);
    cb_graph_free(&s->graph);
    free(s->expected);
    free(s->words);
}

/* Clears the digests only: the kernel clears the rest, since it may run again and again in one
 * launch. */
enum cb_status cb_sssp_clear(void *state, struct cb_err *err)
{
    struct cb_sssp *s = state;
    return cb_buffer_clear(s->session, s->buffers[CB_SSSP_DIGESTS], DIGEST_BYTES, err);
}

enum cb_status cb_sssp_check(void *state, unsigned runs, struct cb_sample *sample,
                             struct cb_err *err)
{
    struct cb_sssp *s = state;
    if (cb_buffer_read(s->session, s->buffers[CB_SSSP_WORDS], s->words, words_bytes(s), err) !=
        CB_OK)
        return err->status;
    for (uint32_t v = 0; v < s->graph.vertices; v++)
        if (!cb_sample_check(sample, s->words[v] == s->expected[v],
                             "vertex %" PRIu32 ": distance %" PRIu32 "%s instead of %" PRIu32
                             " (%" PRIu32 ": not reached)",
                             v, sssp_distance(s->words[v]),
                             s->words[v] & SSSP_CHANGED ? ", changed," : "",
                             sssp_distance(s->expected[v]), sssp_distance(SSSP_UNREACHED)))
            return CB_OK;
    return cb_app_check_digests(s->session, s->buffers[CB_SSSP_DIGESTS], runs, s->digest, sample,
                                err);
}

double cb_sssp_count_edges(void *state)
{
    const struct cb_sssp *s = state;
    double edges = 0;
    for (uint32_t v = 0; v < s->graph.vertices; v++)
        edges += s->expected[v] != SSSP_UNREACHED ? cb_graph_edges_of(&s->graph, v) : 0;
    return edges;
}

/* Draws inputs of which some give more than one workgroup something to do. */
void cb_sssp_draw_input(struct cb_random *random, char *spec, size_t size)
{
    if (cb_random_below(random, 3))
        cb_graph_draw(random, spec, size);
    else if (cb_random_below(random, 2))
        snprintf(spec, size, "road:%u", cb_random_between(random, 3000, 30000));
    else
        snprintf(spec, size, "rmat:%u:%u", cb_random_between(random, 10, 13),
                 cb_random_between(random, 1, 16));
}
