/* SPDX-License-Identifier: Apache-2.0
 *
 * Survey propagation on the host, in double precision, on the arrays of sp.cl.
 */
#pragma once

#include "apps/nested/programs/programs.h"

struct cb_surveys {
    const struct cb_nest_data *data;
    double *surveys, *ratios; /* one for each occurrence */
    uint32_t laps;
    double change;       /* largest change of a survey in the last lap */
    double least_before; /* least change of the laps before */
};

/* Begins with the surveys that these words hold; false: out of memory. To be ended also then. */
bool cb_surveys_begin(struct cb_surveys *s, const struct cb_nest_data *data, const uint32_t *words);
void cb_surveys_end(struct cb_surveys *s);

/* Begins again. */
void cb_surveys_set(struct cb_surveys *s, const uint32_t *words);

/* Does laps until the largest change is at most the criterion, which is true then, or `most` are
 * done. */
bool cb_surveys_follow(struct cb_surveys *s, double criterion, uint32_t most);
