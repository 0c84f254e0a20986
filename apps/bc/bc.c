/* SPDX-License-Identifier: Apache-2.0
 *
 * Betweenness centrality (Pannotia's bc): input, buffers and check. The kernel is bc.cl; README.md
 * has the algorithm.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/bc/bc_abi.h"
#include "apps/bc/reference.h"
#include "apps/graphs/device.h"
#include "apps/graphs/inputs.h"
#include "apps/host/app.h"
#include "kernels/coop_abi.h"
#include "runtime/host/hash.h"

enum { STAMPS, VALUES, QUEUE, BEGINS, SIZES, CENTRALITY, FINGERPRINTS, DIGESTS, BUFFERS };
enum { VERTICES, SOURCES, LEAST, MOST, NUMBERS };
enum { GRAPH_BUFFERS = 4 };

struct bc {
    struct cb_session *session;
    struct cb_graph graph, back; /* back: every edge turned around */
    struct cb_graph_buffers device, device_back;
    cl_mem buffers[BUFFERS];
    cl_uint numbers[NUMBERS];
    cl_uint source; /* vertex, of the next launch of the baseline */
    struct cb_bc_reference expected;
    float *centrality; /* one for each vertex */
    uint32_t *fingerprints;
};

/* ---- Input ----------------------------------------------------------------------------------- */

/* Vertices and edges that are gone through without SOURCES, about: on a GPU all 1024 sources of
 * Pannotia's 1k_128k; on a CPU what takes a part of a second, since a case has tens of runs, and
 * the reference goes through as many. */
#define ENOUGH_ON_GPU 150000000ull
#define ENOUGH_ON_CPU 2000000ull

/* Where in GRAPH[@SOURCES] the graph ends; an "@" of a folder's name is no such. */
static size_t length_of_graph(const char *input)
{
    const char *at = strrchr(input, '@');
    return at && !strchr(at, '/') ? (size_t)(at - input) : strlen(input);
}

static uint32_t sources_by_default(const struct cb_graph *graph, const char *device_type)
{
    uint64_t enough = cb_device_type_is_cpu(device_type) ? ENOUGH_ON_CPU : ENOUGH_ON_GPU;
    uint64_t sources = enough / (graph->vertices + graph->edges);
    return sources < 1 ? 1 : sources < graph->vertices ? (uint32_t)sources : graph->vertices;
}

/* At the "@", or the end. */
static enum cb_status read_sources(struct bc *b, const char *input, const char *at,
                                   struct cb_err *err)
{
    if (*at == '\0')
        b->numbers[SOURCES] = sources_by_default(&b->graph, b->session->info.type);
    else if (!cb_app_read_count(at + 1, 1, b->graph.vertices, &b->numbers[SOURCES], NULL))
        return cb_fail(err, CB_USAGE,
                       "bc: expected GRAPH[@SOURCES] with SOURCES from 1 to the graph's %" PRIu32
                       " vertices, got \"%.200s\"",
                       b->graph.vertices, input);
    return CB_OK;
}

static enum cb_status load_graph(struct bc *b, const char *input, struct cb_err *err)
{
    const size_t n = length_of_graph(input);
    char *name = strndup(input, n);
    enum cb_status status = name ? cb_graph_load(name, &b->graph, err) : cb_no_memory(err);
    free(name);
    if (status != CB_OK)
        return status;
    free(b->graph.weights);
    b->graph.weights = NULL;
    if (b->graph.vertices > BC_MOST_VERTICES || b->graph.edges > BC_MOST_EDGES)
        return cb_fail(err, CB_UNSUPPORTED, "bc: at most %u vertices and %u edges",
                       BC_MOST_VERTICES, BC_MOST_EDGES);
    if (read_sources(b, input, input + n, err) != CB_OK)
        return err->status;
    struct cb_identity identity = cb_graph_identity(&b->graph);
    identity.hash = cb_hash_numbers(identity.hash, &b->numbers[SOURCES], 1);
    cb_identity_note(b->session, input, identity);
    return cb_graph_transpose(&b->graph, &b->back, err);
}

/* One in two goes one way, from several sources; of the others nothing is known here but that they
 * have a vertex. */
static void bc_draw_input(struct cb_random *random, char *spec, size_t size)
{
    if (cb_random_below(random, 2)) {
        unsigned vertices = cb_random_between(random, 1, 300);
        unsigned edges = cb_random_between(random, 1, 3000);
        snprintf(spec, size, "directed:%ux%u@%u", vertices, edges,
                 cb_random_between(random, 1, vertices < 20 ? vertices : 20));
    } else {
        cb_graph_draw(random, spec, size);
        size_t n = strlen(spec);
        snprintf(spec + n, size - n, "@1");
    }
}

/* ---- Buffers --------------------------------------------------------------------------------- */

static uint32_t most_edges(const struct bc *b)
{
    uint32_t there = cb_graph_edges_of(&b->graph, cb_graph_busiest(&b->graph));
    uint32_t back = cb_graph_edges_of(&b->back, cb_graph_busiest(&b->back));
    return there > back ? there : back;
}

/* Chooses team sizes in work-items. MOST, for levels of few vertices: one work-item per four edges
 * of the busiest vertex. LEAST, for others: enough to read neighbouring edges together. */
static void choose_teams(struct bc *b)
{
    uint32_t few = (uint32_t)(b->graph.edges / b->graph.vertices / 8), most = 1;
    few = few < 1 ? 1 : few > 32 ? 32 : few;
    while (most < 1024 && most < most_edges(b) / 4)
        most *= 2;
    b->numbers[LEAST] = few < most ? few : most;
    b->numbers[MOST] = most;
}

static size_t bytes_of(const struct bc *b, int buffer)
{
    const size_t vertices = b->graph.vertices;
    const size_t words[BUFFERS] = {
        [STAMPS] = vertices,       [VALUES] = 4 * BC_VALUES * vertices, [QUEUE] = vertices,
        [BEGINS] = vertices,       [SIZES] = BC_SIZES * BC_LINE,        [CENTRALITY] = vertices,
        [FINGERPRINTS] = vertices, [DIGESTS] = COOP_MAX_RUNS,
    };
    return 4 * words[buffer];
}

static enum cb_status create_buffers(struct bc *b, struct cb_err *err)
{
    size_t bytes[BUFFERS];
    for (int i = 0; i < BUFFERS; i++)
        bytes[i] = bytes_of(b, i);
    if (cb_buffers_create(b->session, bytes, BUFFERS, b->buffers, err) != CB_OK)
        return err->status;
    if (cb_graph_upload(b->session, &b->graph, &b->device, err) != CB_OK)
        return err->status;
    return cb_graph_upload(b->session, &b->back, &b->device_back, err);
}

static void bc_close(void *state)
{
    struct bc *b = state;
    if (!b)
        return;
    for (int i = 0; i < BUFFERS; i++)
        if (b->buffers[i])
            clReleaseMemObject(b->buffers[i]);
    cb_graph_release_buffers(&b->device);
    cb_graph_release_buffers(&b->device_back);
    cb_graph_free(&b->graph);
    cb_graph_free(&b->back);
    cb_bc_reference_free(&b->expected);
    free(b->centrality);
    free(b->fingerprints);
    free(b);
}

static enum cb_status bc_open(struct cb_session *session, const char *input, size_t max_groups,
                              void **state, struct cb_err *err)
{
    (void)max_groups;
    struct bc *b = calloc(1, sizeof *b);
    *state = b;
    if (!b)
        return cb_no_memory(err);
    b->session = session;
    if (load_graph(b, input, err) != CB_OK)
        return err->status;
    b->numbers[VERTICES] = b->graph.vertices;
    choose_teams(b);
    b->centrality = malloc(bytes_of(b, CENTRALITY));
    b->fingerprints = malloc(bytes_of(b, FINGERPRINTS));
    if (!b->centrality || !b->fingerprints ||
        !cb_bc_reference(&b->graph, b->numbers[SOURCES], &b->expected))
        return cb_no_memory(err);
    if (b->expected.levels >= UINT32_MAX - b->graph.vertices)
        return cb_fail(err, CB_UNSUPPORTED, "bc: at most 2^32 levels, of all sources together");
    return create_buffers(b, err);
}

static size_t bc_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct bc *b = state;
    cl_mem *const graph[GRAPH_BUFFERS] = {&b->device.rows, &b->device.columns, &b->device_back.rows,
                                          &b->device_back.columns};
    if (room < GRAPH_BUFFERS + BUFFERS + NUMBERS)
        return 0;
    size_t n = 0;
    for (int i = 0; i < GRAPH_BUFFERS; i++)
        values[n++] = (struct cb_kernel_value){sizeof(cl_mem), graph[i]};
    for (int i = 0; i < BUFFERS; i++)
        values[n++] = (struct cb_kernel_value){sizeof(cl_mem), &b->buffers[i]};
    for (int i = 0; i < NUMBERS; i++)
        values[n++] = (struct cb_kernel_value){sizeof(cl_uint), &b->numbers[i]};
    return n;
}

/* ---- The check ------------------------------------------------------------------------------- */

/* The kernel clears the rest itself, since it may run again and again in one launch. */
static enum cb_status bc_clear(void *state, struct cb_err *err)
{
    struct bc *b = state;
    return cb_buffer_clear(b->session, b->buffers[DIGESTS], bytes_of(b, DIGESTS), err);
}

/* How far a sum in floats may be from that of the reference, relatively. All that is added is
 * positive, so errors do not grow by cancellation, and add up: half a unit in the last place,
 * 2^-24, for each addition on the way. On the way lie all levels, forth and back, with an addition
 * for each edge of a vertex at most, then the sources; and 8 for the divisions, of 2.5 units each
 * (OpenCL), and products. One with a hub would be allowed much more than it can need, hence the
 * bound. */
static double tolerance(const struct bc *b)
{
    double additions = 2.0 * b->expected.deepest * (most_edges(b) + 1.0) + b->numbers[SOURCES] + 8;
    return fmin(additions * 0x1p-24, 0.01);
}

static enum cb_status read_results(struct bc *b, struct cb_err *err)
{
    if (cb_buffer_read(b->session, b->buffers[FINGERPRINTS], b->fingerprints,
                       bytes_of(b, FINGERPRINTS), err) != CB_OK)
        return err->status;
    return cb_buffer_read(b->session, b->buffers[CENTRALITY], b->centrality,
                          bytes_of(b, CENTRALITY), err);
}

/* Levels and paths are checked exactly. What is too small for a float may be 0. */
static bool check_vertex(const struct bc *b, uint32_t v, double near, struct cb_sample *sample)
{
    double expected = b->expected.centrality[v], off = fabs(b->centrality[v] - expected);
    return cb_sample_check(
               sample, b->fingerprints[v] == b->expected.fingerprints[v],
               "vertex %u: wrong levels or numbers of paths (fingerprint %u instead of %u)", v,
               b->fingerprints[v], b->expected.fingerprints[v]) &&
           cb_sample_check(sample, off <= near * expected + 1e-30,
                           "vertex %u: centrality %.9g instead of %.9g, allowed: %.2g of it", v,
                           (double)b->centrality[v], expected, near);
}

/* All runs add in the same order, so that the others have the bits of the last. */
static enum cb_status bc_check(void *state, unsigned runs, struct cb_sample *sample,
                               struct cb_err *err)
{
    struct bc *b = state;
    uint32_t digest = 0, bits;
    if (read_results(b, err) != CB_OK)
        return err->status;
    if (b->numbers[SOURCES] < b->graph.vertices)
        cb_sample_note(sample, "from %u of %u vertices", b->numbers[SOURCES], b->graph.vertices);
    for (uint32_t v = 0; v < b->graph.vertices; v++) {
        if (!check_vertex(b, v, tolerance(b), sample))
            return CB_OK;
        memcpy(&bits, &b->centrality[v], sizeof bits);
        digest += bc_digest(v, b->fingerprints[v], bits);
    }
    return cb_app_check_digests(b->session, b->buffers[DIGESTS], runs, digest, sample, err);
}

static double bc_work(void *state)
{
    return ((struct bc *)state)->expected.edges;
}

/* ---- Pannotia's ------------------------------------------------------------------------------ */

/* In paper_steps.clh the stamps are the levels, and the sizes the flags. */
static size_t paper_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct bc *b = state;
    cl_mem *const buffers[] = {
        &b->device.rows,         &b->device.columns,      &b->device_back.rows,
        &b->device_back.columns, &b->buffers[STAMPS],     &b->buffers[VALUES],
        &b->buffers[SIZES],      &b->buffers[CENTRALITY], &b->buffers[FINGERPRINTS],
        &b->buffers[DIGESTS],
    };
    const cl_uint *const numbers[] = {&b->numbers[VERTICES], &b->numbers[SOURCES], &b->source};
    size_t n = 0;
    if (room < CB_COUNTOF(buffers) + CB_COUNTOF(numbers))
        return 0;
    for (size_t i = 0; i < CB_COUNTOF(buffers); i++)
        values[n++] = (struct cb_kernel_value){sizeof(cl_mem), buffers[i]};
    for (size_t i = 0; i < CB_COUNTOF(numbers); i++)
        values[n++] = (struct cb_kernel_value){sizeof(cl_uint), numbers[i]};
    return n;
}

/* Runs the forward levels, then as many backward ones. */
static enum cb_status run_source(const struct bc *b, struct cb_steps *steps, cl_uint *level,
                                 const struct cb_kernel_value *values, size_t n, struct cb_err *err)
{
    const struct cb_rounds forth = {
        .steps = {"bfs_kernel"}, .items = b->graph.vertices, .flag = b->buffers[SIZES]};
    bool last = false;
    enum cb_status status = cb_steps_launch(steps, "clean_1d_array", forth.items, values, n, err);
    for (*level = 0; status == CB_OK && !last; (*level)++)
        status = *level < b->graph.vertices
                     ? cb_steps_round(steps, &forth, values, n, &last, err)
                     : cb_fail(err, CB_VERIFY_FAILED, "no end after %u levels", *level);
    while (status == CB_OK && (*level)-- > 0)
        status = cb_steps_launch(steps, "backtrack_kernel", forth.items, values, n, err);
    return status;
}

static enum cb_status bc_run_baseline(void *state, struct cb_steps *steps, struct cb_err *err)
{
    struct bc *b = state;
    cl_uint level = 0;
    struct cb_kernel_value values[CB_STEPS_VALUES] = {{sizeof level, &level}};
    const size_t n = 1 + paper_args(b, values + 1, CB_COUNTOF(values) - 1);
    const cl_uint stride = b->graph.vertices / b->numbers[SOURCES];
    enum cb_status status = cb_steps_launch(steps, "clean_bc", b->graph.vertices, values, n, err);
    for (cl_uint k = 0; status == CB_OK && k < b->numbers[SOURCES]; k++) {
        b->source = k * stride;
        status = run_source(b, steps, &level, values, n, err);
    }
    if (status != CB_OK)
        return status;
    return cb_steps_launch(steps, "add_digest", b->graph.vertices, values, n, err);
}

/* What both variants say. */
#define BC_APP                                                                                     \
    .id = "bc",                                                                                    \
    .inputs_help = "GRAPH[@SOURCES]: from how many vertices; without it from all, or as many as "  \
                   "go through 150 million edges (CPU: 2 million). GRAPH: " CB_GRAPH_INPUTS_HELP,  \
    .inputs = {{"1k-128k",                                                                         \
                {"directed:128x2048@32", "directed:1024x131072@64", "directed:1024x131072@1024"},  \
                "1k_128k"},                                                                        \
               {"2k-1m",                                                                           \
                {"directed:256x8192@8", "directed:2048x1048576@8", "directed:2048x1048576@2048"},  \
                "2k_1M"}},                                                                         \
    .slow_check = true, .draw_input = bc_draw_input, .open = bc_open, .clear = bc_clear,           \
    .check = bc_check, .close = bc_close, .work = "edges", .count_work = bc_work

static const struct cb_app paper = {
    BC_APP,
    .summary = "Betweenness centrality of a graph's vertices, levels over all vertices",
    .source = "OOPSLA'16 Section 5.2, Pannotia's bc, sums gathered",
    .kernel = "apps/bc/paper.cl",
    .gpu_wg_size = 256,
    .cpu_wg_size = 64,
    .args = paper_args,
    .baseline_kernel = "apps/bc/baseline.cl",
    .run_baseline = bc_run_baseline,
};

const struct cb_app cb_app_bc = {
    BC_APP,
    .summary = "Betweenness centrality of a graph's vertices, from a number of sources",
    .source = "OOPSLA'16 Section 5.2, in the role of Pannotia's bc",
    .kernel = "apps/bc/bc.cl",
    .gpu_wg_size = 1024,
    .cpu_wg_size = 1,
    .args = bc_args,
    .paper = &paper,
};
