/* SPDX-License-Identifier: Apache-2.0
 *
 * The pictures of discover: OOPSLA'16 Fig. 7 (recall), Fig. 8 (protocol time) and Tab. 5
 * (delay), and workgroups beside neighbours of ours, drawn from any number of runs.
 */
#pragma once

#include "measure/bench.h"

/* The last row has no id. */
extern const struct cb_figure cb_discover_figures[];
