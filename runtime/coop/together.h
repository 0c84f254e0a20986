/* SPDX-License-Identifier: Apache-2.0
 *
 * Several cooperative kernels in one megakernel (models/together.pml): those of config.path and
 * config.others, kernels 0, 1, ... They share its workgroups, each with ids, barriers and transmit
 * state of its own, and are resized against each other while they run. Tasks take from all.
 *
 *     cb_coop_open(session, &config, &coop, err);       with config.others
 *     cb_coop_args(coop, args, n, err);                  of the first, then
 *     cb_coop_args_after(coop, n, args1, n1, err);       of the second, ...
 *     cb_coop_start(coop, workers, &how, err);           workers: at least one for each
 *     cb_coop_limits(coop, (unsigned[]){12, 4}, err);    at any time
 *     cb_coop_stop(coop, &first, err);
 *     cb_coop_result_of(coop, 1, &second, err);
 *
 * Without limits each has the same part. If limits sum to more than tasks leave, each gets the same
 * part of its own.
 */
#pragma once

#include "runtime/coop/coop.h"

/* Sets the arguments of the kernel whose first follows `before` arguments of other kernels. */
enum cb_status cb_coop_args_after(struct cb_coop *coop, size_t before,
                                  const struct cb_kernel_value *values, size_t n,
                                  struct cb_err *err);

/* The calls of coop.h for any kernel: cb_coop_limit(), cb_coop_await_limit() and cb_coop_runs()
 * mean the first. */
enum cb_status cb_coop_limit_of(struct cb_coop *coop, unsigned kernel, unsigned groups,
                                struct cb_err *err);
enum cb_status cb_coop_await_limit_of(struct cb_coop *coop, unsigned kernel, double deadline_s,
                                      struct cb_coop_resize *resize, struct cb_err *err);
enum cb_status cb_coop_runs_of(struct cb_coop *coop, unsigned kernel, unsigned *runs,
                               struct cb_err *err);

/* Limits all kernels at once, in one write: the scheduler acts on all of it or on nothing
 * (models/limits.pml), and saw all limits at the same time (seen_ns). groups: workgroups of each
 * kernel, at most all workers; 0: no limit. CB_ERROR: more than there are. */
enum cb_status cb_coop_limits(struct cb_coop *coop, const unsigned *groups, struct cb_err *err);
/* Waits for all limits; resizes: one for each kernel. CB_TIMEOUT: some have not come to pass in
 * time. */
enum cb_status cb_coop_await_limits(struct cb_coop *coop, double deadline_s,
                                    struct cb_coop_resize *resizes, struct cb_err *err);

/* Whether the kernel begins again whenever it has ended, from now on; `repeat` also begins one that
 * has not begun, or that has ended. */
enum cb_status cb_coop_repeat_of(struct cb_coop *coop, unsigned kernel, bool repeat,
                                 struct cb_err *err);

/* The result of any kernel, after cb_coop_stop(), which tells of the first. */
enum cb_status cb_coop_result_of(struct cb_coop *coop, unsigned kernel,
                                 struct cb_coop_result *result, struct cb_err *err);
