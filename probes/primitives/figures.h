/* SPDX-License-Identifier: Apache-2.0
 *
 * SO'11 Figs. 1 to 3: operations per second of barriers, mutexes and semaphores against the number
 * of workgroups, drawn from any number of runs.
 */
#pragma once

#include "measure/bench.h"

/* Ends with a row without id. */
extern const struct cb_figure cb_primitives_figures[];
