/* SPDX-License-Identifier: Apache-2.0
 *
 * An open case of the memory benchmark.
 */
#pragma once

#include "measure/bench.h"
#include "probes/memory/memory_abi.h"
#include "runtime/session.h"

struct cb_memory {
    struct cb_session *session;
    cl_program program;
    cl_kernel kernel;
    cl_mem state, records, words;
    cb_memory_group *groups; /* records read back */
    cb_u32 *values;          /* words read back */
    size_t room;             /* workgroups that the buffers hold */
    size_t launched, wg_size;
    cl_uint accesses, stride; /* stride: words; of a hostage, the distance */
    bool write, chase, atomic_first;
    bool hostage, disturbed_by_atomics;
};

/* Words that `groups` workgroups access. */
size_t cb_memory_word_count(const struct cb_memory *memory, size_t groups);

/* Checks what a run has left in groups and values. */
void cb_memory_check(const struct cb_memory *memory, struct cb_sample *sample);
