/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's side of apps that decide vertices in the order of their priorities (priority.clh):
 * a word for each vertex comes out, and is compared with a reference.
 *
 * Errors: those of cb_graph_load(), and CB_UNSUPPORTED if there are too many vertices
 * or edges.
 */
#pragma once

#include "apps/graphs/device.h"
#include "apps/host/app.h"

/* Buffers of the kernel; priority.clh describes their layout. */
enum {
    CB_PRIORITY_RESULTS,
    CB_PRIORITY_CURSORS,
    CB_PRIORITY_QUEUES,
    CB_PRIORITY_SIZES,
    CB_PRIORITY_DIGESTS,
    CB_PRIORITY_BUFFERS
};

struct cb_priority {
    struct cb_session *session;
    struct cb_graph graph; /* undirected, without weights */
    struct cb_graph_buffers device;
    cl_mem buffers[CB_PRIORITY_BUFFERS];
    uint32_t *expected, *results; /* one of each vertex; results: after cb_priority_read() */
    uint32_t digest;
};

/* Computes what comes out for each vertex of an undirected graph; false: no memory. */
typedef bool cb_priority_reference(const struct cb_graph *graph, uint32_t *results);

/* Functions of a struct cb_app; cb_priority_open() takes the reference besides. */
enum cb_status cb_priority_open(struct cb_session *session, const char *input,
                                cb_priority_reference *reference, void **state, struct cb_err *err);
size_t cb_priority_args(void *state, struct cb_kernel_value *values, size_t room);
enum cb_status cb_priority_clear(void *state, struct cb_err *err);
void cb_priority_close(void *state);

/* Reads the results of the last run from the device. */
enum cb_status cb_priority_read(struct cb_priority *p, struct cb_err *err);

/* Checks the result of each vertex, and the digests of all runs. what: "colour", for messages. */
enum cb_status cb_priority_check(struct cb_priority *p, const char *what, unsigned runs,
                                 struct cb_sample *sample, struct cb_err *err);

/* ---- Pannotia's steps ------------------------------------------------------------------------ */

/* In priority_steps.clh the cursors are the highest priorities, the queues the marks, and the sizes
 * the flags. */

/* Runs the baseline: a first step, then in each round the steps `names`, up to a NULL
 * (priority_baseline.clh). */
enum cb_status cb_priority_run_baseline(struct cb_priority *p, struct cb_steps *steps,
                                        const char *const names[], struct cb_err *err);
