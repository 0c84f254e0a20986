/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of an OpenCL C text, made its own: so that several texts that define the same names can be
 * one program.
 */
#pragma once

#include "runtime/host/error.h"

/* The text with `suffix` after each name that it defines at file scope, wherever the name stands as
 * a token: macros, functions, types, tags, constants of enums, variables. Other names stay, as do
 * those of `keep` (ends with NULL; may be NULL), comments, literals and lines #include, #line,
 * #error and #pragma; and all lines stay where they are. The text has been expanded already
 * (runtime/source.h), but not preprocessed: what any branch of an #if defines counts. *out is the
 * caller's to free.
 *
 * Not seen are names that only macros make: with ##, or a function whose name stands in the body of
 * a macro; a prototype of it at file scope is enough. Parameters, locals and members are not
 * collected, but get the suffix if they are called as something that is. */
enum cb_status cb_source_suffix_names(const char *text, const char *suffix, const char *const *keep,
                                      char **out, struct cb_err *err);
