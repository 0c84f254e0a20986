/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/analysis/bootstrap.h"

#include <math.h>
#include <stdlib.h>

#include "measure/random.h"
#include "measure/stats.h"

#define DRAWS 2000

/* The ratio of n parts drawn at random. */
static double draw(const double *of, const double *per, size_t n, struct cb_random *random)
{
    double above = 0, below = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned part = cb_random_below(random, (unsigned)n);
        above += of[part];
        below += per[part];
    }
    return above / below;
}

struct cb_interval cb_bootstrap_ratio(const double *of, const double *per, size_t n, uint64_t seed)
{
    double ratios[DRAWS], above = 0, below = 0;
    struct cb_random random = {seed};
    for (size_t i = 0; i < n; i++) {
        above += of[i];
        below += per[i];
    }
    struct cb_interval interval = {above / below, NAN, NAN};
    if (n < CB_BOOTSTRAP_PARTS)
        return interval;
    for (size_t i = 0; i < DRAWS; i++)
        ratios[i] = draw(of, per, n, &random);
    qsort(ratios, DRAWS, sizeof *ratios, cb_compare_doubles);
    interval.lower = cb_quantile(ratios, DRAWS, 0.025);
    interval.upper = cb_quantile(ratios, DRAWS, 0.975);
    return interval;
}
