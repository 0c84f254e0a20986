/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "measure/bench.h"

#define CB_SELFTEST_MIN_TASKS 5u
#define CB_SELFTEST_MAX_TASKS 40u

extern const struct cb_param cb_selftest_params[];

enum cb_status cb_selftest_plan(const struct cb_bench *bench, const struct cb_device *device,
                                const cJSON *options, struct cb_plan *plan, struct cb_err *err);
