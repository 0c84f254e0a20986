/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "apps/host/case.h"

#define CB_SELFTEST_MIN_TASKS 5u
#define CB_SELFTEST_MAX_TASKS 40u

/* The parameters of a case. */
struct cb_selftest_case {
    struct cb_app_params app;
    const char *resizing, *policy;                      /* policy: NULL: limits are drawn */
    const char *beside, *beside_variant, *beside_input; /* NULL: no second kernel */
    double workers, first_groups;                       /* shares of what there can be */
    unsigned trace_events, tasks, tasks_seed;
    bool all_modes, limits;
};

extern const struct cb_param cb_selftest_params[];
extern const struct cb_field cb_selftest_fields[];

enum cb_status cb_selftest_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err);
