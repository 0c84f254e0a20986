/* SPDX-License-Identifier: Apache-2.0
 *
 * How long the rest of a plan will take, judged by the cases that have ended. A case takes as long
 * as those that are like it: that have the same values of most parameters, and are expected to take
 * about as long.
 */
#pragma once

#include "measure/bench.h"

struct cb_time_left;

/* Cases that are kept of an earlier run have ended, no others. NULL: no memory. */
struct cb_time_left *cb_time_left_new(const struct cb_plan *plan);
void cb_time_left_free(struct cb_time_left *t);

/* Learns what a case of the plan took. The first that runs on a device bears the start of the
 * worker process, so that it says less. */
void cb_time_left_learn(struct cb_time_left *t, int index, double took_s);

/* What a case that has not ended will take, in seconds: its expected_s until a case has ended. NaN
 * if that is not known and only first cases of devices have ended, of which nothing is concluded.
 */
double cb_time_left_of(const struct cb_time_left *t, int index);

/* The time left of all cases that have not ended. */
double cb_time_left(const struct cb_time_left *t);

/* All cases that are to be run, by expected_s alone; NaN if one has none. */
double cb_time_expected(const struct cb_plan *plan);

/* "about 50 s", "about 8 min", "about 3 h" */
void cb_time_format(double seconds, char *text, size_t size);
