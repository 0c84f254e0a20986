/* SPDX-License-Identifier: Apache-2.0
 *
 * The line of tasks, a heap of ranks (kernels/coop/line.clh), compiled as C: the first is the
 * lowest whatever came, left and was cancelled before.
 */
#include "tests/unit/random_fixture.h"

static void pause_somewhere(void);
#define CB_WAITER      0u
#define COOP_IS_ATOMIC 0
#include "tests/unit/coop_worker_c.h"
#include "tests/unit/unit.h"

#include "kernels/coop/line.clh"
#pragma GCC diagnostic pop

#define TIMES 20000
#define MOST  40u

static void pause_somewhere(void) {}

static coop_control control;
static coop_scheduler scheduler = {.c = &control};
static cb_u64 held[MOST]; /* in no order */

static void come(cb_u64 rank)
{
    held[scheduler.in_line] = rank;
    coop_rise(control.line, scheduler.in_line++, rank);
}

/* The entry of the heap leaves, and what it held. */
static void leave(uint entry)
{
    const cb_u64 rank = control.line[entry];
    uint i = 0;
    while (held[i] != rank)
        i++;
    coop_take_out(&scheduler, entry);
    held[i] = held[scheduler.in_line];
}

static void check_line(void)
{
    cb_u64 lowest = UINT64_MAX, sum = 0;
    for (uint i = 0; i < scheduler.in_line; i++) {
        lowest = min(lowest, held[i]);
        sum += held[i] - control.line[i];
    }
    assert_true(scheduler.in_line == 0 || control.line[0] == lowest);
    assert_true(sum == 0); /* nothing is lost */
}

TEST(first_is_lowest)
{
    for (int i = 0; i < TIMES; i++) {
        const uint n = scheduler.in_line;
        if (n < MOST && (n == 0 || cb_random_below(&dice, 2)))
            come(cb_random_next(&dice));
        else if (cb_random_below(&dice, 3))
            leave(0);
        else
            leave(cb_random_below(&dice, n));
        check_line();
    }
}

ALL_TESTS(seed_random, NULL)
