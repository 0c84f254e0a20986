/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "apps/host/case.h"
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

/* The parameters of a case: of tasks, of --beside, or of --hybrid; and what another process of the
 * case is told beside. */
struct cb_preempt_case {
    struct cb_app_params app;
    const char *place, *workload, *groups, *watch;
    double period_ns, duration_ns, budget_s, phase_s, launch_s;
    unsigned tasks;
    bool power;
    /* A case of --beside has: */
    const char *beside, *beside_input;
    unsigned beside_wg_size;
    /* A case of --hybrid has: */
    bool hybrid;
    double watchdog_s, gather_bound_s;
    /* The other process has: */
    const char *half;  /* "tasks", "beside", or "app" of --hybrid; NULL: the case itself */
    const char *board; /* path of the memory that both halves of --hybrid have */
    unsigned task_groups, task_size;
};

/* Rows with which the parameters of all cases of tasks begin. */
#define CB_PREEMPT_COMMON_FIELDS                                                                   \
    CB_APP_NAME_FIELDS(struct cb_preempt_case), CB_FIELD(struct cb_preempt_case, "place", place),  \
        CB_FIELD(struct cb_preempt_case, "hybrid", hybrid),                                        \
        CB_FIELD(struct cb_preempt_case, "wg-size", app.wg_size),                                  \
        CB_FIELD(struct cb_preempt_case, "workgroups", app.workgroups),                            \
        CB_FIELD(struct cb_preempt_case, "workload", workload),                                    \
        CB_FIELD(struct cb_preempt_case, "period_ns", period_ns),                                  \
        CB_FIELD(struct cb_preempt_case, "task", app.task),                                        \
        CB_FIELD(struct cb_preempt_case, "duration_ns", duration_ns),                              \
        CB_FIELD(struct cb_preempt_case, "groups", groups),                                        \
        CB_FIELD(struct cb_preempt_case, "tasks", tasks)

extern const struct cb_param cb_preempt_params[];
extern const struct cb_field cb_preempt_fields[];

enum cb_status cb_preempt_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err);
