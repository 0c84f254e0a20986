/* SPDX-License-Identifier: Apache-2.0
 *
 * Power readings, kept as energies over time, from which the mean power of any span follows. A
 * counter of energy moves in steps, of up to 100 ms on some GPUs: only readings in which it has
 * moved are kept, so that the steps' edges are known. Where there is no counter, power is added up.
 */
#pragma once

#include <stddef.h>

#include "runtime/power/power.h"

struct cb_power_series {
    struct cb_energy {
        double time_ns, joules;
    } * kept;
    size_t n, room;
    /* each: so many-th values are kept; passed: values passed over since the last. */
    unsigned each, passed;
    struct cb_power_reading last;
    double summed; /* J, where there is no counter */
};

/* room: at least 4. False: no memory. */
bool cb_power_series_open(struct cb_power_series *series, size_t room);
void cb_power_series_free(struct cb_power_series *series);

void cb_power_series_add(struct cb_power_series *series, const struct cb_power_reading *reading);

/* As cb_power_mean() and cb_power_points(). */
double cb_power_series_mean(const struct cb_power_series *series, double from_ns, double to_ns);
size_t cb_power_series_points(const struct cb_power_series *series, double span_ns,
                              struct cb_power_point *points, size_t room);
