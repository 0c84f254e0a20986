/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "measure/bench.h"

extern const struct cb_param cb_throttle_params[];

enum cb_status cb_throttle_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err);
