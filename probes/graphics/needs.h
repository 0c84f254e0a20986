/* SPDX-License-Identifier: Apache-2.0
 *
 * How much of the device a display needs, by the kernels beside it: P = X / n and E = (X - Y) / n,
 * of n kernels in X seconds that had the device for Y (FSE'17 Section 5.2). The paper's GPUs gave a
 * display the device between two kernels. Where kernels are stopped for each frame, however long
 * they are, n is the number of frames.
 */
#pragma once

#include "measure/bench.h"
#include "probes/graphics/loop.h"

/* Adds "period", "duration" with their bounds, and their parts. Nothing, if the log is
 * empty: not one kernel ended within its windows. frame_ns: a frame's period, if kernels are
 * stopped for frames; else 0. */
enum cb_status cb_needs_add(struct cb_sample *sample, const struct cb_loop_log *log,
                            double frame_ns, uint64_t seed, struct cb_err *err);

/* Adds "idle_gap", the cost of the loop itself, which goes on while nothing is drawn. */
enum cb_status cb_needs_add_idle(struct cb_sample *sample, struct cb_loop *loop, double t_ns,
                                 struct cb_err *err);
