/* SPDX-License-Identifier: Apache-2.0
 *
 * The app's side: a kernel that runs it again and again, one launch after another, and when each
 * run was.
 */
#pragma once

#include "apps/host/run.h"
#include "runtime/clock.h"

/* Host clock. */
struct cb_preempt_span {
    double from_ns, until_ns;
};

/* The launches of a window. */
struct cb_preempt_app {
    const struct cb_app_instance *on; /* the batch */
    struct cb_coop *coop;             /* specialised, repeats */
    size_t groups;
    struct cb_clock_link link;
    struct cb_preempt_span *spans; /* spans of its runs */
    size_t runs, room;
    unsigned launches;
    double launched_ns; /* time of all launches */
};

/* Begins a window. For a device that does nothing else: the clocks are read. */
enum cb_status cb_preempt_app_ready(struct cb_preempt_app *app, struct cb_err *err);

/* One launch, of for_ns or somewhat longer, and its end. */
enum cb_status cb_preempt_app_begin(struct cb_preempt_app *app, double for_ns, struct cb_err *err);
enum cb_status cb_preempt_app_end(struct cb_preempt_app *app, struct cb_err *err);

/* Launches one after the other until so much time has passed, at least one. */
enum cb_status cb_preempt_app_window(struct cb_preempt_app *app, double launch_ns, double for_ns,
                                     struct cb_err *err);

/* Ends the window: checks what the app has computed. */
enum cb_status cb_preempt_app_check(struct cb_preempt_app *app, struct cb_sample *sample,
                                    struct cb_err *err);

/* The mean time of a run, of those within the span; if there is none, of those that began or ended
 * in it, or went on all the while. NaN: none. */
double cb_preempt_mean_run(const struct cb_preempt_span *spans, size_t runs,
                           const struct cb_preempt_span *within);

void cb_preempt_app_free(struct cb_preempt_app *app);
