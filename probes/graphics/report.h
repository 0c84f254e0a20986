/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

/* For each device: t, P and E of its scenes, frames with and without kernels, and notes. */
void cb_graphics_report(FILE *out, const cJSON *run);
