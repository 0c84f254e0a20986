/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

/* Prints OOPSLA'16 Tab. 3 for each device of the run, in Markdown, then the sweep and the delays.
 */
void cb_discover_report(FILE *out, const cJSON *run);
