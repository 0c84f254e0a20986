/* SPDX-License-Identifier: Apache-2.0
 *
 * What the two parts of task_runner share: a task and its arguments.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/session.h"

#define MOST 16

struct argument {
    size_t size; /* in bytes */
    uint32_t *begin, *expected;
    cl_mem buffer;
    uint32_t value[4];
    bool is_local;
};

struct run {
    struct cb_session session;
    const char *kernel;
    struct argument arguments[MOST];
    unsigned n;
    cl_uint dimensions;
    size_t offset[3], global[3], local[3];
};

/* Compares the words with those that a plain launch has written there. CB_VERIFY_FAILED: they
 * differ. */
enum cb_status compare_words(const struct run *r, unsigned argument, const uint32_t *found,
                             size_t groups, size_t items, struct cb_err *err);

/* Runs it as task `number` of a program beside its cooperative kernel, in the megakernel: by one
 * workgroup, three and all that there are. Each begins with the same buffers. */
enum cb_status run_beside(struct run *r, const char *program, unsigned number, struct cb_err *err);
