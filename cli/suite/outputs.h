/* SPDX-License-Identifier: Apache-2.0
 *
 * Options that write results to a file as well, as --json FILE; - is standard output.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "measure/param.h"

struct cb_output {
    const char *option, *path; /* path: NULL: not given */
};

/* Checks the options before anything is measured. CB_USAGE: two of them name the same output, or a
 * file cannot be written. Creates nothing and leaves old files alone. */
enum cb_status cb_outputs_check(const struct cb_output *outputs, size_t n, struct cb_err *err);

/* Opens early the file of an option that will be written, but leaves what is in it until there is
 * something new; - is standard output, no path NULL. */
enum cb_status cb_output_open(const struct cb_output *output, FILE **out, struct cb_err *err);

/* Writes a document to a file that is open, if it is, in place of what is in it. */
enum cb_status cb_output_write(const struct cb_output *output, FILE *out,
                               void (*write)(FILE *out, const cJSON *document),
                               const cJSON *document, struct cb_err *err);

void cb_output_close(FILE *out); /* NULL is fine */
