/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "measure/bench.h"

/* The parameters of a case. */
struct cb_memory_case {
    const char *contention, *operation, *access, *groups;
    struct cb_given_uint distance_bytes; /* of a hostage's word from the others', else: */
    struct cb_given_uint stride_bytes;   /* from one workgroup's word to the next */
    unsigned accesses, wg_size;
};

extern const struct cb_param cb_memory_params[];
extern const struct cb_field cb_memory_fields[];

enum cb_status cb_memory_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err);
