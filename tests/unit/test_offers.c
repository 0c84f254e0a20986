/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/coop/offers/highest.clh, compiled as C: a workgroup that was about to complete a barrier
 * by leaving, and is late, does not overwrite what later barriers have decided; a fork adds nobody
 * whom the scheduler has just taken (models/members.pml). An offer as printed kills the highest
 * workgroup alone, and is over at once.
 */
#define COOP_PRINTED_OFFERS

static void pause_somewhere(void);
#define CB_WAITER 0u
#include "tests/unit/coop_worker_c.h"
#include "tests/unit/unit.h"

#include "kernels/coop/offers.clh"
#pragma GCC diagnostic pop

/* ---- A workgroup, id 3 of 4, of which 2 are wanted, after 7 barriers ------------------------- */

#define PASSED 7u

static coop_control control;
static coop_own own;
static coop_worker worker = {.in.words = &control.kernels[0], .own = &own};
static cb_u64 decided_meanwhile; /* by others, between a load and a swap; 0: nothing */

static void pause_somewhere(void)
{
    if (decided_meanwhile != 0)
        control.kernels[0].resized = decided_meanwhile;
}

/* All others wait at the barrier or at their offers; the workgroup leaves with what it sees. */
static void leave_late(cb_u32 passed, cb_u64 decided)
{
    own.id = 3;
    worker.passed = passed;
    control.kernels[0].resized = decided;
    coop_without(&worker, COOP_MEMBERS(2, 4, 2, 2, passed, 5), 2);
}

static int clear(void **unused)
{
    (void)unused;
    decided_meanwhile = 0;
    return 0;
}

TEST_WITH(completes_the_barrier, clear, NULL)
{
    leave_late(PASSED, COOP_RESIZED(PASSED - 1, 4, 4, 5));
    assert_true(control.kernels[0].resized == COOP_RESIZED(PASSED, 2, 2, 7));
}

TEST_WITH(says_the_same_again, clear, NULL)
{
    leave_late(PASSED, COOP_RESIZED(PASSED, 2, 2, 7));
    assert_true(control.kernels[0].resized == COOP_RESIZED(PASSED, 2, 2, 7));
}

TEST_WITH(leaves_a_later_barrier_alone, clear, NULL)
{
    const cb_u64 later = COOP_RESIZED(PASSED + 1, 2, 1, 8);
    leave_late(PASSED, later);
    assert_true(control.kernels[0].resized == later);
    decided_meanwhile = later;
    leave_late(PASSED, COOP_RESIZED(PASSED - 1, 4, 4, 5));
    assert_true(control.kernels[0].resized == later);
}

/* ---- An offer as printed: of 4, 2 are wanted, and 2 have arrived ----------------------------- */

#define BEFORE COOP_MEMBERS(2, 4, 2, 0, PASSED, 5)

static bool offer(cb_u32 id)
{
    own.id = id;
    worker.passed = PASSED;
    control.kernels[0].kills = 0;
    control.kernels[0].members = BEFORE;
    control.kernels[0].resized = COOP_RESIZED(PASSED - 1, 4, 4, 5);
    return coop_try_kill(&worker);
}

TEST_WITH(kills_the_highest, clear, NULL)
{
    assert_true(offer(3));
    assert_true(control.kernels[0].members == COOP_MEMBERS(2, 3, 2, 0, PASSED, 6));
    assert_int_equal(control.kernels[0].kills, 1);
    assert_int_equal(worker.groups, 3);
}

TEST_WITH(kills_no_other, clear, NULL)
{
    for (cb_u32 id = 0; id < 3; id++) {
        assert_false(offer(id));
        assert_true(control.kernels[0].members == BEFORE);
        assert_int_equal(control.kernels[0].kills, 0);
        assert_int_equal(worker.groups, 4);
    }
}

/* The next one is the highest now, and completes the barrier at which all others wait. */
TEST_WITH(kills_the_next_highest, clear, NULL)
{
    offer(3);
    own.id = 2;
    assert_true(coop_try_kill(&worker));
    assert_true(control.kernels[0].members == COOP_MEMBERS(0, 2, 2, 0, PASSED + 1, 7));
    assert_true(control.kernels[0].resized == COOP_RESIZED(PASSED, 2, 2, 7));
    own.id = 1;
    assert_false(coop_try_kill(&worker));
}

/* --- Workgroup 0 inside a barrier: 2 of 4 are active, 4 were wanted when it looked --- */

static cb_u32 grow(cb_u32 target_now)
{
    const cb_u64 seen = COOP_MEMBERS(0, 2, 4, 0, 1, 5);
    own.workers = 4;
    control.kernels[0].out = 2;
    control.kernels[0].finished = 0;
    control.kernels[0].members =
        COOP_MEMBERS(1, 2, target_now, 0, 1, 5); /* another has arrived, too */
    return coop_grow(&worker, seen);
}

TEST_WITH(grows_while_others_arrive, clear, NULL)
{
    assert_int_equal(grow(4), 4);
    assert_true(control.kernels[0].members == COOP_MEMBERS(1, 4, 4, 0, 1, 6));
    assert_int_equal(own.version, 6);
    assert_int_equal(control.kernels[0].out, 4);
}

/* The scheduler wants the others for a task by now. */
TEST_WITH(does_not_grow_beyond_a_new_target, clear, NULL)
{
    assert_int_equal(grow(2), 2);
    assert_true(control.kernels[0].members == COOP_MEMBERS(1, 2, 2, 0, 1, 5));
    assert_int_equal(control.kernels[0].out, 2);
}

/* The number of barriers has 28 bits there. */
TEST_WITH(wraps, clear, NULL)
{
    const cb_u32 last = 0xfffffffu;
    leave_late(last, COOP_RESIZED(last + 1, 2, 1, 8));
    assert_true(control.kernels[0].resized == COOP_RESIZED(last + 1, 2, 1, 8));
    leave_late(last + 1, COOP_RESIZED(last, 4, 4, 5));
    assert_true(control.kernels[0].resized == COOP_RESIZED(0, 2, 2, 7));
}

/* What query returns, beside the bool. */
TEST(query)
{
    assert_int_equal(COOP_URGENT(1, 5), 11);
    assert_int_equal(COOP_URGENT_WANTED(11), 5);
    assert_int_equal(COOP_URGENT_WANTED(COOP_URGENT(1, COOP_MAX_WORKERS)), COOP_MAX_WORKERS);
    assert_int_equal(COOP_URGENT_WANTED(COOP_URGENT(1, 0)), 0);
    assert_int_equal(COOP_URGENT(0, 0), 0);
}

TEST(fields)
{
    const cb_u64 word = COOP_RESIZED(0xabcdefe, 4094, 4093, 0xfff);
    assert_int_equal(COOP_RESIZED_NUMBER(word), 0xabcdefe);
    assert_int_equal(COOP_RESIZED_BEFORE(word), 4094);
    assert_int_equal(COOP_RESIZED_AFTER(word), 4093);
    assert_int_equal(COOP_RESIZED_VERSION(word), 0xfff);
}
