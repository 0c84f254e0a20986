/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

/* For each device: the tasks beside each app, and FSE'17 Tab. 3. */
void cb_preempt_report(FILE *out, const cJSON *run);
