/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

/* For struct cb_figure: how many workgroups ran at once alone and beside each neighbour, over the
 * workgroup sizes of each device, or over its microbenchmarks if it has no sizes. Devices without
 * rows of both kinds are left out. */
int cb_discover_beside_write(FILE *out, cJSON *const *runs, int n);
