/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

/* Prints SO'11 Tabs. 1 to 3 for each device of the run, at N workgroups, and the sweep. */
void cb_memory_report(FILE *out, const cJSON *run);
