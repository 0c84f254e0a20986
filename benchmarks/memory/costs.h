/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost model of the prediction: a formula for each implementation of a primitive.
 */
#pragma once

#include "benchmarks/memory/abstraction.h"

enum cb_primitive_kind { CB_KIND_BARRIER, CB_KIND_MUTEX, CB_KIND_SEMAPHORE };

struct cb_candidate {
    enum cb_primitive_kind kind;
    const char *name; /* the implementation's */
    /* ns an operation where p workgroups do nothing else; v: initial value of a semaphore */
    double (*time)(const struct cb_machine *m, double p, double v);
    const char *why; /* what makes it fast or slow */
};

/* The simplest of each kind first; ends with a row without name. */
extern const struct cb_candidate cb_candidates[];
