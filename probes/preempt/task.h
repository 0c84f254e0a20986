/* SPDX-License-Identifier: Apache-2.0
 *
 * The urgent task: a matrix product, launched as a kernel of its own.
 */
#pragma once

#include <stdbool.h>

#include "runtime/session.h"

struct cb_preempt_task;

/* How to see that others cut it into slices. */
enum cb_preempt_watch {
    CB_WATCH_NONE,
    CB_WATCH_CLOCK, /* one workgroup more watches the device clock. The kernel ends when that one
                       has ended, too: on a CPU device, that may be late */
    CB_WATCH_SYSTEM /* the operating system counts how often it takes a core from this process: for
                       CPU devices */
};

struct cb_preempt_task_config {
    size_t wg_size; /* work-items a workgroup */
    size_t groups;  /* workgroups of a task, at most */
    uint32_t most;  /* rows and depth of the largest */
    enum cb_preempt_watch watch;
};

/* What became of a task. Without a device clock there are host times only. */
struct cb_preempt_result {
    bool right;            /* the product is */
    double request_ns;     /* host clock: when it was asked for */
    double answer_ns;      /* time from then until the host knew the result */
    bool clocked;          /* the device has a clock: */
    uint64_t begun, ended; /* the first share began, the last ended, ticks */
    double exec_ns;        /* between the two */
    unsigned slices;       /* into how many the others cut it; 0: not seen */
    double away_ns;        /* how long they had the device in between; NaN: not seen */
};

/* Builds the kernel. The session lives longer. */
enum cb_status cb_preempt_task_open(struct cb_session *session,
                                    const struct cb_preempt_task_config *config,
                                    struct cb_preempt_task **task, struct cb_err *err);
void cb_preempt_task_close(struct cb_preempt_task *task); /* NULL is fine */

/* Runs it once and waits for the result. size: COOP_TASK_SIZE. */
enum cb_status cb_preempt_task_run(struct cb_preempt_task *task, size_t groups, uint32_t size,
                                   struct cb_preempt_result *result, struct cb_err *err);

/* The size of a task that takes config.groups workgroups so long, on a device that does nothing
 * else. Searched for once in a session for each workgroup size and number of workgroups. */
enum cb_status cb_preempt_task_find_size(struct cb_preempt_task *task, double duration_ns,
                                         uint32_t *size, struct cb_err *err);
