/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel merge tool (FSE'17 Sections 4.2 and 5): makes a kernel in the paper's own syntax
 * (Fig. 4) one in the language of kernels/coop.clh, which the runtime runs in all modes. It reads
 * OpenCL C by libclang.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "runtime/host/error.h"

/* Whether this program was built with libclang. */
bool cb_merge_is_built(void);

/* Writes the merged text of one kernel of a file to `out`; name: NULL if there is one with
 * scheduling points only. CB_USAGE: it cannot be merged, each reason a line of err with file, line
 * and column. CB_UNSUPPORTED: without libclang. */
enum cb_status cb_merge(const char *path, const char *name, FILE *out, struct cb_err *err);
