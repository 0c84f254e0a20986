/* SPDX-License-Identifier: Apache-2.0
 *
 * The benchmark's cases in a run document.
 */
#pragma once

#include <cjson/cJSON.h>

/* The case "memory/..." of a device (by id); NULL if there is none. */
const cJSON *cb_memory_case(const cJSON *run, const char *device_id, const char *id_format, ...)
    __attribute__((format(printf, 3, 4)));
