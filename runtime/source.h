/* SPDX-License-Identifier: Apache-2.0
 *
 * Text files that the program carries: kernels, shared headers, shaders, plot scripts. They are
 * embedded at build time, so that coopbench runs from anywhere; with COOPBENCH_KERNEL_DIR set to a
 * source tree, that tree's files are read instead.
 */
#pragma once

#include <stdint.h>

#include "runtime/host/error.h"
#include "runtime/source_options.h"

struct cb_embedded {
    const char *path; /* relative to the project's root */
    const char *text;
};

/* Ends with a row of nulls. */
extern const struct cb_embedded cb_embedded_files[];

/* The text of a carried file, or of a user's, whose path begins with "/", "./" or "../"; *text is
 * the caller's to free. */
enum cb_status cb_source_read(const char *path, char **text, struct cb_err *err);

/* Keeps a copy of a text as the file of this path, before any that is carried; the same again
 * changes nothing. */
enum cb_status cb_source_keep(const char *path, const char *text, struct cb_err *err);

/* Such a path of a user's file, as "./solver.cl" of "solver.cl"; the caller's to free. NULL: no
 * memory. */
char *cb_source_users_path(const char *path);

/* "file.cl:name" is split, unless there is a file of that name: the name, or NULL. */
char *cb_source_split_name(char *path);

/* A digest of all files that devices get to see, as they are read now: of those carried, kernels,
 * the headers that they share with the host, shaders; and all texts that are kept. */
uint64_t cb_source_digest(void);

/* The text of an OpenCL C file with every `#include "..."` replaced by the file's text, each file
 * once, and #line directives in between, so that the compiler reports errors at the place they are
 * written. Includes are looked up beside the including file, then in kernels/, then from the
 * project's root ("apps/shared/priority.clh"). `#include CB_FILE_OF(mutexes, ...)` of
 * kernels/paste.h is replaced by all carried files of kernels/mutexes/, because only the compiler
 * knows which one it uses. */
enum cb_status cb_source_expand(const char *path, char **text, struct cb_err *err);

/* Expands a text that would be in the file `path`. */
enum cb_status cb_source_expand_text(const char *path, const char *source, char **text,
                                     struct cb_err *err);

/* Expands a user's file, with what its options (NULL: it has none) put before it, and with files of
 * their folders, also those between < and >; a line that includes what is in none of these stays,
 * as of the kernel library. A file without #pragma once may come again. */
enum cb_status cb_source_expand_users(const char *path, const struct cb_source_options *options,
                                      char **text, struct cb_err *err);

/* Expands a file as people name it ("solver.cl"), with its options as they write them (NULL: none),
 * whose relative paths go from the folder of the file `beside` (NULL: the working one). */
enum cb_status cb_source_users_text(const char *path, const char *options, const char *beside,
                                    char **text, struct cb_err *err);

/* Several cooperative kernels as one program: all of these texts expanded, one after the other. */
struct cb_source_parts {
    const char *common;       /* first, once: "kernels/coop/together.clh" */
    const char *const *paths; /* then each of these, its copy of all that it includes and `common`
                                 does not; names that copy k defines end with _k0, _k1, ... A path
                                 may come again. */
    size_t n;
    const char *last; /* then this, once; no copy includes it */
};

/* As cb_source_expand(), with the names by runtime/source_names.h. A log says the file, not the
 * copy, and its names. */
enum cb_status cb_source_expand_parts(const struct cb_source_parts *parts, char **text,
                                      struct cb_err *err);

/* Names of a text that is made one with others: by a line "#define NAME OTHER" with this in the
 * other one, or by one of these lines. */
#define CB_SOURCE_OWN     "_own_"
#define CB_SOURCE_COPY    "/* Names of this copy end with %.*s. */\n"
#define CB_SOURCE_RENAMED "/* %.*s stands for %.*s. */\n"

/* A compiler's log with places in the expanded text put back where they were written:
 * "<kernel>:543:8:" becomes "kernels/wait.clh:44:8:", for compilers that do not follow #line
 * (NVIDIA's); and with the names that were written there. A log that needs nothing comes back as it
 * is. The caller frees it; NULL: no memory. */
char *cb_source_map_log(const char *expanded, const char *log);
