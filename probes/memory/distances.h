/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

/* Prints the accesses of a device by the distance between words: the spaced ones, and the hostages.
 * Nothing for those that were not planned. */
void cb_memory_print_distances(FILE *out, const cJSON *run, const char *device_id);
