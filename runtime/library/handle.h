/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the library share.
 */
#pragma once

#include <stdbool.h>

#include "runtime/coop/arena.h"
#include "runtime/coop/coop.h"
#include "runtime/coop/packet.h"
#include "runtime/library/coopbench.h"

/* Arguments of the cooperative kernel. */
#define LIBRARY_ARGUMENTS 128
#define LIBRARY_PACKET    sizeof(((struct cb_packet *)0)->u) /* bytes of a launch packet's slot */

struct coopbench {
    struct cb_err err;
    struct cb_session session;
    bool has_session; /* open */
    bool is_open;     /* all of it */
    size_t wg_size;

    struct cb_arena arena; /* launch packets, then, from `first` up to `used`, all buffers */
    size_t unit, first, used;

    struct cb_coop *coop; /* NULL: nothing is loaded */
    char *text;           /* text of the program */
    const char *tasks;    /* what the program defines as TASK_KERNELS; NULL: it has none */
    cl_mem parts[LIBRARY_ARGUMENTS];
    bool has_arguments; /* all of them */
    size_t workers;     /* that can run at once; 0: not known yet */
    size_t started;     /* that it was started with */
    bool runs;
    /* Places of launch packets: those of tasks that have not been waited for, by their numbers */
    bool in_use[COOP_IN_LINE];
    unsigned slot_of[COOP_IN_LINE], next_slot;
};

/* Whether anything has been opened: drivers may have brought their LLVM. */
extern bool library_has_opened;

/* Whether coopbench_open() has opened it. If not, the message says so. c may be NULL. */
bool library_is_open(coopbench *c);

/* Whether what a call must have is there; if not, the message names it. */
bool library_is_given(coopbench *c, const void *pointer, const char *name);
#define LIBRARY_IS_GIVEN(c, pointer) library_is_given((c), (pointer), #pointer)

/* CB_USAGE: no number of seconds from 0 to `most`. */
enum cb_status library_check_seconds(double seconds, double most, const char *name,
                                     struct cb_err *err);
#define LIBRARY_MOST_S 1e9

/* ---- Arguments ------------------------------------------------------------------------------- */

struct library_text {
    const char *at;
    int length;
};

struct library_parameter {
    struct library_text type, name;
    bool is_pointer;
};

/* Those of the cooperative kernel of a program, at most so many, by its text. Returns how many. */
unsigned library_kernel_parameters(const char *text, struct library_parameter *found,
                                   unsigned most);

/* Whether this can be argument i for the parameter (NULL: not known). CB_USAGE: why not. */
enum cb_status library_check_argument(const coopbench *c, const struct coopbench_argument *a,
                                      unsigned i, const struct library_parameter *p,
                                      struct cb_err *err);

/* Whether it lies in what coopbench_reserve() has given, and is not empty. */
bool library_holds(const coopbench *c, coopbench_buffer buffer);
