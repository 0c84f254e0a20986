/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of a user's text, found by its tokens: the text has been expanded (runtime/source.h), but
 * not preprocessed. A kernel whose name only a macro makes is not seen.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "runtime/host/error.h"

#define CB_SOURCE_KERNELS 1000

/* The names of the kernels that a text defines, each once, of the first so many; to be deleted.
 * NULL: no memory. */
cJSON *cb_source_kernels(const char *text);

/* Whether a text defines a function of this name. */
bool cb_source_defines(const char *text, const char *name);

/* Whether the declaration of a kernel has the attribute reqd_work_group_size. */
bool cb_source_requires_size(const char *text, const char *name);

/* The text, with parameters before those of each function of this name, and a statement that is the
 * first of its body. Calls of it get `arguments` for them. All lines stay where they are. *out is
 * the caller's to free. */
struct cb_source_prologue {
    const char *parameters, *statement; /* "global int *a", "a[0] = 1;" */
    const char *arguments;              /* "0" */
};
enum cb_status cb_source_begin_with(const char *text, const char *name,
                                    const struct cb_source_prologue *prologue, char **out,
                                    struct cb_err *err);
