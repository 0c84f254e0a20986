/* SPDX-License-Identifier: Apache-2.0
 *
 * The speed of the cores, taken out of a series of runs (analysis/compare/core_speed.h).
 */
#pragma once

#include <stdbool.h>

#include "analysis/history/change_points.h"
#include "measure/bench.h"

/* Puts n values to the median of the speeds. Levels, within which the values tell how much they
 * follow it, begin where values or speeds change by the rules. Values that are not positive stay as
 * they are, and all do if a speed is not known. False: no memory. */
bool cb_series_without_speed(double *values, const double *speeds, size_t n, enum cb_better better,
                             const struct cb_change_rules *rules);
