/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of the apps of shortest paths: the graph as their kernels read it (sssp_abi.h),
 * the reference, and the check. An app's state begins with a struct cb_sssp.
 *
 * Distances are whole numbers up to SSSP_FARTHEST, checked exactly.
 * Errors: CB_UNSUPPORTED for a graph with a longer shortest path, or too many vertices.
 */
#pragma once

#include "apps/graphs/inputs.h"
#include "apps/host/app.h"

enum { CB_SSSP_RECORDS, CB_SSSP_ROWS, CB_SSSP_WORDS, CB_SSSP_DIGESTS, CB_SSSP_BUFFERS };

struct cb_sssp {
    struct cb_session *session;
    struct cb_graph graph;
    cl_uint source;                  /* the vertex with the most edges; of several, the first */
    cl_mem buffers[CB_SSSP_BUFFERS]; /* first arguments of the kernel, in this order */
    uint32_t *expected, *words;      /* one word of each vertex */
    uint32_t digest;
};

/* Loads the graph and searches it (apps/graphs/dijkstra.h). cb_sssp_close() frees what is there,
 * also after a failure. */
enum cb_status cb_sssp_open(struct cb_sssp *s, struct cb_session *session, const char *input,
                            struct cb_err *err);
void cb_sssp_close(struct cb_sssp *s);

/* Puts the records of a graph, the one that was loaded or a part of it, on the device. */
enum cb_status cb_sssp_pack(struct cb_sssp *s, const struct cb_graph *graph, struct cb_err *err);

/* Number of records that hold edges of the vertex beyond its first record. */
uint32_t cb_sssp_more_records(const struct cb_graph *graph, uint32_t vertex);

/* The weight as kernels read it: SSSP_NO_EDGE if it is heavier than any distance can be, since such
 * an edge is on no shortest path. */
uint32_t cb_sssp_weight(const struct cb_graph *graph, uint64_t edge);

/* Creates a buffer with a copy of `bytes`; NULL with err set. */
cl_mem cb_sssp_upload(struct cb_session *session, const void *from, size_t bytes,
                      struct cb_err *err);

/* Functions of struct cb_app, for a state that begins with a struct cb_sssp. */
enum cb_status cb_sssp_clear(void *state, struct cb_err *err);
enum cb_status cb_sssp_check(void *state, unsigned runs, struct cb_sample *sample,
                             struct cb_err *err);
double cb_sssp_count_edges(void *state); /* number of edges of all vertices that a path reaches */
void cb_sssp_draw_input(struct cb_random *random, char *spec, size_t size);
