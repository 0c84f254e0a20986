/* SPDX-License-Identifier: Apache-2.0
 *
 * One open case of preempt: the app is in this process, the tasks are in a companion or on a second
 * queue.
 */
#pragma once

#include "apps/host/case.h"
#include "apps/host/power_meter.h"
#include "measure/process/companion.h"
#include "probes/preempt/app_runs.h"
#include "probes/preempt/tasks.h"

struct cb_preempt {
    struct cb_session *session;
    struct cb_preempt_app app;
    struct cb_companion *companion; /* place "process" */
    struct cb_session second;       /* place "queue": context NULL until it is open, */
    struct cb_preempt_tasks tasks;  /* the tasks in the other process */
    size_t workers;                 /* N */
    double budget_ns, launch_ns;
    double phase_s; /* 0: as long as they are */
    struct cb_power_meter meter;
    unsigned word; /* where the barrier's is: another place in each sample */
};

/* What the companion adds to its sample beside the metrics: from when until when there were tasks,
 * by the host's clock. */
#define CB_PREEMPT_FROM  "from"
#define CB_PREEMPT_UNTIL "until"

/* The app alone for a while: the mean of its runs, which are checked. */
enum cb_status cb_preempt_alone(struct cb_preempt *preempt, double *mean_ns,
                                struct cb_sample *sample, struct cb_err *err);

/* For the other process to read its clocks on an idle device. */
void cb_preempt_settle(void);

/* One sample: a window without tasks and one with them. */
enum cb_status cb_preempt_sample(struct cb_preempt *preempt, struct cb_sample *sample,
                                 struct cb_err *err);
