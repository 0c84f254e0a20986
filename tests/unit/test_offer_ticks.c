/* SPDX-License-Identifier: Apache-2.0
 *
 * How long an offer waits, beside how long any wait may.
 */

#include "runtime/coop/internal.h"
#include "tests/unit/unit.h"

#define MS 1000000u

/* Ticks of 1 ns; a deadline of so many of them, or of so many turns. */
static uint64_t offer_ticks(uint64_t deadline_ticks, uint64_t deadline_turns, double ns_per_tick)
{
    struct cb_session session = {.ns_per_tick = ns_per_tick};
    const struct cb_coop coop = {.session = &session};
    session.deadlines.deadline_ticks = deadline_ticks;
    session.deadlines.deadline_turns = deadline_turns;
    return cb_coop_offer_ticks(&coop);
}

TEST(no_offer_is_taken_for_a_deadlock)
{
    assert_int_equal(offer_ticks(5000 * (uint64_t)MS, 1, 1), 10 * MS);
    assert_int_equal(offer_ticks(20 * MS, 1, 1), 10 * MS);
    assert_int_equal(offer_ticks(10 * MS, 1, 1), 5 * MS);
    assert_int_equal(offer_ticks(1 * MS, 1, 1), MS / 2);
}

/* Then both are turns. */
TEST(without_a_clock)
{
    assert_int_equal(offer_ticks(1, 10000000, 0), 100000);
    assert_int_equal(offer_ticks(1, 1000, 0), 500);
}
