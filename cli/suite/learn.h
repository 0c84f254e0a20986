/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run teaches the profiles of its devices.
 */
#pragma once

#include "measure/bench.h"

/* Lets every bench of the plan learn from the finished run and keeps what it learnt in the devices'
 * profiles, but not in place of what was learnt from more than twice as many runs; says so on
 * standard error, unless quiet. A profile that cannot be read or written is a
 * warning: it takes nothing from the run. */
void cb_learn(const cJSON *run, const struct cb_plan *plan, const struct cb_devices *devices,
              bool quiet);
