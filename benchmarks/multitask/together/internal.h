/* SPDX-License-Identifier: Apache-2.0
 *
 * What open.c prepares and run.c runs.
 */
#pragma once

#include "benchmarks/multitask/together/power.h"
#include "benchmarks/multitask/together/together.h"
#include "runtime/coop/together.h"

struct cb_together {
    struct cb_session *session;
    struct cb_app_instance on[2];
    struct cb_coop *alone[2], *both;
    size_t alone_workers[2], workers;
    const struct cb_policy *policy;
    struct cb_policy_memory memory; /* what it has learnt: later samples begin with that */
    unsigned share;
    double budget_ns, app_deadline_s, app_rate, progress_s;
    struct cb_power_meter meter;
    double begun_ns; /* both, in this sample: host clock */
    unsigned word;   /* where the barriers' words are: another place in each sample */
};
