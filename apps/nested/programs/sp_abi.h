/* SPDX-License-Identifier: Apache-2.0
 *
 * Survey propagation: what the host has in common with the kernels (sp.clh).
 */
#pragma once
#include "kernels/types.h"

/* There is another lap while a survey changes by more. */
#define SP_CRITERION 0.01f

/* Surveys that have not come to rest after so many laps are left as they are. */
#define SP_MOST_LAPS 1000u

/* Clauses that contradict each other leave next to no weight to a variable: then its ratio, which
 * would be that of two roundings, is 0. */
#define SP_LEAST 1e-30f

/* Word of an occurrence of a variable. */
#define SP_OCCURRENCE(clause, negated) ((clause) << 1 | (negated))
#define SP_CLAUSE(occurrence)          ((occurrence) >> 1)
#define SP_NEGATED(occurrence)         ((occurrence)&1)

#define SP_NONE 0xffffffffu /* the number of no occurrence */
