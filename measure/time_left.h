/* SPDX-License-Identifier: Apache-2.0
 *
 * How long the rest of a plan will take, judged by the cases that have ended.
 */
#pragma once

#include "measure/bench.h"

/* Seconds; NaN if nothing is known. took_s: what each case of the plan took, NaN for those to come.
 * A case to come is expected to take as long as those of the same bench and app did (else those of
 * the same bench, else all), in proportion to expected_s where cases have one; before the first has
 * ended, just expected_s. */
double cb_time_left(const struct cb_plan *plan, const double *took_s);

/* All cases that are to be run, by expected_s alone; NaN if one has none. */
double cb_time_expected(const struct cb_plan *plan);

/* "about 50 s", "about 8 min", "about 3 h" */
void cb_time_format(double seconds, char *text, size_t size);
