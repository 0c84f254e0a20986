/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "measure/bench.h"

/* The parameters of a case. */
struct cb_primitives_case {
    const char *kind, *primitive, *groups;
    struct cb_given_uint section, initial; /* of a mutex, and of a semaphore */
    unsigned wg_size;
    const char *ops, *backoff;
    bool tune;
};

extern const struct cb_param cb_primitives_params[];
extern const struct cb_field cb_primitives_fields[];

enum cb_status cb_primitives_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err);
