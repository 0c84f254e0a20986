/* SPDX-License-Identifier: Apache-2.0
 *
 * What a command that only reads writes: one form to standard output, by --format, and others to
 * files as well, by options of their names.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "runtime/host/error.h"

struct cb_output_form {
    const char *name; /* "json" */
    void (*write)(FILE *out, const void *report);
    const char *mode; /* mode of fopen(), for the file of its option; NULL: it has none */
    const char *path; /* that the option names; NULL: it is not given */
};

/* Writes the report in all forms that have a path, and in the one of --format: if one goes to -,
 * nothing else goes to standard output. CB_ERROR: a file cannot be written; the others are. */
enum cb_status cb_output_forms_write(const struct cb_output_form *forms, size_t n,
                                     const void *report, const char *format, struct cb_err *err);
