/* SPDX-License-Identifier: Apache-2.0
 *
 * Clauses of a formula in conjunctive normal form: generated, or of a file.
 */
#pragma once

#include <stdint.h>

#include "runtime/host/error.h"

#define CB_CLAUSE_MOST_LITERALS   256u /* most literals of a clause */
#define CB_CLAUSES_MOST_VARIABLES (1u << 24)
#define CB_CLAUSES_MOST           (1u << 24)
#define CB_CLAUSES_MOST_LITERALS  (1u << 26) /* of all */

/* A clause has a variable once. */
struct cb_clauses {
    uint32_t variables, n;
    uint32_t *begins;   /* n + 1: of each clause's literals */
    uint32_t *literals; /* a variable from 0 on, doubled, and 1 more if it is negated */
    uint32_t room_begins, room_literals;
};

/* Random ones of three variables each, of which there have to be as many. */
enum cb_status cb_clauses_draw(uint32_t variables, uint32_t n, uint64_t seed,
                               struct cb_clauses *clauses, struct cb_err *err);

/* A DIMACS file: "c ..." comments, one "p cnf VARIABLES CLAUSES", then clauses, each a list of
 * literals that ends with 0, on as many lines as it needs; a line that begins with % ends all, as
 * in SATLIB's files. A literal that a clause has twice counts once; clauses that hold a literal
 * and its opposite are left out, since they are always satisfied. CB_USAGE: it is wrong. */
enum cb_status cb_clauses_load(const char *path, struct cb_clauses *clauses, struct cb_err *err);

/* How many literals all of them have. */
static inline uint32_t cb_clauses_literals(const struct cb_clauses *clauses)
{
    return clauses->n > 0 ? clauses->begins[clauses->n] : 0;
}

/* Also after a failure. */
void cb_clauses_free(struct cb_clauses *clauses);

/* ---- For those that make some ---------------------------------------------------------------- */

/* Appends a clause; n > 0. */
enum cb_status cb_clauses_add(struct cb_clauses *clauses, const uint32_t *literals, uint32_t n,
                              struct cb_err *err);
