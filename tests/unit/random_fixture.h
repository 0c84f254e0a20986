/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers of tests: a failing test says the seed, and COOPBENCH_TEST_SEED repeats it.
 */
#pragma once

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "tests/noise.h"
#include "tests/unit/unit.h"

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
