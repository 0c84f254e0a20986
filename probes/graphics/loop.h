/* SPDX-License-Identifier: Apache-2.0
 *
 * The host application of FSE'17 Section 5.2: launches the synthetic kernel again and again, each
 * launch when the one before has ended. All times are the device clock's.
 *
 *     cb_loop_open(session, &loop, err);
 *     cb_loop_run(&loop, t_ns, &control, &log, err);       any number of times
 *     cb_loop_close(&loop);
 */
#pragma once

#include "runtime/session.h"

struct cb_loop {
    struct cb_session *session;
    struct cb_buffered_kernel kernel; /* of two turns (cb_occupy) */
    size_t groups, wg_size;
    unsigned launches; /* so far */
    unsigned cores;    /* cores of a CPU device; 0: it is none */
};

/* Builds the kernel. CB_UNSUPPORTED: the device has no clock. */
enum cb_status cb_loop_open(struct cb_session *session, struct cb_loop *loop, struct cb_err *err);
void cb_loop_close(struct cb_loop *loop);

/* Launches the kernel once, for no time. */
enum cb_status cb_loop_try(struct cb_loop *loop, struct cb_err *err);

/* Some launches in a row. The bootstrap draws whole parts at random. */
struct cb_loop_part {
    unsigned launches;
    double period_ns;  /* from the first one's start to that of the launch after the last */
    double gap_ns;     /* time between a launch and the next, mean over the workgroups */
    double stopped_ns; /* time for which a launch was stopped, mean over the workgroups */
};

struct cb_loop_log {
    struct cb_loop_part *parts; /* the caller frees it */
    size_t n;
    double part_ns; /* so long is a part at least, but for the last of a run */
};

/* Whether to launch once more. */
struct cb_loop_control {
    void *self;
    enum cb_status (*more)(void *self, bool *more, struct cb_err *err);
};

/* Launches kernels of t_ns. log (may be NULL) gets all launches but the last. CB_VERIFY_FAILED: a
 * kernel did not last its time; CB_ERROR: the driver ended it, say. */
enum cb_status cb_loop_run(struct cb_loop *loop, double t_ns, const struct cb_loop_control *control,
                           struct cb_loop_log *log, struct cb_err *err);
