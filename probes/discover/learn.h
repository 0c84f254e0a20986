/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>

/* The bench's learn(): keeps the safe numbers of --headroom (measure/safe_groups.h). */
bool cb_discover_learn(const cJSON *run, const char *device_id, cJSON *profile);
