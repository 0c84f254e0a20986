/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "measure/bench.h"

extern const struct cb_param cb_litmus_params[];

enum cb_status cb_litmus_plan(const struct cb_bench *bench, const struct cb_device *device,
                              const cJSON *options, struct cb_plan *plan, struct cb_err *err);
