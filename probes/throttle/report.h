/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

#include "analysis/documents/rows.h"

/* A table for each schedule and one of the caps, in Markdown. */
void cb_throttle_report(FILE *out, const cJSON *run);

/* The progress with the most workgroups, of rows like this one; NaN: none. */
double cb_throttle_full_progress(const cJSON *run, const cJSON *row);
