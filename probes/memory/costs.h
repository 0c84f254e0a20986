/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost model of the prediction: a formula for each implementation of a primitive.
 */
#pragma once

#include "probes/memory/abstraction.h"
#include "runtime/primitives.h"

struct cb_cost {
    /* ns an operation where p workgroups do nothing else; v: initial value of a semaphore */
    double (*time)(const struct cb_machine *m, double p, double v);
    const char *why; /* what makes it fast or slow */
};

/* In the order of cb_primitive_table. */
extern const struct cb_cost cb_costs[CB_PRIMITIVE_COUNT];
