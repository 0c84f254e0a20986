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
    uint32_t n;            /* number of elements */
    uint32_t columns, pad; /* matrices: columns of a row, and columns that pd adds or upd removes */
};

/* Contents of the two arrays, and how many elements of each are known. */
struct cb_chain_arrays {
    uint32_t *data, *out;
    size_t n_data, n_out;
};

/* PROGRAM(id, what it is), of a row in cb_chain_programs and a kernel <id>.cl. */
#define CB_CHAIN_PROGRAMS(PROGRAM)                                                                 \
    PROGRAM(los, "line of sight")                                                                  \
    PROGRAM(pd, "padding of a matrix")                                                             \
    PROGRAM(pt, "partition")                                                                       \
    PROGRAM(sc, "stream compaction")                                                               \
    PROGRAM(unq, "unique")                                                                         \
    PROGRAM(upd, "unpadding of a matrix")

struct cb_chain_program {
    const char *id;
    const char *kernel;     /* "probes/launch/promotion/sc.cl" */
    unsigned wg_size, each; /* work-items of a workgroup; most elements of a work-item */
    bool arranges;          /* a step has a tile of elements in local memory (CHAIN_ARRANGED) */
    struct cb_chain_size sizes[CB_LAUNCH_SIZES];
    void (*fill)(const struct cb_chain_size *size, uint32_t *data);
    /* Computes the result one element after the other; its arrays have room for all. */
    void (*reference)(const struct cb_chain_size *size, const uint32_t *data,
                      struct cb_chain_arrays *result);
};

/* The last row has no id. */
extern const struct cb_chain_program cb_chain_programs[];

/* The program with this id; NULL: there is none. */
const struct cb_chain_program *cb_chain_program_of(const char *id);

/* Elements of a work-item on a device with so many bytes of local memory. */
unsigned cb_chain_each(const struct cb_chain_program *program, uint64_t local_bytes);

/* Number of launches of a run, the first included. each: elements of a work-item. */
uint32_t cb_chain_steps(const struct cb_chain_program *program, const struct cb_chain_size *size,
                        unsigned each);

/* Elements that an array needs. */
size_t cb_chain_room(const struct cb_chain_size *size);
