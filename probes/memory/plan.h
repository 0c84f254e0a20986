/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "measure/bench.h"

extern const struct cb_param cb_memory_params[];

enum cb_status cb_memory_plan(const struct cb_bench *bench, const struct cb_device *device,
                              const cJSON *options, struct cb_plan *plan, struct cb_err *err);

/* The number that "N", "N/K" or "K" means where N workgroups run at once, at least 1.
 * CB_UNSUPPORTED: more than run at once; CB_USAGE: none of these. n 0: only checks the text. */
enum cb_status cb_memory_groups(const char *text, size_t n, size_t *groups, struct cb_err *err);
