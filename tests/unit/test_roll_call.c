/* SPDX-License-Identifier: Apache-2.0
 *
 * The roll call of kernels/wait.clh and kernels/coop/roll_call.clh, compiled as C: what
 * models/roll_call.pml plants as bugs, one after the other.
 */
#include <string.h>

static void pause_somewhere(void);
static unsigned workgroup;
#define CB_WAITER          workgroup
#define CB_WAITER_IS_KNOWN 1
#define COOP_MODE          COOP_COOPERATIVE
#define COOP_RESIZING      COOP_QUERY
#define COOP_IS_ATOMIC     0
#include "tests/unit/coop_worker_c.h"
#include "tests/unit/unit.h"

#include "kernels/coop/roll_call.clh"
#pragma GCC diagnostic pop

#define WORKERS 2u

static cb_launch launch;
static coop_scheduler s;
static cb_wait waits[WORKERS];
static bool calls_in_between; /* in an answer, after its bit */

static void call(void)
{
    coop_call_roll(&s, CB_ROLL_NUMBER(launch.roll) + 1);
}

static void pause_somewhere(void)
{
    if (!calls_in_between || (launch.answered[0][0] | launch.answered[1][0]) == 0)
        return;
    calls_in_between = false;
    call();
}

static int begin(void **unused)
{
    (void)unused;
    launch = (cb_launch){.deadline_turns = 10};
    s = (coop_scheduler){.launch = &launch, .workers = WORKERS};
    calls_in_between = false;
    coop_call_roll(&s, 1);
    for (uint i = 0; i < WORKERS; i++)
        waits[i] = (cb_wait){&launch};
    return 0;
}

/* The wait has passed its deadline, and looks at the roll. */
static void look(uint i)
{
    workgroup = i;
    assert_true(cb_wait_goes_on(&waits[i]));
}

static bool is_deadlock(void)
{
    coop_heed_waits(&s);
    return CB_ROLL_NUMBER(launch.roll) == CB_ROLL_ALL_WAIT;
}

/* All wait for longer than a deadline: the second call finds it. */
TEST_WITH(deadlock, begin, NULL)
{
    look(0);
    look(1);
    assert_false(is_deadlock());
    s.turns = 11;
    assert_false(is_deadlock()); /* calls */
    assert_int_equal(launch.roll, CB_ROLL(2));
    for (uint i = 0; i < WORKERS; i++) {
        look(i);
        assert_int_equal(CB_ROLL_ANSWERS(launch.roll), i); /* it may be over */
        look(i);
        look(i);
        assert_int_equal(CB_ROLL_ANSWERS(launch.roll), i + 1);
    }
    assert_true(is_deadlock());
    workgroup = 0;
    assert_false(cb_wait_goes_on(&waits[0]));
    assert_true(is_deadlock());
}

/* One whose wait began after the call does not answer it, for as long as it waits. */
TEST_WITH(newcomer, begin, NULL)
{
    look(0);
    call();
    for (uint i = 0; i < 5; i++) {
        look(0);
        look(1);
    }
    assert_int_equal(CB_ROLL_ANSWERS(launch.roll), 1);
    assert_false(is_deadlock());
}

/* The next call comes in the middle of an answer: it is not counted there, and given later. */
TEST_WITH(late_answer, begin, NULL)
{
    look(0);
    call();
    look(0);
    calls_in_between = true;
    look(0);
    assert_int_equal(CB_ROLL_NUMBER(launch.roll), 3);
    assert_int_equal(CB_ROLL_ANSWERS(launch.roll), 0);
    for (uint i = 0; i < 5; i++)
        look(0);
    assert_int_equal(CB_ROLL_ANSWERS(launch.roll), 1);
}

/* Two work-items of a workgroup are one that waits. */
TEST_WITH(work_items, begin, NULL)
{
    cb_wait *other = &waits[1];
    look(0);
    workgroup = 0;
    assert_true(cb_wait_goes_on(other));
    for (uint i = 0; i < 3; i++) {
        call();
        for (uint j = 0; j < 3; j++) {
            look(0);
            assert_true(cb_wait_goes_on(other));
        }
        assert_int_equal(CB_ROLL_ANSWERS(launch.roll), 1);
    }
}

/* A scheduler that has sent for somebody since the call, who had answered, calls again. */
TEST_WITH(sent_for, begin, NULL)
{
    static cb_u32 mail[WORKERS * COOP_LINE];
    s.mail = mail;
    for (uint turn = 0; turn < 3; turn++) {
        look(0);
        look(1);
        if (turn == 0)
            call();
    }
    assert_int_equal(CB_ROLL_ANSWERS(launch.roll), WORKERS);
    coop_send(&s, 0, 1, 1, COOP_MAIL_JOIN, COOP_FROM_START);
    assert_int_not_equal(mail[COOP_LINE], 0);
    assert_false(is_deadlock());
    assert_int_equal(CB_ROLL_NUMBER(launch.roll), 3);
    for (uint turn = 0; turn < 5; turn++)
        look(0);
    assert_false(is_deadlock());
}

/* After the last number comes 1, since 0 is that of no call. */
TEST_WITH(wrap, begin, NULL)
{
    coop_call_roll(&s, CB_ROLL_LAST);
    look(0);
    look(1);
    s.turns = 11;
    assert_false(is_deadlock());
    assert_int_equal(CB_ROLL_NUMBER(launch.roll), 1);
    for (uint turn = 0; turn < 2; turn++) {
        look(0);
        look(1);
    }
    assert_true(is_deadlock());
}
