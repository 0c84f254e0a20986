/* SPDX-License-Identifier: Apache-2.0
 *
 * The speed of a processor's cores, taken out of what was measured on them. In a virtual machine
 * somebody else may use a core's other hardware thread, for seconds; a bench that times a fixed
 * loop beside each sample (kernels/core_speed.clh) tells it as the metric core_speed. How much it
 * matters is different from case to case and learnt from the rounds themselves (docs/trust.md).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The rounds of one run. */
struct cb_rounds {
    const double *values; /* of each */
    size_t n;
    const double *speeds; /* of the cores, in the same rounds; NULL: not known */
    /* What the values are the medians of, one round after the other, the speed with each sample,
     * and how many each round has; NULL: not known. */
    const double *samples, *sample_speeds, *sizes;
};

/* How the values of runs follow the speeds, both as logarithms: the median of the slopes between
 * any two rounds of a run, weighted by how much their speeds differ (Sen, J. Am. Stat. Assoc. 63,
 * 1968; Jaeckel, Ann. Math. Stat. 43, 1972). 0: the speeds do not differ. NaN: no memory. */
double cb_rounds_slope(const struct cb_rounds *runs, int n);

/* Whether the values of a run are positive, and their speeds known: then they can be adjusted. */
bool cb_rounds_adjustable(const struct cb_rounds *run);

/* The logarithms of the rounds' values as they would be at the speed 1: the medians of their
 * samples, if these are known. False: no memory. */
bool cb_rounds_adjust(const struct cb_rounds *run, double slope, double *values);

bool cb_all_positive(const double *values, size_t n);
