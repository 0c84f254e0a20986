/* SPDX-License-Identifier: Apache-2.0
 *
 * One launch of an app, whose workgroups are made fewer and more while it runs, by a
 * schedule or to hold a power cap. In a worker process.
 */
#pragma once

#include "apps/host/case.h"
#include "runtime/power/power.h"

#define CB_THROTTLE_MAX_STEPS 32

/* The parameters of a case: of a step of a schedule, or of a cap. */
struct cb_throttle_case {
    struct cb_app_params app;
    double idle_s, resize_deadline_s;
    /* A step: */
    const char *launch;   /* which steps share one */
    const char *schedule; /* groups of all steps, "N,N/2,1" */
    const char *groups;
    unsigned step; /* from 1; 0: a cap */
    double hold_s;
    /* A cap: */
    double power_cap_w, cap_time_s, interval_s;
};

extern const struct cb_field cb_throttle_fields[];

/* What a step of a schedule came to; NaN: not measured. */
struct cb_throttle_step {
    size_t groups;               /* that were asked for; 0: it is left out */
    double active;               /* that there were */
    double resize_ns, answer_ns; /* NaN: there were as many before */
    double runs, progress;       /* runs and progress of the app between two of its ends; 1/s */
    double power_w;
};

/* How many workgroups were active from a time of the host's clock on. */
struct cb_throttle_change {
    double time_ns, active;
};

struct cb_throttle {
    struct cb_session *session;
    const struct cb_app_instance *on; /* app of the batch */
    struct cb_coop *coop;
    size_t workers; /* N */
    double hold_ns, idle_ns, deadline_s;
    char trace[512]; /* file of power over time; empty: none */

    struct cb_power *power; /* NULL: not measured, since: */
    struct cb_err no_power;
    struct cb_power_sampler *sampler; /* while it runs, and until the next launch */
    double idle_w;

    struct cb_throttle_step steps[CB_THROTTLE_MAX_STEPS];
    int n_steps;

    struct cb_throttle_change *changes;
    size_t n_changes, room;
    double begun_ns;          /* host clock */
    struct cb_sample verdict; /* verdict on the app's results */
};

enum cb_status cb_throttle_open(const struct cb_app_instance *on,
                                const struct cb_throttle_case *params, struct cb_throttle *throttle,
                                struct cb_err *err);
void cb_throttle_close(struct cb_throttle *throttle);

/* The beginning of a launch, with so many workgroups, to be over after so many seconds, and its end
 * with all checks; of a failed one, too. */
enum cb_status cb_throttle_begin(struct cb_throttle *throttle, size_t groups, double lifetime_s,
                                 struct cb_err *err);
enum cb_status cb_throttle_end(struct cb_throttle *throttle, double cap_w, struct cb_err *err);

/* Makes the app have so many workgroups. */
enum cb_status cb_throttle_resize(struct cb_throttle *throttle, size_t groups,
                                  struct cb_coop_resize *resize, struct cb_err *err);

/* Waits until a time of the host's clock, or until the app has ended `runs` times in all (0: until
 * the time). The runs then, and the time. */
enum cb_status cb_throttle_wait(struct cb_throttle *throttle, double until_ns, unsigned runs,
                                unsigned *ended, double *now_ns, struct cb_err *err);

/* Fills throttle->steps by their `groups`. */
enum cb_status cb_throttle_run_schedule(struct cb_throttle *throttle, struct cb_err *err);

/* Holds a power cap for a time, looking at the power once in an interval. */
struct cb_throttle_cap {
    double cap_w, duration_ns, interval_ns;
};
enum cb_status cb_throttle_hold_cap(struct cb_throttle *throttle, const struct cb_throttle_cap *cap,
                                    struct cb_sample *sample, struct cb_err *err);

/* Metrics that follow from others. */
void cb_throttle_add_work(const struct cb_throttle *throttle, double progress, double power_w,
                          struct cb_sample *sample);
