/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of a user's kernel, as it is and with a barrier of all workgroups before its first
 * statement. Neither needs libclang.
 */
#pragma once

#include <stdbool.h>

#include "runtime/host/error.h"

struct cb_user_text {
    char *file;    /* as a user's file is opened: "./lud.cl" */
    char *name;    /* the kernel's */
    char *text;    /* the file, expanded, with what is of its build options */
    char *version; /* which of OpenCL C these ask for: " -cl-std=CL2.0", or "" */
};

/* Reads "lud.cl:lud_internal", or "lud.cl" of a file with one kernel. options: "-DN=4 -I include",
 * or NULL. CB_USAGE: the file cannot be read, or there is no such kernel in it, or several, whose
 * names err has. */
enum cb_status cb_user_text_read(const char *kernel, const char *options, struct cb_user_text *t,
                                 struct cb_err *err);
void cb_user_text_free(struct cb_user_text *t);

/* Whether the kernel's declaration says which size of workgroups it requires. */
bool cb_user_text_requires_size(const struct cb_user_text *t);

/* The text with the barrier. locals: names of the arguments that are local memory, of whose
 * elements it notes the sizes. The caller frees it. */
enum cb_status cb_user_text_with_barrier(const struct cb_user_text *t, const char *const *locals,
                                         unsigned n_locals, char **text, struct cb_err *err);
