/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters of a case, from options: the row of the benchmark's table says of which type a
 * parameter is, what it is called (as the option: "wg-size"), and what it is by default.
 */
#pragma once

#include "measure/bench.h"

/* Gives a case the parameter of this name: the option's first value, its default included. Without
 * a value the case has no such parameter. A flag is true, or missing. */
void cb_case_take(struct cb_case *c, const cJSON *options, const char *name);

/* Sets a parameter to one of the option's values, or one that stands for it ("N/4" for "auto"). */
void cb_case_set(struct cb_case *c, const char *name, const char *value);
