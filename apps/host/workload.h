/* SPDX-License-Identifier: Apache-2.0
 *
 * Workloads: short tasks that come with a period and take a duration (FSE'17 Section 5.2).
 */
#pragma once

#include "measure/field.h"
#include "runtime/device.h"
#include "runtime/host/error.h"

#define CB_MAX_WORKLOADS 32
#define CB_DEADLINE_MET  0.95 /* share of the tasks in time with which the deadline is met */

struct cb_workload {
    char name[48];
    double period_ns;
    double duration_ns; /* time of a task that has all workers of the device */
};

/* "light", "medium", "heavy" (Section 5.2), or a JSON file:
 *     {"schema": "coopbench-workload", "name": "mine", "period_ms": 40, "duration_ms": 10}
 * CB_USAGE says what is wrong with it. */
enum cb_status cb_workload_find(const char *text, struct cb_workload *workload, struct cb_err *err);

/* Those of the texts, as of --workload, without "none". Returns how many in *n. */
enum cb_status cb_workloads_of(struct cb_texts texts, struct cb_workload list[CB_MAX_WORKLOADS],
                               int *n, struct cb_err *err);

/* About how long a task takes on a device, in seconds. groups: as on the command line. */
double cb_workload_expected_s(const struct cb_workload *workload, const struct cb_device *device,
                              const char *groups);
