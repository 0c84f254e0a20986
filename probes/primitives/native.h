/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "runtime/host/error.h"

/* A barrier between `threads` threads of this process, in C: a counter and a round, polled with
 * sched_yield(). Time of `rounds` of them in ns; errors: threads that left the last one too early.
 */
enum cb_status cb_native_barrier(unsigned threads, unsigned rounds, double *time_ns,
                                 unsigned *errors, struct cb_err *err);
