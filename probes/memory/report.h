/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

/* Prints for each device of the run: SO'11 Tabs. 1 to 3 at N workgroups, the sweeps, the machine
 * abstraction of SO'11 Section 4, and which primitives it predicts to win. */
void cb_memory_report(FILE *out, const cJSON *run);

/* Puts the abstraction and the prediction into the profile's section "memory". */
bool cb_memory_learn(const cJSON *run, const char *device_id, cJSON *profile);
