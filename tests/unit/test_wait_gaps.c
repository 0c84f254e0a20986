/* SPDX-License-Identifier: Apache-2.0
 *
 * Which time a bounded wait counts (kernels/wait.clh, compiled as C): not that for which others had
 * the device.
 */
static void pause_somewhere(void) {}
#define CB_WAITER          0
#define CB_WAITER_IS_KNOWN 1
#define CB_CLOCK_KHR
#include "tests/unit/opencl_c.h"
#include "tests/unit/unit.h"

static uint64_t ticks;
static uint64_t clock_read_device(void)
{
    return ticks;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include "kernels/wait.clh"
#pragma GCC diagnostic pop

#define DEADLINE 1000u
#define STEP     10u

static cb_launch launch;
static cb_wait wait;

static int begin(void **unused)
{
    (void)unused;
    launch = (cb_launch){.deadline_ticks = DEADLINE, .step_ticks = STEP, .gap_ticks = 1};
    wait = (cb_wait){&launch};
    ticks = 5000; /* a clock that has been on for a while */
    return 0;
}

/* Whether the wait goes on after a look so many ticks after the one before. */
static bool looks_after(uint64_t step)
{
    bool goes_on = true;
    ticks += step;
    for (unsigned turn = 0; turn < CB_TURNS_PER_CHECK; turn++)
        goes_on = cb_wait_turn(&wait, CB_SITE_BARRIER, 2, 3);
    return goes_on;
}

TEST_WITH(time_of_the_kernel_counts, begin, begin)
{
    assert_true(looks_after(0));
    for (unsigned i = 0; i < DEADLINE / STEP; i++)
        assert_true(looks_after(STEP));
    assert_false(looks_after(1));
    assert_int_equal(launch.abort, 1);
    assert_int_equal(launch.gap, 0);
}

TEST_WITH(gaps_count_little, begin, begin)
{
    assert_true(looks_after(0));
    for (unsigned i = 0; i < DEADLINE; i++)
        assert_true(looks_after(STEP + 1 + i));
    assert_int_equal(launch.gap, STEP + DEADLINE);
    assert_false(looks_after(1));
}

/* A wait ends however long the steps are: nothing hangs beside others. */
TEST_WITH(all_gaps_end_a_wait, begin, begin)
{
    unsigned looks = 0;
    while (looks_after(1ull << 40))
        assert_true(++looks < 2 * DEADLINE);
}

/* What was before the first look is not known: a wait that begins after a gap has not waited. */
TEST_WITH(the_first_look_is_no_step, begin, begin)
{
    assert_true(looks_after(100 * DEADLINE));
    assert_int_equal(launch.gap, 0);
    assert_int_equal(wait.waited, 0);
}
