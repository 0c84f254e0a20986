/* SPDX-License-Identifier: Apache-2.0
 *
 * What open.c prepares and run.c runs.
 */
#pragma once

#include "probes/multitask/together/power.h"
#include "probes/multitask/together/together.h"
#include "runtime/coop/together.h"

struct cb_together {
    struct cb_session *session;
    struct cb_app_instance on[2];
    struct cb_coop *alone[2], *both, *traced; /* traced: NULL without --trace */
    size_t alone_workers[2], workers;
    const struct cb_policy *policy;
    struct cb_policy_memory memory; /* what it has learnt: later samples begin with that */
    unsigned share;
    double budget_ns, app_deadline_s, app_rate, progress_s;
    struct cb_power_meter meter;
    double begun_ns; /* both, in this sample: host clock */
    unsigned word;   /* where the barriers' words are: another place in each sample */
    unsigned trace_events;
    char trace[512]; /* where traces go, without ending */
};

#define CB_TOGETHER_LIFETIME_S 100
#define CB_TOGETHER_GATHER_S   5

/* Workgroups from one app to the other and back, so many times, from a quarter to three; then each
 * has `groups`. sample: gets the time of each, from when the scheduler saw both limits until both
 * had come to pass; may be NULL. */
enum cb_status cb_together_resize(struct cb_together *t, struct cb_coop *coop,
                                  const unsigned groups[2], int times, struct cb_sample *sample,
                                  struct cb_err *err);

/* Runs both with traces, resizes them, and checks and writes the traces; without --trace, nothing.
 * groups: what the policy has settled on. */
enum cb_status cb_together_trace(struct cb_together *t, const unsigned groups[2],
                                 struct cb_sample *sample, struct cb_err *err);
