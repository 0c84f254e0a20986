/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/litmus/chance.h"

#include <math.h>

#define STEPS 60 /* steps of bisection: more than a double has digits */

/* The chance of `weak` or more weak units, if each is so with a chance of `share`, which is not
 * above weak / all: the first term is the largest, and the others fall from there. */
static double chance_of_more(struct cb_litmus_units seen, double share)
{
    double sum = 0, term = exp(lgamma(seen.all + 1) - lgamma(seen.weak + 1) -
                               lgamma(seen.all - seen.weak + 1) + seen.weak * log(share) +
                               (seen.all - seen.weak) * log1p(-share));
    for (double n = seen.weak; n <= seen.all && term > 1e-12 * sum; n++) {
        sum += term;
        term *= (seen.all - n) / (n + 1) * share / (1 - share);
    }
    return sum;
}

double cb_litmus_least(struct cb_litmus_units seen)
{
    double low = 0, high = seen.weak / seen.all;
    if (!(seen.weak > 0 && seen.weak <= seen.all))
        return 0;
    for (int i = 0; i < STEPS; i++) {
        const double middle = (low + high) / 2;
        if (chance_of_more(seen, middle) < CB_LITMUS_UNLIKELY)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double cb_litmus_most(double units)
{
    return 1 - pow(CB_LITMUS_UNLIKELY, 1 / units);
}

double cb_litmus_missed(struct cb_litmus_units seen, double units)
{
    const double least = cb_litmus_least(seen);
    return least > 0 && units > 0 ? exp(units * log1p(-least)) : NAN;
}
