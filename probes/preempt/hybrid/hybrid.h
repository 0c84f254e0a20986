/* SPDX-License-Identifier: Apache-2.0
 *
 * --hybrid (FSE'17 Section 5.5): the app runs as a cooperative kernel in a process of its own, and
 * each task is asked of it first. One that is not gathered within a bound is withdrawn, and runs in
 * this process, so that the driver has to take turns (on a CPU device, the operating system). A
 * sample compares that with time slicing alone and with cooperation alone.
 */
#pragma once

#include "analysis/documents/findings.h"
#include "apps/host/pace.h"
#include "apps/host/run.h"
#include "apps/host/workload.h"
#include "measure/process/companion.h"
#include "probes/preempt/hybrid/board.h"
#include "probes/preempt/hybrid/decide.h"
#include "probes/preempt/plan.h"
#include "probes/preempt/task.h"
#include "runtime/coop/tasks.h"

/* ---- The plan -------------------------------------------------------------------------------- */

/* Checks, for a plan, --hybrid and options that need it or exclude it. CB_USAGE: they do not go
 * together. */
enum cb_status cb_hybrid_check(const struct cb_preempt_options *options, struct cb_err *err);

struct cb_hybrid_choice {
    const struct cb_app *app;
    const char *input, *groups;
    const struct cb_workload *workload;
};

/* Adds the case. */
void cb_hybrid_add(struct cb_plan *plan, const struct cb_preempt_options *options,
                   const struct cb_hybrid_choice *choice);

/* Whether the case is of the app's process. */
bool cb_hybrid_is_app(const struct cb_preempt_case *params);

/* ---- The app's process ----------------------------------------------------------------------- */

struct cb_hybrid_app {
    struct cb_session *session;
    const struct cb_app_instance *on; /* the batch */
    struct cb_coop *coop;
    struct cb_tasks *tasks;
    struct cb_board board;
    size_t workers, wg_size;
    bool watched;
    uint32_t served; /* the last of the board's requests */
    unsigned word;   /* where the barrier's is: another place in each window */
};

/* Close it also after a failure. In a rehearsal without a board, to have the kernel built. */
enum cb_status cb_hybrid_app_open(struct cb_hybrid_app *app, struct cb_session *session,
                                  const struct cb_app_instance *on,
                                  const struct cb_preempt_case *params, struct cb_err *err);
void cb_hybrid_app_close(struct cb_hybrid_app *app);

/* One window: the app again and again, until the board says that it is over; the requests there are
 * answered. Adds CB_HYBRID_RUN, the mean time of a run, if one has ended in time. */
enum cb_status cb_hybrid_app_window(struct cb_hybrid_app *app, struct cb_sample *sample,
                                    struct cb_err *err);
#define CB_HYBRID_RUN "run"

/* ---- The tasks' process ---------------------------------------------------------------------- */

struct cb_hybrid {
    struct cb_session *session;
    struct cb_board board;
    struct cb_companion *app; /* its process, */
    char app_name[64];
    bool app_lives;
    struct cb_preempt_task *task;
    size_t groups, most_groups;
    uint32_t size;
    unsigned most; /* tasks of a window */
    struct cb_arrivals arrivals;
    double budget_ns, bound_ns;
    struct cb_watchdog watchdog;
};

/* Starts the app's process. Close it also after a failure. In a rehearsal it only builds the
 * tasks' kernel. */
enum cb_status cb_hybrid_open(struct cb_hybrid *hybrid, struct cb_session *session,
                              const struct cb_preempt_case *params, struct cb_err *err);
void cb_hybrid_close(struct cb_hybrid *hybrid);

/* One sample: windows of the app alone, and with tasks in each of the ways. CB_TIMEOUT: the
 * watchdog has ended the app's process; all tasks were answered. */
enum cb_status cb_hybrid_sample(struct cb_hybrid *hybrid, struct cb_sample *sample,
                                struct cb_err *err);

/* ---- What it found --------------------------------------------------------------------------- */

/* A table of a device's cases, and what they say; nothing if there are none. */
void cb_hybrid_report(FILE *out, const struct cb_rows *of_device);
void cb_hybrid_find(struct cb_findings *findings);
