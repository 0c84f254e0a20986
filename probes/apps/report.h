/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

/* For each device: the times of the modes, their ratios (OOPSLA'16 Tab. 4, FSE'17 Tab. 2), and what
 * the tuning found. */
void cb_apps_report(FILE *out, const cJSON *run);

/* The part of one device that tells of the tuning. */
void cb_apps_report_tuning(FILE *out, const cJSON *run, const char *device);
