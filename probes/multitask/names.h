/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tasks of a row are called, and how they come.
 */
#pragma once

#include <cjson/cJSON.h>

#define CB_MULTITASK_NAME 80

/* What a row's tasks are called: "light", "light (reduce)", or as the user's are; returns text. */
const char *cb_multitask_name(const cJSON *row, char text[CB_MULTITASK_NAME]);

#define CB_MULTITASK_EVERY 128

/* How a row's tasks come: "every 40.0 ms", "at random, every 40.0 ms on average, each to be
 * answered within 5.00 ms". */
void cb_multitask_every(const cJSON *row, char text[CB_MULTITASK_EVERY]);
