/* SPDX-License-Identifier: Apache-2.0
 *
 * Which values of a series were measured in the same environment (analysis/compare/mismatch.h). One
 * may come back: runs of CI go to one machine and another, a driver is taken back.
 */
#pragma once

#include "analysis/history/series.h"

/* Whether two values of a series were measured in different circumstances; why: the first such
 * thing. */
bool cb_series_differ(const struct cb_stored_run *runs, const struct cb_series_value *before,
                      const struct cb_series_value *now, char *why, size_t size);

/* Numbers the environment of each value, in the order in which they first come, from 0. A value is
 * of the environment of the last value that does not differ from it, if that is one of the
 * environments that were met last (64). */
void cb_series_find_environments(const struct cb_stored_run *runs, struct cb_case_series *series);
