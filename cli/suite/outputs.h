/* SPDX-License-Identifier: Apache-2.0
 *
 * Options that write results to a file as well, as --json FILE; - is standard output.
 */
#pragma once

#include <stddef.h>

#include "measure/param.h"

/* Checks the options of these names before anything is measured. CB_USAGE: two of them name the
 * same output, or a file cannot be written. Creates nothing and leaves old files alone. */
enum cb_status cb_outputs_check(const cJSON *options, const char *const *names, size_t n,
                                struct cb_err *err);
