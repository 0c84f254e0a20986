/* SPDX-License-Identifier: Apache-2.0
 *
 * An open litmus test: its buffers, and one launch of many instances.
 */
#pragma once

#include "measure/random.h"
#include "probes/litmus/axioms.h"
#include "runtime/session.h"

struct cb_litmus {
    struct cb_session *session;
    const struct cb_litmus_test *test;
    int order;
    enum cb_litmus_scope scope;
    unsigned iterations, stress_percent;
    size_t wg_size;
    struct cb_random random;
    cl_program program;
    cl_kernel play, count;
    cl_mem words, meets, reads, scratch, counts, digits;
    struct cb_litmus_outcome outcomes[CB_LITMUS_OUTCOMES]; /* as many as the launch has */
    unsigned seen;           /* bits: outcomes that have come since it is open */
    cb_litmus_launch launch; /* but for what is drawn */
};

/* The kernels and buffers of a test, order, scope and wg_size that are set. Close it also after a
 * failure. */
enum cb_status cb_litmus_prepare(struct cb_litmus *litmus, struct cb_err *err);
void cb_litmus_release(struct cb_litmus *litmus);

/* Plays all instances once, and adds to the counts (litmus_abi.h). */
enum cb_status cb_litmus_iterate(struct cb_litmus *litmus, struct cb_err *err);
