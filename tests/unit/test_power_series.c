/* SPDX-License-Identifier: Apache-2.0
 *
 * Series of power readings: means, points, and their room.
 */
#include <math.h>

#include "runtime/power/series.h"
#include "tests/unit/unit.h"

/* ---- Series ---------------------------------------------------------------------------------- */

static void add(struct cb_power_series *s, double ms, double joules, double watts)
{
    const struct cb_power_reading reading = {ms * 1e6, joules, watts};
    cb_power_series_add(s, &reading);
}

static double mean_of(const struct cb_power_series *s, double from_ms, double to_ms)
{
    return cb_power_series_mean(s, from_ms * 1e6, to_ms * 1e6);
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-6 * fabs(b);
}

/* 10 ms apart, with a counter that moves every 100 ms: 200 W, then 50 W. */
TEST(means_of_energy)
{
    struct cb_power_series s;
    assert_true(cb_power_series_open(&s, 1000));
    assert_true(isnan(mean_of(&s, 0, 1)));
    for (int i = 1; i <= 200; i++) {
        double seen = i / 10 * 0.1; /* s, when the counter moved last */
        add(&s, i * 10, fmin(seen, 1) * 200 + fmax(seen - 1, 0) * 50, 7);
    }
    assert_true(s.n < 25);
    assert_true(near(mean_of(&s, 100, 1000), 200));
    assert_true(near(mean_of(&s, 1000, 2000), 50));
    assert_true(near(mean_of(&s, 500, 1500), 125));
    assert_true(near(mean_of(&s, 930, 970), 200)); /* between two steps */
    assert_true(isnan(mean_of(&s, 1500, 2900)));   /* more than half is not known */
    assert_true(near(mean_of(&s, 1500, 2400), 50));
    assert_true(isnan(mean_of(&s, 3000, 4000)));
    cb_power_series_free(&s);
}

TEST(means_of_power)
{
    struct cb_power_series s;
    assert_true(cb_power_series_open(&s, 1000));
    for (int i = 0; i <= 100; i++)
        add(&s, i * 10, NAN, i); /* rises from 0 to 100 W in a second */
    assert_true(near(mean_of(&s, 0, 1000), 50));
    assert_true(near(mean_of(&s, 500, 1000), 75));
    cb_power_series_free(&s);
}

/* A counter that stands still says nothing. */
TEST(no_means)
{
    struct cb_power_series s;
    assert_true(cb_power_series_open(&s, 10));
    for (int i = 0; i < 100; i++)
        add(&s, i, 42, NAN);
    assert_true(s.n == 1 && isnan(mean_of(&s, 0, 100)));
    cb_power_series_free(&s);
}

TEST(room_is_bounded)
{
    for (size_t room = 0; room < 40; room++) {
        struct cb_power_series s;
        assert_true(cb_power_series_open(&s, room));
        for (int i = 0; i <= 10000; i++)
            add(&s, i, i * 0.03, NAN); /* 30 W */
        assert_true(s.n <= (room < 4 ? 4 : room) && s.n >= 2);
        assert_true(near(mean_of(&s, 1000, 6000), 30));
        for (size_t i = 1; i < s.n; i++)
            assert_true(s.kept[i].time_ns > s.kept[i - 1].time_ns);
        cb_power_series_free(&s);
    }
}

TEST(points)
{
    struct cb_power_series s;
    struct cb_power_point points[8];
    assert_true(cb_power_series_open(&s, 100));
    for (int i = 0; i <= 50; i++)
        add(&s, i, i < 20 ? i * 0.1 : 2 + (i - 20) * 0.2, NAN); /* 100 W, 20 ms later 200 W */
    assert_int_equal(cb_power_series_points(&s, 10e6, points, 8), 5);
    assert_true(near(points[0].time_ns, 10e6) && near(points[4].time_ns, 50e6));
    assert_true(near(points[1].watts, 100) && near(points[2].watts, 200));
    assert_int_equal(cb_power_series_points(&s, 10e6, points, 2), 2);
    assert_int_equal(cb_power_series_points(&s, 1e9, points, 8), 0);
    cb_power_series_free(&s);
}
