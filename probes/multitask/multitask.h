/* SPDX-License-Identifier: Apache-2.0
 *
 * One open case of multitask.
 */
#pragma once

#include <stdbool.h>

#include "apps/host/case.h"
#include "apps/host/pace.h"
#include "apps/host/power_meter.h"
#include "probes/multitask/together/together.h"
#include "runtime/coop/tasks.h"

struct cb_multitask {
    struct cb_session *session;
    const struct cb_app_instance *on; /* the batch, or `first` */
    /* --beside: the batch, and the other app in the same megakernel; app NULL: there is none. */
    struct cb_app_instance first, second;
    struct cb_coop_config config; /* configuration of coop */
    struct cb_coop *coop;
    struct cb_coop *specialised, *portable, *traced; /* overhead cases */
    size_t workers;                                  /* N */
    size_t groups;                                   /* workgroups of a task */
    struct cb_user_task_run *own;                    /* a task of the user; NULL: one of ours, */
    struct cb_tasks *ours;                           /* the latter; NULL: there are none */
    unsigned task, size;                             /* our task: COOP_TASK_MATMUL, ... */
    unsigned submitted;                              /* tasks since the start */
    struct cb_arrivals arrivals;                     /* arrivals of tasks */
    double budget_ns, gather_s;
    double task_s;         /* after which a task of the user counts as one that never ends, and */
    bool gives_up;         /* the kernel beside it is given up */
    unsigned tasks;        /* tasks of a run; 0: this is an overhead case */
    unsigned app_runs;     /* beside the tasks of a run, at least */
    unsigned gather_tasks; /* tasks that follow them, for the gather time alone */
    /* Turns of each mode for a sample of an overhead case; 0: as many as usual. */
    unsigned turns;
    unsigned trace_events;
    unsigned word;   /* where the barrier's is: another place in each run */
    char trace[512]; /* where traces go, without ending; empty: nowhere */

    struct cb_power_meter meter;
    struct cb_together *together; /* a case of --together, and nothing else; NULL: not */
};

#define CB_MULTITASK_LIFETIME_S 100 /* lifetime of a megakernel */

/* Kernels in the megakernel. */
static inline unsigned cb_multitask_kernels(const struct cb_multitask *multitask)
{
    return multitask->second.app ? 2 : 1;
}

/* Workgroups that a task leaves at least: one for each kernel, but with COOP_WHOLE none. */
static inline unsigned cb_multitask_kept(const struct cb_multitask *multitask)
{
    return multitask->config.semantics == COOP_WHOLE ? 0 : cb_multitask_kernels(multitask);
}

/* Waits until the app has ended `runs` times and so much time has passed, or until the megakernel
 * has ended. */
enum cb_status cb_multitask_wait(struct cb_coop *coop, unsigned runs, double ns,
                                 struct cb_err *err);

/* Begins the kernel in `coop`, and the buffers that it and a task of the user work on. */
enum cb_status cb_multitask_begin(struct cb_multitask *m, struct cb_coop *coop, bool repeat,
                                  struct cb_err *err);

/* One task, and its wait; m->size does not matter. */
enum cb_status cb_multitask_task(struct cb_multitask *m, size_t groups, unsigned size,
                                 struct cb_coop_task *task, struct cb_err *err);

/* Stops it after trials. CB_VERIFY_FAILED: a task's result was wrong. */
enum cb_status cb_multitask_end_trials(struct cb_multitask *m, struct cb_err *err);

/* Finds m->size: of tasks that take all workers so long. Measured once in a session for each app,
 * barrier and number of workers. */
enum cb_status cb_multitask_calibrate(struct cb_multitask *m, double duration_ns,
                                      struct cb_err *err);

/* Sets m->groups to the fewest of 1, N/4, N/2 and N-1 with which some tasks on trial are answered
 * within the period; to N-1 if none are. After the calibration. */
enum cb_status cb_multitask_fewest(struct cb_multitask *m, struct cb_err *err);

/* Runs the cooperative kernel again and again without tasks for a while. mean_ns of a run. */
enum cb_status cb_multitask_alone(struct cb_multitask *m, double *mean_ns, struct cb_sample *sample,
                                  struct cb_err *err);

/* Runs a sample with a task each period. */
enum cb_status cb_multitask_tasks(struct cb_multitask *m, double alone_ns, struct cb_sample *sample,
                                  struct cb_err *err);

#define CB_MULTITASK_FEWEST "fewest" /* word of the option --groups */

/* What the runtime costs without tasks (FSE'17 Section 5.3). */
enum cb_status cb_multitask_overhead(struct cb_multitask *m, struct cb_sample *sample,
                                     struct cb_err *err);

/* Checks the trace of the last start, and writes it where m->trace says. */
enum cb_status cb_multitask_trace(struct cb_multitask *m, struct cb_coop *coop,
                                  struct cb_sample *sample, struct cb_err *err);
