/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of functions with points in them, written out in the text.
 */
#pragma once

#include <stdio.h>

#include "runtime/merge/rewriter.h"

/* In the order in which an expression is evaluated. */
struct cb_merge_first_call {
    CXCursor c;
    bool found;
    bool is_maybe, is_after; /* it may not be evaluated; it comes after something that matters */
};

/* The first call in an expression that reaches a point. */
struct cb_merge_first_call cb_merge_first_call(const struct cb_merge_rewriter *w,
                                               CXCursor expression);

/* Names that mean something of the kernel's at a place. */
struct cb_merge_known {
    const char *list[2 * CB_MERGE_VARS];
    int n;
};

/* Whether a function can be written out at a place where the kernel has these names; why not is
 * noted as a problem. */
bool cb_merge_can_be_inlined(struct cb_merge_rewriter *w, const struct cb_merge_known *names,
                             int function, uint32_t at);

/* The arguments of a call. */
struct cb_merge_given {
    uint32_t begin[64], end[64];
    int n;
};

/* open: the call's opening bracket. */
struct cb_merge_given cb_merge_given_in(const struct cb_merge_unit *u, uint32_t open);

/* The kernel's name that comes in the place of a parameter with which nothing is done but to read
 * it; NULL: it needs a variable. And the changes that put it there. */
const char *cb_merge_stands_for(struct cb_merge_rewriter *w, CXCursor function, CXCursor parameter,
                                CXCursor given);
void cb_merge_put_stand_in(struct cb_merge_rewriter *w, CXCursor function, CXCursor parameter,
                           const char *given);

/* Writes the block of a function that is called, or a copy by all work-items of the workgroup; what
 * is declared for it has names that begin with that of the call, and what it returns has that name.
 * False: what is given cannot be told apart. */
bool cb_merge_put_inlined(struct cb_merge_rewriter *w, FILE *out, CXCursor call, int function,
                          const char *name, uint32_t open);
bool cb_merge_put_copy(struct cb_merge_rewriter *w, FILE *out, CXCursor call, const char *name,
                       uint32_t open);

/* Writes a directive back to the line where a place was written, and blanks up to its column. */
void cb_merge_put_line(const struct cb_merge_unit *u, FILE *out, uint32_t at);

/* Where a statement ends, with its semicolon. */
uint32_t cb_merge_end_of_statement(struct cb_merge_unit *u, CXCursor statement);
