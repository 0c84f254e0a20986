/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the library share.
 */
#pragma once

#include <stdbool.h>

#include "library/coopbench.h"
#include "runtime/coop/arena.h"
#include "runtime/coop/coop.h"
#include "runtime/coop/packet.h"

#define LIBRARY_ARGUMENTS 32                                 /* of the cooperative kernel */
#define LIBRARY_PACKET    sizeof(((struct cb_packet *)0)->u) /* bytes of a launch packet's place */

struct coopbench {
    struct cb_err err;
    struct cb_session session;
    bool is_open; /* the session is */
    size_t wg_size;

    struct cb_arena arena; /* launch packets, then all buffers */
    size_t unit, used;

    struct cb_coop *coop; /* NULL: nothing is loaded */
    char *text;           /* the program, */
    const char *tasks;    /* and what it defines as TASK_KERNELS; NULL: it has none */
    cl_mem parts[LIBRARY_ARGUMENTS];
    size_t workers; /* that can run at once; 0: not known yet */
    bool runs;
    /* Places of launch packets: those of tasks that have not been waited for, by their numbers */
    bool in_use[COOP_IN_LINE];
    unsigned place_of[COOP_IN_LINE], next_place;
};

/* Whether anything has been opened: drivers may have brought their LLVM. */
extern bool library_has_opened;

/* Of the arena, in whole bytes. CB_USAGE: beyond the buffer's end. */
enum cb_status library_copy(coopbench *c, coopbench_buffer buffer, void *host, size_t bytes,
                            bool back, struct cb_err *err);
