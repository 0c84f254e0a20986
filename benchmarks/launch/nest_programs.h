/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs whose work-items launch children (KLAP'16 Table I, aggregation), their inputs and what
 * they have to make of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "benchmarks/launch/plan.h"

/* The arrays of nest.clh, of which `words` is written; expected: what the first of them have to be
 * in the end. */
struct cb_nest_data {
    uint32_t parents;
    uint32_t *begins, *others, *words, *expected;
    size_t n_others, n_words, n_expected;
};

struct cb_nest_program {
    const char *id, *summary;
    const char *kernel;
    unsigned parent_size, child_size; /* work-items of a workgroup */
    bool has_rounds;                  /* until one leaves the flag as it was */
    struct {
        uint32_t parents, items; /* of a child, a vertex's edges; or a graph's scale */
    } sizes[CB_LAUNCH_SIZES];
    /* begins has room for parents + 1. False: out of memory. */
    bool (*make)(uint32_t items, struct cb_nest_data *data);
};

/* Ends with a row without id. */
extern const struct cb_nest_program cb_nest_programs[];

/* NULL: there is none. */
const struct cb_nest_program *cb_nest_program_of(const char *id);

/* False: out of memory. To be freed also then. */
bool cb_nest_make(const struct cb_nest_program *program, enum cb_launch_size size,
                  struct cb_nest_data *data);
void cb_nest_free(struct cb_nest_data *data);
