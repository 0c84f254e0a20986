/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that launch themselves with one workgroup again and again (KLAP'16 Table I, promotion),
 * their inputs and what they have to make of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probes/launch/plan.h"

struct cb_chain_size {
    uint32_t n;            /* elements */
    uint32_t columns, pad; /* of a matrix: of a row, and more or fewer of them */
};

/* What is in the two arrays, or has to be, and of how many elements that is known. */
struct cb_chain_arrays {
    uint32_t *data, *out;
    size_t n_data, n_out;
};

struct cb_chain_program {
    const char *id, *summary;
    const char *kernel;     /* "probes/launch/promotion/sc.cl" */
    unsigned wg_size, each; /* work-items of a workgroup, elements of a work-item at most */
    bool arranges;          /* a step has a tile of elements in local memory (CHAIN_ARRANGED) */
    struct cb_chain_size sizes[CB_LAUNCH_SIZES];
    void (*fill)(const struct cb_chain_size *size, uint32_t *data);
    /* One element after the other. The result's arrays have room for all. */
    void (*reference)(const struct cb_chain_size *size, const uint32_t *data,
                      struct cb_chain_arrays *result);
};

/* Ends with a row without id. */
extern const struct cb_chain_program cb_chain_programs[];

/* NULL: there is none. */
const struct cb_chain_program *cb_chain_program_of(const char *id);

/* Elements of a work-item on a device with so many bytes of local memory. */
unsigned cb_chain_each(const struct cb_chain_program *program, uint64_t local_bytes);

/* How often it launches itself, with the first launch. each: of a work-item. */
uint32_t cb_chain_steps(const struct cb_chain_program *program, const struct cb_chain_size *size,
                        unsigned each);

/* Elements that an array needs. */
size_t cb_chain_room(const struct cb_chain_size *size);
