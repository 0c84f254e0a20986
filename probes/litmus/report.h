/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

/* Prints for each device of the run: the outcomes of each test, and which reorderings the tests can
 * see there. */
void cb_litmus_report(FILE *out, const cJSON *run);
