/* SPDX-License-Identifier: Apache-2.0
 *
 * Survey propagation and decimation on the host, in double precision, on the arrays of sp.clh.
 */
#pragma once

#include "apps/nested/programs/programs.h"

/* By how much surveys, their changes and biases may be off: kernels compute in single precision,
 * and before surveys come to rest, laps make roundings larger. */
#define CB_SURVEYS_TOLERANCE 1e-3

struct cb_surveys {
    const struct cb_nest_data *data;
    double *surveys, *ratios; /* one for each occurrence */
    double (*before)[2];      /* of the variable's occurrences before it: no warning by sign */
    bool *gone;               /* occurrences in satisfied clauses, or of fixed variables */
    bool coarse;              /* ratios and surveys are rounded more than by kernels */
    uint32_t laps;
    double change;       /* largest change of a survey in the last lap */
    double least_before; /* least change of the laps before */
};

/* Begins with the surveys that these words hold; false: out of memory. To be ended also then. */
bool cb_surveys_begin(struct cb_surveys *s, const struct cb_nest_data *data, const uint32_t *words);
void cb_surveys_end(struct cb_surveys *s);

/* Begins again; nothing may be gone. */
void cb_surveys_set(struct cb_surveys *s, const uint32_t *words);

/* Does laps until the largest change is at most the criterion, which is true then, or `most` are
 * done. */
bool cb_surveys_follow(struct cb_surveys *s, double criterion, uint32_t most);

/* How much more probable it is that a variable is forced to be true than to be false; weight: how
 * probable it is, before it is made one of all that is possible, that not both are. */
double cb_surveys_bias(const struct cb_surveys *s, uint32_t variable, double *weight);

/* Fixes a variable: its occurrences are gone, with surveys of 0, and the clauses that it satisfies.
 */
void cb_surveys_fix(struct cb_surveys *s, uint32_t variable, bool is_false);

/* Whether surveys are as they were found, or why not. */
bool cb_surveys_check(const struct cb_surveys *s, const uint32_t *found, double tolerance,
                      char why[CB_NEST_WHY]);
