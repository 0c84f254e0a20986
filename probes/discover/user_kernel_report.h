/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said of users' kernels: tables, and a sentence each.
 */
#pragma once

#include <stdio.h>

#include "analysis/documents/findings.h"

/* Prints the tables of a device's cases; nothing if there are none. */
void cb_user_kernels_report(FILE *out, const cJSON *run, const char *device_id);

/* Adds a finding of each kernel. */
void cb_user_kernels_find(struct cb_findings *findings);
