/* SPDX-License-Identifier: Apache-2.0
 *
 * The periodic tasks, one window of them: in a process of their own (place "process": the
 * companion) or on a second queue of the app's (place "queue").
 */
#pragma once

#include "apps/host/user_task.h"
#include "probes/preempt/plan.h"
#include "probes/preempt/task.h"
#include "runtime/clock.h"

struct cb_preempt_tasks {
    struct cb_session *session;
    struct cb_preempt_task *task;
    struct cb_user_task_run *own; /* a kernel of the user's in its place */
    size_t groups;
    uint32_t size;
    unsigned most; /* tasks of a window */
    struct cb_arrivals arrivals;
    double budget_ns;
    enum cb_preempt_watch watch;
    struct cb_clock_link link;
    struct cb_preempt_result *results; /* results of the last window */
    unsigned done;
};

/* The half of the case that has the tasks, of which `task` has been added. Close it also after a
 * failure. */
enum cb_status cb_preempt_tasks_open(struct cb_preempt_tasks *tasks, struct cb_session *session,
                                     const struct cb_preempt_case *params, struct cb_err *err);
void cb_preempt_tasks_close(struct cb_preempt_tasks *tasks);

/* Reads the clocks; for a device that does nothing else. */
enum cb_status cb_preempt_tasks_ready(struct cb_preempt_tasks *tasks, struct cb_err *err);

/* The tasks, the first of which is due at first_ns (host clock), until the budget is used up (two
 * at least), or as long as goes_on() says (one at least; NULL: not asked). until_ns: when they were
 * over. */
enum cb_status cb_preempt_tasks_run(struct cb_preempt_tasks *tasks, double first_ns,
                                    double *until_ns, bool (*goes_on)(void *self), void *self,
                                    struct cb_sample *sample, struct cb_err *err);
