/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

/* For each device: the tasks of each app (FSE'17 Figs. 5, 6), and what the runtime costs (Tab. 2).
 */
void cb_multitask_report(FILE *out, const cJSON *run);
