/* SPDX-License-Identifier: Apache-2.0
 *
 * Libraries of drivers, which are loaded only where they are asked for, so that nothing needs them
 * to be built or to begin.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "runtime/host/error.h"

struct cb_symbol {
    const char *name;
    bool may_lack; /* its pointer is NULL then */
};

/* Loads a library, and its functions into a structure that has a pointer for each, in their order.
 * origin: where one has it from. CB_UNSUPPORTED: there is none, or it lacks a function; `library`
 * may be open then, too, and is the caller's to close. */
enum cb_status cb_library_load(const char *file, const char *origin,
                               const struct cb_symbol *symbols, size_t n, void *functions,
                               void **library, struct cb_err *err);
