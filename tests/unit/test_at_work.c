/* SPDX-License-Identifier: Apache-2.0
 *
 * Waits that call the roll themselves (kernels/wait.clh, CB_CALLS_ROLL), compiled as C: what
 * models/at_work.pml plants as bugs, one after the other.
 */
#include <string.h>

static void pause_somewhere(void) {}
static unsigned workgroup;
#define CB_WAITER          workgroup
#define CB_WAITER_IS_KNOWN 1
#define CB_CALLS_ROLL
#include "tests/unit/opencl_c.h"
#include "tests/unit/unit.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include "kernels/wait.clh"
#pragma GCC diagnostic pop

#define GROUPS   3u
#define DEADLINE (10 * CB_TURNS_PER_CHECK)

static cb_launch launch;
static cb_wait waits[GROUPS];

/* All have begun but the last. */
static int begin(void **unused)
{
    (void)unused;
    launch = (cb_launch){.deadline_turns = DEADLINE};
    for (unsigned i = 0; i < GROUPS; i++)
        waits[i] = (cb_wait){&launch};
    for (unsigned i = 0; i + 1 < GROUPS; i++)
        cb_begin_work(&launch);
    return 0;
}

/* Until the wait looks once more at the clock, and the roll. False: it has been given up. */
static bool looks(unsigned i)
{
    workgroup = i;
    for (unsigned turn = 0; turn < CB_TURNS_PER_CHECK; turn++)
        if (!cb_wait_turn(&waits[i], CB_SITE_BARRIER, 2, 3))
            return false;
    return true;
}

/* All of a set of workgroups, given as bits, wait for so many deadlines. False: one gave up. */
static bool wait_together(unsigned who, unsigned deadlines)
{
    for (unsigned look = 0; look < deadlines * DEADLINE / CB_TURNS_PER_CHECK; look++)
        for (unsigned i = 0; i < GROUPS; i++)
            if (who >> i & 1 && !looks(i))
                return false;
    return true;
}

TEST_WITH(no_deadlock_within_a_deadline, begin, NULL)
{
    looks(0);
    looks(1);
    for (unsigned look = 2; look < DEADLINE / CB_TURNS_PER_CHECK; look++)
        assert_true(looks(0) && looks(1));
    assert_int_equal(launch.roll, 0);
}

/* All that have begun wait: the second call finds it. The third does not fit. */
TEST_WITH(deadlock, begin, NULL)
{
    assert_false(wait_together(3, 4));
    assert_int_equal(CB_ROLL_NUMBER(launch.roll), CB_ROLL_ALL_WAIT);
    assert_int_equal(launch.abort, 1);
    assert_int_equal(launch.site, CB_SITE_BARRIER);
    assert_false(looks(0));
    assert_false(looks(1));
}

/* One is at work, for as long as it likes; when it waits, too, that is a deadlock. */
TEST_WITH(work, begin, NULL)
{
    assert_true(wait_together(1, 100));
    assert_int_equal(launch.abort, 0);
    assert_false(wait_together(3, 4));
}

/* One that begins late is waited for. */
TEST_WITH(late, begin, NULL)
{
    assert_true(wait_together(3, 1));
    cb_begin_work(&launch);
    assert_true(wait_together(3, 100));
    assert_false(wait_together(7, 4));
}

/* One that has ended will not come: a deadlock, and without a call of which it would be. */
TEST_WITH(ended, begin, NULL)
{
    cb_begin_work(&launch);
    assert_true(wait_together(3, 10));
    cb_end_work(&launch);
    assert_false(wait_together(3, 4));
}

/* It ends after the others have answered, and what it did last may have ended a wait: the call does
 * not count, and the next one does. */
TEST_WITH(ended_since, begin, NULL)
{
    cb_begin_work(&launch);
    while (CB_ROLL_ANSWERS(launch.roll) < 2)
        assert_true(looks(0) && looks(1));
    const unsigned number = CB_ROLL_NUMBER(launch.roll);
    cb_end_work(&launch);
    assert_true(looks(0) && looks(1));
    assert_int_equal(CB_ROLL_NUMBER(launch.roll), number);
    assert_int_equal(launch.gone, 0);
    waits[0] = (cb_wait){&launch}; /* it was over, and is another one now */
    assert_true(wait_together(2, 10));
    assert_int_equal(CB_ROLL_ANSWERS(launch.roll), 1);
    assert_false(wait_together(3, 4));
}

/* Somebody else calls it just now. */
TEST_WITH(one_at_a_time, begin, NULL)
{
    launch.calling = 1;
    assert_true(wait_together(3, 10));
    assert_int_equal(launch.roll, 0);
    launch.calling = 0;
    assert_false(wait_together(3, 4));
    assert_int_equal(launch.calling, 0);
}

TEST_WITH(wrap, begin, NULL)
{
    launch.roll = CB_ROLL(CB_ROLL_LAST);
    while (CB_ROLL_NUMBER(launch.roll) == CB_ROLL_LAST)
        assert_true(looks(0));
    assert_int_equal(CB_ROLL_NUMBER(launch.roll), 1);
}

/* A kernel whose workgroups do not say when they begin: its waits are given up as others are. */
TEST_WITH(uncounted, begin, NULL)
{
    launch.begun = 0;
    assert_false(wait_together(1, 2));
    assert_int_equal(launch.roll, 0);
}
