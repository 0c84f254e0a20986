/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "measure/bench.h"

/* The parameters of a case. */
struct cb_litmus_case {
    const char *test, *scope, *ordering;
    unsigned iterations, stress_percent, wg_size, seed;
    bool
        conformance; /* only what the model promises, and what it promises nothing for is refused */
};

extern const struct cb_param cb_litmus_params[];
extern const struct cb_field cb_litmus_fields[];

enum cb_status cb_litmus_plan(struct cb_plan *plan, const cJSON *options, struct cb_err *err);
