/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "apps/host/case.h"
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

/* The parameters of a case: of the overhead, of tasks, or of --together. */
struct cb_multitask_case {
    struct cb_app_params app;
    /* A case with a second app has: */
    const char *beside, *beside_input;
    unsigned alone_wg_size, beside_wg_size; /* that suit each of the apps */
    unsigned trace_events;
    unsigned turns; /* of an overhead case; 0: as many as usual */
    /* A case with tasks has: */
    const char *workload, *arrivals, *groups, *on_timeout;
    double period_ns, duration_ns, deadline_ns, budget_s, gather_deadline_s, task_deadline_s;
    unsigned tasks, gather_tasks, app_runs;
    bool power;
    /* A case of --together has: */
    const char *policy, *share;
    double app_deadline_s, app_rate_per_s, progress_deadline_s;
    unsigned registers;
};

extern const struct cb_param cb_multitask_params[];
/* cb_together_fields: those of --together, in their order. */
extern const struct cb_field cb_multitask_fields[], cb_together_fields[];

enum cb_status cb_multitask_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err);
