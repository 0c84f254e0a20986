/* SPDX-License-Identifier: Apache-2.0
 *
 * Options that write results to a file as well, as --json FILE; - is standard output.
 */
#pragma once

#include <stddef.h>

#include "measure/param.h"

struct cb_output {
    const char *option, *path; /* path: NULL: not given */
};

/* Checks the options before anything is measured. CB_USAGE: two of them name the same output, or a
 * file cannot be written. Creates nothing and leaves old files alone. */
enum cb_status cb_outputs_check(const struct cb_output *outputs, size_t n, struct cb_err *err);
