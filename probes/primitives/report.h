/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

/* Prints, for each device of the run, in Markdown: operations per second by number of workgroups
 * (SO'11 Figs. 1 to 3), and the best primitives (SO'11 Tab. 5) beside those that were predicted.
 *
 * prediction gives what 'coopbench memory' predicts for a device, or NULL:
 * {"barrier": {"low": "counter", "full": "xf"}, "mutex": ..., "semaphore_1": ..., ...}.
 * It may itself be NULL. What it gives is read before it is called again, and not freed. */
void cb_primitives_report_with(FILE *out, const cJSON *run,
                               const cJSON *(*prediction)(void *context, const char *device_id),
                               void *context);
