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
    assert_int_equal(cb_clock_turns(60000ull * MS, 1, 132), 1u << 31); /* they are 32 bits */
}

/* In spans, of a device whose wait deadline is so many ms. */
struct deadlines {
    unsigned deadline, step, gap;
};

static struct deadlines deadlines_of(const char *type, double ns_per_tick, uint64_t ms)
{
    struct cb_session s = {.ns_per_tick = ns_per_tick, .wait_deadline_ns = ms * MS};
    strcpy(s.info.type, type);
    cb_clock_deadlines(&s);
    return (struct deadlines){CB_SPANS(s.deadlines.deadline_ticks),
                              CB_SPANS(s.deadlines.step_ticks), CB_SPANS(s.deadlines.gap_ticks)};
}

/* Of any clock, a wait that sees nothing but gaps ends, on CPUs after 32 looks at least. */
TEST(deadlines_of_any_clock)
{
    const double ns_per_tick[] = {0.1, 0.3, 1, 52, 1000, 1e6};
    const uint64_t ms[] = {1, 200, 60000};
    for (size_t i = 0; i < sizeof ns_per_tick / sizeof *ns_per_tick * 3; i++) {
        const struct deadlines cpu = deadlines_of("cpu", ns_per_tick[i / 3], ms[i % 3]),
                               gpu = deadlines_of("gpu", ns_per_tick[i / 3], ms[i % 3]);
        assert_in_range(cpu.gap, 1, cpu.deadline / 32);
        assert_int_equal(cpu.step, cpu.gap);
        assert_in_range(gpu.gap, 1, gpu.step);
        assert_in_range(gpu.step, 1, gpu.deadline);
        assert_in_range(gpu.deadline, 32, CB_MOST_SPANS);
    }
}

TEST(deadlines_in_time)
{
    struct deadlines d = deadlines_of("gpu", 1, 60000);
    assert_int_equal(d.deadline, 60000000000u / 256);
    assert_int_equal(d.step, 1500000 / 256);
    assert_int_equal(d.gap, 1500000 / 16 / 256);
    d = deadlines_of("gpu", 1, 1);
    assert_int_equal(d.step, 1000000 / 256); /* no wait is longer than its deadline for a gap */
    d = deadlines_of("cpu", 0.5, 3200);
    assert_int_equal(d.deadline, 6400000000u / 256);
    assert_int_equal(d.gap, 200000000u / 256);
}
