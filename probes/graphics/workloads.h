/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>

#include "runtime/host/error.h"

/* Saves P and E of each case that has them as a workload (apps/host/workload.h) in the run's
 * folder. The first that cannot be written ends it. */
enum cb_status cb_graphics_workloads(const cJSON *run, const char *folder, cJSON *names,
                                     struct cb_err *err);
