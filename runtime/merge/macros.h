/* SPDX-License-Identifier: Apache-2.0
 *
 * Macros that the text defines, as their directives say: for uses that are written out.
 */
#pragma once

#include "runtime/merge/unit.h"

/* Where the line ends on which a place is, and those that continue it. */
uint32_t cb_merge_end_of_line(const struct cb_merge_unit *u, uint32_t at);

/* Notes all definitions that are not skipped, in their order. */
void cb_merge_find_macros(struct cb_merge_unit *u);

/* The definition that a name has at a place; NULL: none of the text's. */
const struct cb_merge_macro *cb_merge_macro_at(const struct cb_merge_unit *u, const char *name,
                                               size_t size, uint32_t at);

/* Begins a search, in which each macro is taken once. */
void cb_merge_begin_search(const struct cb_merge_unit *u);
bool cb_merge_take_once(const struct cb_merge_unit *u, const struct cb_merge_macro *m);

/* Calls take(u, at, size, data) for each name in a part of the code. */
void cb_merge_go_through_names(const struct cb_merge_unit *u, uint32_t begin, uint32_t end,
                               void (*take)(const struct cb_merge_unit *u, uint32_t at,
                                            uint32_t size, void *data),
                               void *data);

/* Whether the macro used at a place has a word in it, or a macro in it has. words: ends with NULL.
 */
bool cb_merge_macro_hides(const struct cb_merge_unit *u, const struct cb_merge_macro *m,
                          uint32_t at, const char *const *words);

/* The use of a macro at a place, written out: one level of it, or all where names are pasted
 * together. *end: of the use. The text is the unit's; NULL: why not is noted as a problem. */
const char *cb_merge_written_out(struct cb_merge_unit *u, uint32_t at, uint32_t *end);

/* Notes as a problem of the unit that macros perhaps stand for more tokens than the compiler takes.
 * Whether it is worth a try all the same: what is counted is the most that these may be. */
bool cb_merge_check_expanded(struct cb_merge_unit *u);

/* A part of the text on one line, without comments; the unit's. */
const char *cb_merge_one_line(struct cb_merge_unit *u, uint32_t begin, uint32_t end);
