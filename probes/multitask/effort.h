/* SPDX-License-Identifier: Apache-2.0
 *
 * How much is measured in a case. The matrix has hundreds of cases, so that each gets little.
 */
#pragma once

#include "apps/host/workload.h"
#include "measure/bench.h"

struct cb_effort {
    unsigned tasks;    /* of a run, at most */
    double budget_s;   /* of a run; NaN: not a case with tasks */
    unsigned gathers;  /* of a run: tasks for the gather time alone */
    unsigned app_runs; /* of the app beside the tasks of a run, at least */
    struct cb_stop stop;
    double expected_s; /* of the case */
};

/* Of a case with tasks, or (workload NULL) without, on a device. groups is the option's text. */
struct cb_effort cb_effort_of(const struct cb_device *device, const cJSON *options,
                              const struct cb_workload *workload, const char *groups);
