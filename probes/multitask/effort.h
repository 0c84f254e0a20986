/* SPDX-License-Identifier: Apache-2.0
 *
 * How much is measured in a case. The matrix has hundreds of cases, so that each gets little.
 */
#pragma once

#include "apps/host/workload.h"
#include "probes/multitask/plan.h"

struct cb_effort {
    unsigned tasks;    /* most tasks of a run */
    double budget_s;   /* time of a run; NaN: not a case with tasks */
    unsigned gathers;  /* tasks of a run for the gather time alone */
    unsigned app_runs; /* fewest runs of the app beside the tasks of a run */
    struct cb_stop stop;
    double expected_s; /* expected time of the case */
};

/* The effort of a case on a device, with tasks or (workload NULL) without. groups is the option's
 * text. */
struct cb_effort cb_effort_of(const struct cb_device *device,
                              const struct cb_multitask_options *options,
                              const struct cb_workload *workload, const char *groups);
