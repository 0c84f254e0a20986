/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

#include "measure/run/findings.h"

void cb_launch_report(FILE *out, const cJSON *run);
void cb_launch_findings(struct cb_findings *findings);
