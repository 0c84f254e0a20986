/* SPDX-License-Identifier: Apache-2.0
 *
 * Device time as host time, and deadlines in turns where there is no clock.
 */

#include <math.h>
#include <string.h>

#include "runtime/clock.h"
#include "tests/unit/unit.h"

#define MS 1000000u

/* Half a nanosecond a tick; both clocks are known within 10 us. */
static const struct cb_clock_link half = {{1e9, 10e3, 4000000000u}, 0.5};

TEST(host_time)
{
    assert_true(cb_clock_link_host_ns(&half, 4000000000u) == 1e9);
    assert_true(cb_clock_link_host_ns(&half, 4000000002u) == 1e9 + 1);
    assert_true(cb_clock_link_host_ns(&half, 3999999000u) == 1e9 - 500);
}

/* A clock that counts from 1970 on tells every nanosecond. */
TEST(large_numbers)
{
    const struct cb_clock_link link = {{5e12, 0, 1795000000000000001u}, 1};
    assert_true(cb_clock_link_host_ns(&link, 1795000000000000008u) == 5e12 + 7);
}

TEST(no_clock)
{
    const struct cb_clock_link none = {{0, 0, 0}, 0};
    assert_true(isnan(cb_clock_link_host_ns(&none, 1)));
}

/* A later reading that fits changes nothing; one that does not, as little as will do. */
TEST(correction)
{
    struct cb_clock_link link = half;
    struct cb_clock_reading later = {2e9 + 15e3, 10e3, 6000000000u};
    cb_clock_link_fit(&link, &later);
    assert_true(link.ns_per_tick == 0.5);
    later.host_ns = 2e9 + 120e3; /* 100 us more than the slack of both */
    cb_clock_link_fit(&link, &later);
    assert_true(fabs(cb_clock_link_host_ns(&link, 6000000000u) - (2e9 + 100e3)) < 1);
    assert_true(cb_clock_link_host_ns(&link, 4000000000u) == 1e9);
    link = half;
    later.host_ns = 2e9 - 120e3;
    cb_clock_link_fit(&link, &later);
    assert_true(fabs(cb_clock_link_host_ns(&link, 6000000000u) - (2e9 - 100e3)) < 1);
}

/* An effect comes after its cause. */
TEST(causes)
{
    struct cb_clock_link link = half, none = {{0, 0, 0}, 0};
    cb_clock_link_not_before(&link, 4000000000u, 1e9 - 1);
    assert_true(cb_clock_link_host_ns(&link, 4000000000u) == 1e9);
    cb_clock_link_not_before(&link, 4000000000u, 1e9 + 30);
    assert_true(cb_clock_link_host_ns(&link, 4000000000u) == 1e9 + 30);
    assert_true(cb_clock_link_host_ns(&link, 4000000004u) == 1e9 + 32);
    cb_clock_link_not_before(&none, 1, 1);
    assert_true(none.first.host_ns == 0);
}

/* Others have the cores while turns are measured, and may be gone when a kernel waits. */
TEST(turns)
{
    assert_int_equal(cb_clock_turns(20 * MS, 500, 8), 40000);
    assert_int_equal(cb_clock_turns(20 * MS, 3, 132), 6666667);
    assert_int_equal(cb_clock_turns(20 * MS, 3 * MS, 8), 2500);
    assert_int_equal(cb_clock_turns(20 * MS, 3 * MS, 1), 20000);
}

/* Waits count in spans: of a clock whatsoever, a wait that sees nothing but gaps must end. */
TEST(deadlines_of_any_clock)
{
    const double ns_per_tick[] = {0.1, 1, 52, 1000, 1e6};
    for (size_t i = 0; i < sizeof ns_per_tick / sizeof *ns_per_tick; i++)
        for (unsigned is_cpu = 0; is_cpu < 2; is_cpu++) {
            struct cb_session s = {.ns_per_tick = ns_per_tick[i],
                                   .wait_deadline_ns = 60000ull * MS};
            strcpy(s.info.type, is_cpu ? "cpu" : "gpu");
            cb_clock_deadlines(&s);
            assert_in_range(CB_SPANS(s.deadlines.gap_ticks), 1, CB_SPANS(s.deadlines.step_ticks));
            assert_in_range(CB_SPANS(s.deadlines.step_ticks), 1,
                            CB_SPANS(s.deadlines.deadline_ticks));
            assert_in_range(CB_SPANS(s.deadlines.deadline_ticks), 1, CB_MOST_SPANS);
            if (ns_per_tick[i] >= 1 && ns_per_tick[i] <= 1000) /* nothing is cut off */
                assert_true(fabs((double)s.deadlines.deadline_ticks * ns_per_tick[i] / 60e9 - 1) <
                            1e-6);
        }
}
