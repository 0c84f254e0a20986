/* SPDX-License-Identifier: Apache-2.0
 *
 * What hides a point is written out in the text, which is then read again, until nothing is left to
 * write out: uses of macros, and calls of functions.
 */
#pragma once

#include "runtime/merge/clang.h"

/* Writes out one level of what hides a point in the kernel called name. The text has changed: it is
 * to be read again. */
enum cb_status cb_merge_write_out(struct cb_merge_parser *p, CXTranslationUnit tu, const char *path,
                                  const char *name, bool *has_changed, struct cb_err *err);

/* Renames what lives across a point and is called as something else, writes out macros that use
 * this or declare what is moved, and moves constants before the kernel. Whether the text has
 * changed. */
bool cb_merge_write_out_variables(struct cb_merge_unit *u);
