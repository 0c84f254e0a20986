/* SPDX-License-Identifier: Apache-2.0
 *
 * What a command that only reads writes: one form to standard output, by --format, and others to
 * files as well, by options of their names.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "measure/param.h"

struct cb_output_form {
    const char *name; /* "json" */
    void (*write)(FILE *out, const void *report);
    const char *mode; /* of fopen(), for the file of its option; NULL: it has none */
};

/* Writes the report in all forms that the options ask for: if the file of one is -, nothing else
 * goes to standard output. CB_ERROR: a file cannot be written; the others are. */
enum cb_status cb_output_forms_write(const struct cb_output_form *forms, size_t n,
                                     const void *report, const cJSON *options, struct cb_err *err);
