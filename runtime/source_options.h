/* SPDX-License-Identifier: Apache-2.0
 *
 * Build options of a user's text, as of clBuildProgram(): "-DN=4 -I include -cl-mad-enable". Macros
 * and folders belong to the text alone, since programs are made of several.
 */
#pragma once

#include <stdio.h>

#include "runtime/host/error.h"

struct cb_source_options {
    char *head;     /* lines before the text: of -D, -U and -include; "" */
    char **folders; /* of -I, in which files are looked for that are not beside the including one */
    int n_folders;
    char *version; /* of -cl-std: " -cl-std=CL2.0"; or "" */
    char *device;  /* the others, which the device's compiler gets: " -cl-mad-enable"; or "" */
};

/* Reads them from a text, with quotes and backslashes as in a shell (NULL: none). Relative paths go
 * from the folder of the file `beside` (NULL: the working one). CB_USAGE: what is wrong. */
enum cb_status cb_source_options_read(const char *text, const char *beside,
                                      struct cb_source_options *options, struct cb_err *err);
void cb_source_options_free(struct cb_source_options *options);

/* Writes one more option, whatever letters its value has: " -DNAME=a\ b". */
void cb_source_option_write(FILE *out, const char *option, const char *value);

/* The same options where relative paths go from elsewhere: with absolute ones. The caller frees
 * them. */
enum cb_status cb_source_options_moved(const char *text, char **moved, struct cb_err *err);

/* Lines of a program's text by which its options for the device's compiler, and the version of its
 * language, come with it; nothing if there are none. */
void cb_source_options_write(const struct cb_source_options *options, FILE *out);

/* The version that such a line of a text says first; where none does, that of OpenCL C where nobody
 * says any: " -cl-std=CL1.2". The caller frees it. NULL: no memory. */
char *cb_source_version_of(const char *text);

/* All options that such lines of a text say, each once; the caller's to free. NULL: no memory. */
char *cb_source_options_of(const char *text);
