/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

/* A table for each schedule and one of the caps, in Markdown. */
void cb_throttle_report(FILE *out, const cJSON *run);

/* Of the rows of one schedule on a device, the progress with the most workgroups; NaN: none. */
double cb_throttle_full_progress(const cJSON *run, const char *device, const char *app);
