/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "benchmarks/launch/programs.h"
#include "measure/bench.h"

/* Launchers. */
#define CB_LAUNCH_HOST "host"
#define CB_LAUNCH_LOOP "loop"
#define CB_LAUNCH_PA   "PA"
#define CB_LAUNCH_PAO  "PAO"

extern const struct cb_param cb_launch_params[];

enum cb_status cb_launch_plan(const struct cb_bench *bench, const struct cb_device *device,
                              const cJSON *options, struct cb_plan *plan, struct cb_err *err);

enum cb_chain_size_name cb_launch_size_of(const char *name);

/* How many steps are launched together: a number, or "all". */
uint32_t cb_launch_pool_of(const char *text, uint32_t steps);
