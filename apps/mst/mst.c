/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimum spanning forest (LonestarGPU's mst): input, buffers and check. The kernels are mst.cl,
 * and paper.cl of the paper's variant; README.md has the algorithms.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "apps/graphs/device.h"
#include "apps/graphs/inputs.h"
#include "apps/host/app.h"
#include "apps/mst/mst_abi.h"
#include "apps/mst/reference.h"
#include "kernels/coop_abi.h"

#define MAX_SIZE 0x7fffffffu /* most vertices, and edges: kernels count beyond */

enum {
    EDGES,
    LISTS,
    BEST,
    PARENTS,
    NUMBERS,
    NAMES,
    FOREST,
    RECORDS,
    DIGESTS,
    /* the paper's variant has these: */
    NUMBERS_OF_COLUMNS,
    BOSSES,
    LIGHTEST,
    PARTNERS,
    LEAST,
    LEADERS,
    CHOSEN,
    SOURCES,
    WORDS,
    BUFFERS
};

struct mst {
    struct cb_session *session;
    struct cb_mst_edges edges;
    bool any_forest;                /* of the least weight: the variant goes by weights alone */
    struct cb_graph_buffers device; /* graph of the paper's variant */
    cl_mem buffers[BUFFERS];
    uint32_t *expected, *forest; /* a bit of each edge */
    struct cb_mst_sum sum;       /* the expected sum */
    uint32_t digest;
    double work;
};

static size_t bytes_of(const struct mst *m, int buffer)
{
    const size_t vertices = m->edges.vertices, count = m->edges.count ? m->edges.count : 1;
    const size_t words[BUFFERS] = {
        [EDGES] = 4 * count,
        [LISTS] = 8 * count,
        [BEST] = 2 * vertices,
        [PARENTS] = vertices,
        [NUMBERS] = vertices,
        [NAMES] = vertices,
        [FOREST] = cb_mst_words((uint32_t)count),
        [RECORDS] = MST_RECORDS * MST_LINE,
        [DIGESTS] = COOP_MAX_RUNS,
        [NUMBERS_OF_COLUMNS] = 2 * count,
        [BOSSES] = vertices,
        [LIGHTEST] = vertices,
        [PARTNERS] = vertices,
        [LEAST] = vertices,
        [LEADERS] = vertices,
        [CHOSEN] = vertices,
        [SOURCES] = vertices,
        [WORDS] = MST_WORDS,
    };
    return 4 * words[buffer];
}

/* The undirected graph, if it is small enough. */
static enum cb_status load_edges(struct mst *m, const char *input, struct cb_err *err)
{
    struct cb_graph graph;
    if (cb_graph_open(m->session, input, &graph, err) != CB_OK)
        return err->status;
    m->work = (double)graph.edges;
    enum cb_status status = cb_mst_edges_of(&graph, &m->edges, err);
    cb_graph_free(&graph);
    if (status == CB_OK && (m->edges.vertices > MAX_SIZE || m->edges.count > MAX_SIZE))
        status =
            cb_fail(err, CB_UNSUPPORTED, "mst: at most %u vertices and as many edges", MAX_SIZE);
    return status;
}

static enum cb_status compute_reference(struct mst *m, struct cb_err *err)
{
    m->expected = malloc(bytes_of(m, FOREST));
    m->forest = malloc(bytes_of(m, FOREST));
    if (!m->expected || !m->forest || !cb_mst_reference(&m->edges, m->expected) ||
        !cb_mst_add_up(&m->edges, m->expected, &m->sum))
        return cb_no_memory(err);
    if (m->any_forest)
        m->digest = mst_digest(m->sum.edges, (uint32_t)m->sum.weight);
    for (uint32_t w = 0; w < cb_mst_words(m->edges.count) && !m->any_forest; w++)
        m->digest += mst_digest(w, m->expected[w]);
    return CB_OK;
}

/* Makes those of a variant; the forest has all edges, which the first run has to clear. */
static enum cb_status create_buffers(struct mst *m, const int *list, size_t n, struct cb_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (!(m->buffers[list[i]] = cb_buffer_create(m->session, bytes_of(m, list[i]), err)))
            return err->status;
    memset(m->forest, 0xff, bytes_of(m, FOREST));
    return cb_buffer_write(m->session, m->buffers[FOREST], m->forest, bytes_of(m, FOREST), err);
}

static enum cb_status open_variant(struct cb_session *session, const char *input, bool any_forest,
                                   const int *list, size_t n, void **state, struct cb_err *err)
{
    struct mst *m = calloc(1, sizeof *m);
    *state = m;
    if (!m)
        return cb_no_memory(err);
    m->session = session;
    m->any_forest = any_forest;
    if (load_edges(m, input, err) != CB_OK || compute_reference(m, err) != CB_OK)
        return err->status;
    return create_buffers(m, list, n, err);
}

static const int our_buffers[] = {EDGES, LISTS,  BEST,    PARENTS, NUMBERS,
                                  NAMES, FOREST, RECORDS, DIGESTS};

static enum cb_status mst_open(struct cb_session *session, const char *input, size_t max_groups,
                               void **state, struct cb_err *err)
{
    (void)max_groups;
    if (open_variant(session, input, false, our_buffers, CB_COUNTOF(our_buffers), state, err) !=
        CB_OK)
        return err->status;
    struct mst *m = *state;
    if (m->edges.count == 0)
        return CB_OK;
    return cb_buffer_write(session, m->buffers[EDGES], m->edges.list, bytes_of(m, EDGES), err);
}

static void mst_close(void *state)
{
    struct mst *m = state;
    if (!m)
        return;
    for (int i = 0; i < BUFFERS; i++)
        if (m->buffers[i])
            clReleaseMemObject(m->buffers[i]);
    cb_graph_release_buffers(&m->device);
    cb_mst_edges_free(&m->edges);
    free(m->expected);
    free(m->forest);
    free(m);
}

/* Those of a variant's buffers, and the numbers. */
static size_t put_args(struct mst *m, const int *list, size_t n, struct cb_kernel_value *values,
                       size_t room)
{
    if (room < n + 2)
        return 0;
    for (size_t i = 0; i < n; i++)
        values[i] = (struct cb_kernel_value){sizeof(cl_mem), &m->buffers[list[i]]};
    values[n] = (struct cb_kernel_value){sizeof(cl_uint), &m->edges.vertices};
    values[n + 1] = (struct cb_kernel_value){sizeof(cl_uint), &m->edges.count};
    return n + 2;
}

static size_t mst_args(void *state, struct cb_kernel_value *values, size_t room)
{
    return put_args(state, our_buffers, CB_COUNTOF(our_buffers), values, room);
}

/* The kernel clears the rest itself, since it may run again and again in one launch. */
static enum cb_status mst_clear(void *state, struct cb_err *err)
{
    struct mst *m = state;
    return cb_buffer_clear(m->session, m->buffers[DIGESTS], bytes_of(m, DIGESTS), err);
}

/* The edges that came out are a forest, as large and as heavy as the reference: a minimum one. */
static enum cb_status check_sum(const struct mst *m, struct cb_sample *sample, struct cb_err *err)
{
    struct cb_mst_sum sum;
    if (!cb_mst_add_up(&m->edges, m->forest, &sum))
        return cb_no_memory(err);
    cb_sample_check(sample, sum.closing == UINT32_MAX,
                    "edge %" PRIu32 " of the forest closes a cycle", sum.closing);
    cb_sample_check(sample, sum.edges == m->sum.edges,
                    "the forest has %" PRIu32 " edges instead of %" PRIu32, sum.edges,
                    m->sum.edges);
    cb_sample_check(sample, sum.weight == m->sum.weight,
                    "the forest weighs %" PRIu64 " instead of %" PRIu64, sum.weight, m->sum.weight);
    cb_sample_add(sample, "result", (double)sum.weight);
    return CB_OK;
}

static enum cb_status mst_check(void *state, unsigned runs, struct cb_sample *sample,
                                struct cb_err *err)
{
    struct mst *m = state;
    if (cb_buffer_read(m->session, m->buffers[FOREST], m->forest, bytes_of(m, FOREST), err) !=
            CB_OK ||
        check_sum(m, sample, err) != CB_OK)
        return err->status;
    for (uint32_t e = 0; e < m->edges.count && !m->any_forest; e++) {
        const struct cb_mst_edge *edge = &m->edges.list[e];
        bool is_there = cb_mst_has(m->forest, e);
        if (!cb_sample_check(sample, is_there == cb_mst_has(m->expected, e),
                             "edge %" PRIu32 " between %" PRIu32 " and %" PRIu32
                             " of weight %" PRIu32 " is%s in the forest",
                             e, edge->ends[0], edge->ends[1], edge->weight, is_there ? "" : " not"))
            return CB_OK;
    }
    return cb_app_check_digests(m->session, m->buffers[DIGESTS], runs, m->digest, sample, err);
}

static double mst_work(void *state)
{
    return ((struct mst *)state)->work;
}

/* Graphs of equal weights, of several trees, and some that give several workgroups work. */
static void mst_draw_input(struct cb_random *random, char *spec, size_t size)
{
    switch (cb_random_below(random, 4)) {
    case 0:
        snprintf(spec, size, "uniform:%u:1", cb_random_between(random, 1, 12));
        break;
    case 1:
        snprintf(spec, size, "grid:%ux%u", cb_random_between(random, 1, 150),
                 cb_random_between(random, 1, 150));
        break;
    case 2:
        snprintf(spec, size, "road:%u", cb_random_between(random, 1, 20000));
        break;
    default:
        cb_graph_draw(random, spec, size);
    }
}

/* ---- LonestarGPU's --------------------------------------------------------------------------- */

static const int paper_buffers[] = {NUMBERS_OF_COLUMNS,
                                    BOSSES,
                                    LIGHTEST,
                                    PARTNERS,
                                    LEAST,
                                    LEADERS,
                                    CHOSEN,
                                    SOURCES,
                                    FOREST,
                                    WORDS,
                                    DIGESTS};

static enum cb_status upload_rows(struct mst *m, struct cb_err *err)
{
    struct cb_graph graph;
    uint32_t *numbers;
    enum cb_status status = cb_mst_rows_of(&m->edges, &graph, &numbers, err);
    if (status == CB_OK)
        status = cb_graph_upload(m->session, &graph, &m->device, err);
    if (status == CB_OK && graph.edges > 0)
        status = cb_buffer_write(m->session, m->buffers[NUMBERS_OF_COLUMNS], numbers,
                                 bytes_of(m, NUMBERS_OF_COLUMNS), err);
    cb_graph_free(&graph);
    free(numbers);
    return status;
}

static enum cb_status paper_open(struct cb_session *session, const char *input, size_t max_groups,
                                 void **state, struct cb_err *err)
{
    (void)max_groups;
    if (open_variant(session, input, true, paper_buffers, CB_COUNTOF(paper_buffers), state, err) !=
        CB_OK)
        return err->status;
    return upload_rows(*state, err);
}

static size_t paper_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct mst *m = state;
    if (room < 3)
        return 0;
    values[0] = (struct cb_kernel_value){sizeof(cl_mem), &m->device.rows};
    values[1] = (struct cb_kernel_value){sizeof(cl_mem), &m->device.columns};
    values[2] = (struct cb_kernel_value){sizeof(cl_mem), &m->device.weights};
    return 3 + put_args(m, paper_buffers, CB_COUNTOF(paper_buffers), values + 3, room - 3);
}

/* What both variants say. */
#define MST_APP                                                                                    \
    .id = "mst", .inputs_help = CB_GRAPH_INPUTS_HELP,                                              \
    .inputs = {CB_INPUT_GRID_2E20, CB_INPUT_ROAD_FLA}, .draw_input = mst_draw_input,               \
    .clear = mst_clear, .check = mst_check, .close = mst_close, .work = "edges",                   \
    .count_work = mst_work, .result = {"weight", "weight"}

static const struct cb_app paper = {
    MST_APP,
    .summary = "Minimum spanning forest of a graph, Boruvka's rounds over all vertices",
    .source = "OOPSLA'16 Section 5.3, LonestarGPU's mst",
    .kernel = "apps/mst/paper.cl",
    .gpu_wg_size = 256,
    .cpu_wg_size = 64,
    .open = paper_open,
    .args = paper_args,
};

const struct cb_app cb_app_mst = {
    MST_APP,
    .summary = "Minimum spanning forest of a graph, Boruvka's rounds over lists of edges",
    .source = "OOPSLA'16 Section 5.3, in the role of LonestarGPU's mst",
    .kernel = "apps/mst/mst.cl",
    .gpu_wg_size = 1024,
    .cpu_wg_size = 16,
    .open = mst_open,
    .args = mst_args,
    .paper = &paper,
};
