/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/shared/priority.h"

#include <stdlib.h>

#include "apps/shared/priority_abi.h"
#include "kernels/coop_abi.h"

/* Leaves room for kernels, which compute indices a little beyond the last edge. */
#define MAX_EDGES (UINT32_MAX - (1u << 20))

static size_t bytes_of(const struct cb_priority *p, int buffer)
{
    const size_t vertices = p->graph.vertices;
    const size_t words[CB_PRIORITY_BUFFERS] = {
        [CB_PRIORITY_RESULTS] = vertices,      [CB_PRIORITY_CURSORS] = vertices,
        [CB_PRIORITY_QUEUES] = 2 * vertices,   [CB_PRIORITY_SIZES] = PRIORITY_SIZES * PRIORITY_LINE,
        [CB_PRIORITY_DIGESTS] = COOP_MAX_RUNS,
    };
    return 4 * words[buffer];
}

/* Loads an undirected graph that is small enough. */
static enum cb_status load_graph(struct cb_priority *p, const char *input, struct cb_err *err)
{
    if (cb_graph_open(p->session, input, &p->graph, err) != CB_OK)
        return err->status;
    if (p->graph.vertices > PRIORITY_LEAST)
        return cb_fail(err, CB_UNSUPPORTED, "%s: at most %u vertices", p->graph.name,
                       PRIORITY_LEAST);
    if (cb_graph_symmetrise(&p->graph, err) != CB_OK)
        return err->status;
    if (p->graph.edges > MAX_EDGES)
        return cb_fail(err, CB_UNSUPPORTED, "%s: at most %u edges", p->graph.name, MAX_EDGES);
    return CB_OK;
}

static enum cb_status create_buffers(struct cb_priority *p, struct cb_err *err)
{
    size_t bytes[CB_PRIORITY_BUFFERS];
    for (int i = 0; i < CB_PRIORITY_BUFFERS; i++)
        bytes[i] = bytes_of(p, i);
    if (cb_buffers_create(p->session, bytes, CB_PRIORITY_BUFFERS, p->buffers, err) != CB_OK)
        return err->status;
    return cb_graph_upload(p->session, &p->graph, &p->device, err);
}

/* Marks all vertices, for Pannotia's mis, whose first run has to clear them. The marks that a run
 * leaves are those of vertices that are out, so the next run need not clear them. */
static enum cb_status write_marks(struct cb_priority *p, struct cb_err *err)
{
    for (uint32_t v = 0; v < p->graph.vertices; v++)
        p->results[v] = 1;
    return cb_buffer_write(p->session, p->buffers[CB_PRIORITY_QUEUES], p->results,
                           bytes_of(p, CB_PRIORITY_RESULTS), err);
}

enum cb_status cb_priority_open(struct cb_session *session, const char *input,
                                cb_priority_reference *reference, void **state, struct cb_err *err)
{
    struct cb_priority *p = calloc(1, sizeof *p);
    *state = p;
    if (!p)
        return cb_no_memory(err);
    p->session = session;
    if (load_graph(p, input, err) != CB_OK)
        return err->status;
    p->expected = malloc(4 * (size_t)p->graph.vertices);
    p->results = malloc(4 * (size_t)p->graph.vertices);
    if (!p->expected || !p->results || !reference(&p->graph, p->expected))
        return cb_no_memory(err);
    for (uint32_t v = 0; v < p->graph.vertices; v++)
        p->digest += priority_digest(v, p->expected[v]);
    if (create_buffers(p, err) != CB_OK)
        return err->status;
    return write_marks(p, err);
}

size_t cb_priority_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct cb_priority *p = state;
    if (room < CB_PRIORITY_BUFFERS + 3)
        return 0;
    values[0] = (struct cb_kernel_value){sizeof(cl_mem), &p->device.rows};
    values[1] = (struct cb_kernel_value){sizeof(cl_mem), &p->device.columns};
    for (int i = 0; i < CB_PRIORITY_BUFFERS; i++)
        values[2 + i] = (struct cb_kernel_value){sizeof(cl_mem), &p->buffers[i]};
    values[2 + CB_PRIORITY_BUFFERS] = (struct cb_kernel_value){sizeof(cl_uint), &p->graph.vertices};
    return CB_PRIORITY_BUFFERS + 3;
}

/* Clears the digests only: the kernel clears the rest, since it may run again and again in one
 * launch. */
enum cb_status cb_priority_clear(void *state, struct cb_err *err)
{
    struct cb_priority *p = state;
    return cb_buffer_clear(p->session, p->buffers[CB_PRIORITY_DIGESTS],
                           bytes_of(p, CB_PRIORITY_DIGESTS), err);
}

void cb_priority_close(void *state)
{
    struct cb_priority *p = state;
    if (!p)
        return;
    for (int i = 0; i < CB_PRIORITY_BUFFERS; i++)
        if (p->buffers[i])
            clReleaseMemObject(p->buffers[i]);
    cb_graph_release_buffers(&p->device);
    cb_graph_free(&p->graph);
    free(p->expected);
    free(p->results);
    free(p);
}

enum cb_status cb_priority_read(struct cb_priority *p, struct cb_err *err)
{
    return cb_buffer_read(p->session, p->buffers[CB_PRIORITY_RESULTS], p->results,
                          bytes_of(p, CB_PRIORITY_RESULTS), err);
}

enum cb_status cb_priority_check(struct cb_priority *p, const char *what, unsigned runs,
                                 struct cb_sample *sample, struct cb_err *err)
{
    for (uint32_t v = 0; v < p->graph.vertices; v++)
        if (!cb_sample_check(sample, p->results[v] == p->expected[v],
                             "vertex %u: %s %u instead of %u", v, what, p->results[v],
                             p->expected[v]))
            return CB_OK;
    return cb_app_check_digests(p->session, p->buffers[CB_PRIORITY_DIGESTS], runs, p->digest,
                                sample, err);
}

enum cb_status cb_priority_run_baseline(struct cb_priority *p, struct cb_steps *steps,
                                        const char *const names[], struct cb_err *err)
{
    struct cb_kernel_value values[CB_STEPS_VALUES];
    struct cb_rounds rounds = {
        .begin = "priority_baseline_begin",
        .steps = {"priority_baseline_find"},
        .end = "priority_baseline_end",
        .items = p->graph.vertices,
        .flag = p->buffers[CB_PRIORITY_SIZES],
        .most = p->graph.vertices + 1, /* each round decides a vertex, and the last decides none */
    };
    for (size_t i = 0; names[i]; i++)
        rounds.steps[1 + i] = names[i];
    size_t n = cb_priority_args(p, values, CB_COUNTOF(values));
    return cb_steps_rounds(steps, &rounds, values, n, err);
}
