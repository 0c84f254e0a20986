/* SPDX-License-Identifier: Apache-2.0
 *
 * What surveys propagate on: clauses, in the arrays of sp.clh.
 */
#pragma once

#include "apps/nested/programs/programs.h"

/* The words that a program has, for `all` literals of n clauses. */
typedef uint32_t cb_sp_words(uint32_t all, uint32_t n, uint32_t variables);

/* All arrays, of a DIMACS file's clauses; without one, of random ones of three variables each. The
 * first words are random surveys to begin with, one for each literal; two more are expected. */
enum cb_status cb_sp_input(const struct cb_nest_size *size, const char *input, cb_sp_words *words,
                           struct cb_nest_data *data, struct cb_err *err);
