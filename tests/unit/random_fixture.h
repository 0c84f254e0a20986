/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers of tests: a failing test says the seed, and COOPBENCH_TEST_SEED repeats it.
 */
#pragma once

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "measure/random.h"

static struct cb_random dice;

static inline void seed_dice(uint64_t unless_given)
{
    const char *given = getenv("COOPBENCH_TEST_SEED");
    dice.state = given ? strtoull(given, NULL, 10) : unless_given;
    print_message("COOPBENCH_TEST_SEED=%" PRIu64 "\n", dice.state);
}

/* The setup of tests that have another seed each time. */
static inline int seed_random(void **unused)
{
    (void)unused;
    seed_dice((uint64_t)time(NULL));
    return 0;
}

/* From 0 up to, not including, 1. */
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
