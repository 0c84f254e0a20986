/* SPDX-License-Identifier: Apache-2.0
 *
 * The values of a metric of a case, over the devices of a kind.
 */
#pragma once

#include "analysis/fleet/fleet.h"
#include "measure/stats.h"

/* Makes the series of a fleet whose devices are there. As
 * cb_compare_nothing(): there is none. */
enum cb_status cb_fleet_series_make(struct cb_fleet *fleet,
                                    const struct cb_compare_choice_options *choice,
                                    struct cb_err *err);
void cb_fleet_series_free(struct cb_fleet *fleet);

/* A distance of a value from the median of its series on the scale on which it is judged: of
 * logarithms, or relative. Positive is worse. */
double cb_fleet_distance(const struct cb_fleet_series *series, double value);

/* The standard error of the median of independent values that are about normally distributed. */
double cb_fleet_median_error(const struct cb_stats *of);

/* The standard error of a median on that scale: by its interval and by its rounds, whichever is
 * larger. NaN: neither is known. */
double cb_fleet_error(const struct cb_fleet_series *series, const struct cb_measurement *m);
