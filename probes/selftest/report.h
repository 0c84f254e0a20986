/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

/* Prints what was run and checked on each device, and what failed, with the commands to run that
 * again. */
void cb_selftest_report(FILE *out, const cJSON *run);
