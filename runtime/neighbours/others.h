/* SPDX-License-Identifier: Apache-2.0
 *
 * What others do on devices now, by a short look at all of them: for 'coopbench list devices'.
 */
#pragma once

#include <cjson/cJSON.h>

#include "runtime/device.h"

/* Worker: an array with an object for each of n devices, of which this process has none open. What
 * is not known is absent:
 *
 *     NVIDIA GPUs   {"sign": "nvml", "processes", "bytes", "share", "free_bytes", "total_bytes"}
 *     CPU devices   {"sign": "cores", "cores", "busy_cores", "load", "pressure", "free_bytes",
 *                    "total_bytes"}
 *     any other     {"unknown": why}
 *
 * "share" is of the last seconds, "busy_cores" of a tenth of a second, "load" of a minute, and
 * "pressure" the share of ten seconds in which something waited for a core. */
cJSON *cb_others_look(const struct cb_device *devices, int n);

/* Parent: such an object for people, as "2 processes with 4 GiB, ...". */
void cb_others_describe(const cJSON *others, char *text, size_t size);
