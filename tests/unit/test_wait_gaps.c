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
#include "kernels/backoff.clh"
#pragma GCC diagnostic pop

/* Spans. */
#define DEADLINE 1000u
#define STEP     10u

static cb_launch launch;
static cb_wait wait;

static int begin(void **unused)
{
    (void)unused;
    launch = (cb_launch){.deadline_ticks = CB_TICKS(DEADLINE),
                         .step_ticks = CB_TICKS(STEP),
                         .gap_ticks = CB_TICKS(1)};
    wait = (cb_wait){&launch};
    ticks = CB_TICKS((1ull << 32) - DEADLINE / 2); /* its spans begin anew while the wait lasts */
    return 0;
}

/* Whether the wait goes on after a look so many spans after the one before. */
static bool looks_after(int64_t step)
{
    bool goes_on = true;
    ticks += (uint64_t)(step * 256);
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
    assert_int_equal(launch.gap, CB_TICKS(STEP + DEADLINE));
    assert_false(looks_after(1));
}

TEST_WITH(the_longest_gap_is_kept, begin, begin)
{
    assert_true(looks_after(0));
    assert_true(looks_after(4 * STEP));
    assert_true(looks_after(2 * STEP));
    assert_int_equal(launch.gap, CB_TICKS(4 * STEP));
}

/* A record of which the host sets the deadline alone (docs/kernel-library.md). */
TEST_WITH(all_counts_where_gaps_are_not_told, begin, begin)
{
    launch.step_ticks = launch.gap_ticks = 0;
    assert_true(looks_after(0));
    assert_true(looks_after(DEADLINE));
    assert_false(looks_after(1));
    assert_int_equal(launch.gap, 0);
}

TEST_WITH(a_deadline_too_long_is_cut, begin, begin)
{
    launch.deadline_ticks = ~0ull;
    launch.step_ticks = 0;
    assert_true(looks_after(0));
    assert_true(looks_after(CB_MOST_SPANS));
    assert_false(looks_after(1));
}

/* What was waited before does not count, nor what went by since the last look. */
TEST_WITH(a_wait_begins_anew, begin, begin)
{
    assert_true(looks_after(0));
    for (unsigned i = 0; i < DEADLINE / STEP; i++)
        assert_true(looks_after(STEP));
    cb_wait_anew(&wait);
    assert_true(looks_after(STEP));
    for (unsigned i = 0; i < DEADLINE / STEP; i++)
        assert_true(looks_after(STEP));
    assert_false(looks_after(STEP));
}

/* Where the roll is called a wait goes on: its spans do not begin anew meanwhile. */
TEST_WITH(a_wait_that_goes_on_has_passed_its_deadline, begin, begin)
{
    launch.roll = CB_ROLL(1);
    launch.step_ticks = 0;
    for (unsigned i = 0; i < 8; i++) {
        assert_true(looks_after(1 << 30));
        assert_int_equal(wait.waited, i == 0 ? 0 : DEADLINE + 1);
    }
}

/* After a long pause the next turn looks. */
TEST_WITH(long_pauses_count, begin, begin)
{
    assert_true(looks_after(0));
    cb_pause(&wait, CB_LONG_PAUSE);
    ticks += CB_TICKS(STEP);
    assert_true(cb_wait_turn(&wait, CB_SITE_BARRIER, 2, 3));
    assert_int_equal(wait.waited, STEP);
    cb_wait_turn(&wait, CB_SITE_BARRIER, 2, 3);
    cb_pause(&wait, CB_LONG_PAUSE);
    ticks += CB_TICKS(STEP);
    assert_true(cb_wait_turn(&wait, CB_SITE_BARRIER, 2, 3));
    assert_int_equal(wait.waited, 2 * STEP);
}

/* A wait ends however long the steps are: nothing hangs beside others. */
TEST_WITH(all_gaps_end_a_wait, begin, begin)
{
    unsigned looks = 0;
    while (looks_after(1 << 30))
        assert_true(++looks < 2 * DEADLINE);
}

/* Each as short as it can be seen: what is less than a span is not lost. */
TEST_WITH(short_steps_add_up, begin, begin)
{
    unsigned looks = 0;
    assert_true(looks_after(0));
    do
        ticks += 100;
    while (looks_after(0) && ++looks < 10 * DEADLINE);
    assert_in_range(looks, 2 * DEADLINE, 3 * DEADLINE);
}

/* The clock of another core may be behind: that is no step of 2^32 spans. */
TEST_WITH(clocks_may_step_back, begin, begin)
{
    assert_true(looks_after(0));
    assert_true(looks_after(STEP));
    assert_true(looks_after(-1));
    assert_int_equal(wait.waited, STEP);
    assert_int_equal(launch.gap, 0);
}

/* The longest wait that can be asked for, with the longest step that is none of others. */
TEST_WITH(the_longest_wait_ends, begin, begin)
{
    launch.deadline_ticks = CB_TICKS(CB_MOST_SPANS);
    launch.step_ticks = CB_TICKS(CB_MOST_SPANS / 32);
    assert_true(looks_after(0));
    for (unsigned i = 0; i < 32; i++)
        assert_true(looks_after(CB_SPANS(launch.step_ticks)));
    assert_false(looks_after(CB_SPANS(launch.step_ticks)));
}

/* What was before the first look is not known: a wait that begins after a gap has not waited. */
TEST_WITH(the_first_look_is_no_step, begin, begin)
{
    assert_true(looks_after(100 * DEADLINE));
    assert_int_equal(launch.gap, 0);
    assert_int_equal(wait.waited, 0);
}
