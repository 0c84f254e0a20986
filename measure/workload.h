/* SPDX-License-Identifier: Apache-2.0
 *
 * Workloads: short tasks that come with a period and take a duration (FSE'17 Section 5.2).
 */
#pragma once

#include "runtime/error.h"

struct cb_workload {
    char name[48];
    double period_ns;
    double duration_ns; /* of a task that has all workers of the device */
};

/* "light", "medium", "heavy" (Section 5.2), or a JSON file:
 *     {"schema": "coopbench-workload", "name": "mine", "period_ms": 40, "duration_ms": 10}
 * CB_USAGE says what is wrong with it. */
enum cb_status cb_workload_find(const char *text, struct cb_workload *workload, struct cb_err *err);
