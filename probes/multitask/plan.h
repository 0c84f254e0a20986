/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "apps/host/options.h"
#include "measure/bench.h"

/* The options, whose rows say what each is. */
struct cb_multitask_options {
    struct cb_app_options app;
    struct cb_texts barriers, semantics;
    bool matrix, power;
    unsigned tasks, app_runs, trace_events;
    struct cb_given_uint gather_tasks;
    double budget_s, gather_deadline_s, task_deadline_s;
    const char *on_timeout, *beside;
    /* --together: */
    bool together;
    struct cb_texts policies, shares;
    double app_deadline_s, app_rate_per_s, progress_deadline_s;
    unsigned registers;
};

extern const struct cb_param cb_multitask_params[];

enum cb_status cb_multitask_plan(const struct cb_bench *bench, const struct cb_device *device,
                                 const cJSON *options, struct cb_plan *plan, struct cb_err *err);
