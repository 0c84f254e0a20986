/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers, and noise of the kinds that measured values have, for tests and tests/power.c.
 */
#pragma once

#include <math.h>

#include "measure/random.h"

static struct cb_random dice;

/* Returns a random number from 0 up to, not including, 1. */
static inline double random_share(struct cb_random *random)
{
    return (double)(cb_random_next(random) >> 11) / 9007199254740992.0;
}

/* Nearly normal, of mean 0 and standard deviation 1: a sum of 12 uniform numbers. */
static inline double random_normal(struct cb_random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_share(random);
    return sum;
}

/* Each kind of noise takes the value before, which only one follows, and gives the next. */

static inline double noise_normal(double before)
{
    (void)before;
    return random_normal(&dice);
}

/* Student's t of three degrees of freedom, of the same robust spread. */
static inline double noise_heavy_tails(double before)
{
    (void)before;
    const double z = random_normal(&dice), a = random_normal(&dice), b = random_normal(&dice),
                 c = random_normal(&dice);
    return z / sqrt((a * a + b * b + c * c) / 3) / 1.134;
}

static inline double noise_autocorrelated(double before)
{
    return 0.3 * before + sqrt(1 - 0.3 * 0.3) * random_normal(&dice);
}

static inline double noise_outliers(double before)
{
    (void)before;
    return random_share(&dice) < 0.02 ? 20 + 80 * random_share(&dice) : random_normal(&dice);
}
