/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

#include "analysis/documents/findings.h"
#include "analysis/documents/rows.h"

void cb_launch_report(FILE *out, const cJSON *run);
void cb_launch_findings(struct cb_findings *findings);

/* Prints "Where the time goes", of rows with parts of the longest round's time, and adds the
 * program and launchers where it changes the most. */
void cb_launch_report_parts(FILE *out, const struct cb_rows *of_size);
void cb_launch_find_parts(struct cb_findings *findings);
