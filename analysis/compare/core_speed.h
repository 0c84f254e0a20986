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

#include "measure/bench.h"

/* The rounds of one run. */
struct cb_rounds {
    const double *values; /* value of each round */
    size_t n;
    const double *speeds; /* speeds of the cores, in the same rounds; NULL: not known */
    /* What the values are the medians of, one round after the other, the speed with each sample,
     * and how many each round has; NULL: not known. */
    const double *samples, *sample_speeds, *sizes;
};

/* How values follow the speeds, both as logarithms. Levels are rounds between which nothing but the
 * speed and noise has changed; between levels something may have. A speed explains no more than a
 * value in proportion to it: so the slope is from 0 to 1, of a metric whose lower values are better
 * from -1 to 0. Of these it is the one that explains the most: the median of the slopes between any
 * two rounds, weighted by how much their speeds differ (Sen, J. Am. Stat. Assoc. 63, 1968; Jaeckel,
 * Ann. Math. Stat. 43, 1972), so that what the speed may have done is not called a change; but no
 * less than levels show within themselves, by three standard errors of theirs. Where these show by
 * as many that it is more than 1, it is that, up to 2: a neighbour on it takes more from some
 * kernels than from the loop that measures the speed. 0: the speeds do not differ. NaN: no memory.
 */
double cb_rounds_slope(const struct cb_rounds *levels, int n, enum cb_better better);

/* Whether the values of a run are positive, and their speeds known: then they can be adjusted. */
bool cb_rounds_adjustable(const struct cb_rounds *run);

/* The logarithms of the rounds' values as they would be at the speed 1: the medians of their
 * samples, if these are known. False: no memory. */
bool cb_rounds_adjust(const struct cb_rounds *run, double slope, double *values);

bool cb_all_positive(const double *values, size_t n);
