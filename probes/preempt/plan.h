/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "apps/host/options.h"
#include "measure/bench.h"

/* The options, whose rows say what each is. */
struct cb_preempt_options {
    struct cb_app_options app;
    struct cb_texts beside, places;
    bool hybrid, power;
    double gather_bound_s, phase_s, watchdog_s, budget_s, launch_s;
    unsigned tasks;
    const char *watch;
};

extern const struct cb_param cb_preempt_params[];

enum cb_status cb_preempt_plan(const struct cb_bench *bench, const struct cb_device *device,
                               const cJSON *options, struct cb_plan *plan, struct cb_err *err);
