/* SPDX-License-Identifier: Apache-2.0
 *
 * The *arena*: one buffer that has launch packets (kernels/task_abi.h), and all that tasks read and
 * write. The host gets at it while a megakernel runs, too: directly where it shares memory with the
 * device, else by copies, which have a queue of their own.
 */
#pragma once

#include "runtime/session.h"

struct cb_arena {
    cl_context context;
    size_t size;
    cl_mem buffer;
    unsigned char *shared; /* the buffer, as the host sees it; NULL: by copies */
    cl_command_queue queue;
};

/* Opens an arena of zeros. Close it after a failure, too. */
enum cb_status cb_arena_open(struct cb_arena *arena, struct cb_session *session, size_t size,
                             struct cb_err *err);
void cb_arena_close(struct cb_arena *arena);

enum cb_status cb_arena_write(struct cb_arena *arena, size_t at, const void *from, size_t bytes,
                              struct cb_err *err);
enum cb_status cb_arena_read(struct cb_arena *arena, size_t at, void *to, size_t bytes,
                             struct cb_err *err);
