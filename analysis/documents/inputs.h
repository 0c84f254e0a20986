/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

/* Prints a table of what the cases of a benchmark have read, as the run has it in their "inputs"
 * (measure/identity.h), each once; nothing if they have read nothing. */
void cb_inputs_print(FILE *out, const cJSON *run, const char *bench);
