/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/coop/wishes.clh, compiled as C: when the scheduler may change the target of the
 * membership word (models/members.pml: -DRAISED).
 */
static void pause_somewhere(void);
#define CB_WAITER 0u
#include "tests/unit/coop_worker_c.h"
#include "tests/unit/unit.h"

#define COOP_IS_ATOMIC false
#include "kernels/coop/wishes.clh"
#pragma GCC diagnostic pop

static void pause_somewhere(void) {}

static coop_control control;
static coop_own own;
static coop_scheduler scheduler = {.log = {.own = &own}};
static coop_watched watched = {.in.words = &control.kernels[0]};

/* Whether the target is `wanted` after the scheduler has wanted it, and otherwise as it was. */
static bool want(cb_u32 groups, cb_u32 target, cb_u32 wanted)
{
    const cb_u64 before = COOP_MEMBERS(1, groups, target, 1, 7, 5);
    watched.word = control.kernels[0].members = before;
    const bool said = coop_want_by_target(&scheduler, &watched, wanted);
    const cb_u32 after = said ? wanted : target;
    assert_true(control.kernels[0].members == COOP_MEMBERS(1, groups, after, 1, 7, 5));
    assert_int_equal(watched.wish, after);
    return said;
}

TEST(lowers_the_target_at_any_time)
{
    assert_true(want(4, 4, 2));
    assert_true(want(4, 2, 1)); /* surplus workgroups wait at their offers */
    assert_true(want(2, 4, 3)); /* others are being forked */
}

TEST(raises_it_once_nobody_is_surplus)
{
    assert_true(want(2, 2, 4));
    assert_true(want(2, 3, 4));
    assert_false(want(4, 2, 3));
    assert_false(want(4, 2, 4));
    assert_false(want(3, 2, 4));
}

TEST(leaves_it_alone)
{
    assert_true(want(4, 2, 2));
    assert_true(want(4, 4, 4));
}
