/* SPDX-License-Identifier: Apache-2.0
 *
 * For runtime/source*.c: the expansion of one text, and what the next may know of it.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "runtime/host/error.h"

#define CB_SOURCE_PATH_BYTES 512
#define CB_SOURCE_INCLUDES   128
#define CB_SOURCE_REPEATS    1024 /* most files without #pragma once: each may double the text */

/* Begins with nulls, but for users_only. A copy of it goes on from there. */
struct cb_expansion {
    FILE *out;
    bool users_only;                         /* cb_source_expand_users() */
    const struct cb_source_options *options; /* a user's; NULL: none */
    int depth, repeats;
    char seen[CB_SOURCE_INCLUDES + 2][CB_SOURCE_PATH_BYTES]; /* that are not included again; two
                                                                are marked without an #include */
    int n_seen;
};

/* false: it has been seen before. */
bool cb_expansion_mark(struct cb_expansion *x, const char *path);

/* The text of a file, which is marked; of what has been seen before, nothing but the file itself.
 */
enum cb_status cb_expansion_file(struct cb_expansion *x, const char *path, char **text,
                                 struct cb_err *err);
