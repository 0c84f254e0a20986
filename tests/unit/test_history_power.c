/* SPDX-License-Identifier: Apache-2.0
 *
 * What a history promises to find, at every number of runs before a step and after it: a table that
 * samples a grid is not the grid (docs/trust.md has it all, of tests/power.c).
 */
#include <stdbool.h>

#include "checks.h"
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include <math.h>

#include "analysis/history/change_points.h"
#include "analysis/history/speed.h"

static double normal(void)
{
    return random_normal(&dice);
}

/* Of `tries` steps after so many values, those that are found within one value of their place when
 * so many have come after it, as one of `series` of which no other has a change. */
static unsigned found_steps(size_t before, size_t after, double size, unsigned series,
                            unsigned tries)
{
    unsigned hits = 0;
    for (unsigned t = 0; t < tries; t++) {
        double values[100];
        struct cb_change_point points[100];
        for (size_t i = 0; i < before + after; i++)
            values[i] = normal() + (i < before ? 0 : size);
        const long n = cb_change_points(values, before + after, &cb_change_rules, points);
        bool hit = false;
        for (long i = 0; i < n; i++)
            hit = hit || (points[i].at + 1 >= before && points[i].at <= before + 1 &&
                          points[i].p * series < cb_change_rules.alpha);
        hits += hit ? 1 : 0;
    }
    return hits;
}

/* A step of fifty standard deviations, of one series in ten, at every number of values before and
 * after it. (A test of ranks alone cannot show 10 and 5, or 3 and 13.) */
TEST(clear_steps_are_found_at_every_size)
{
    enum { TRIES = 10 };
    unsigned all = 0, missed = 0;
    dice.state = 38;
    for (size_t before = cb_change_rules.least; before <= 40; before++)
        for (size_t after = cb_change_rules.least; after <= 40; after++) {
            const unsigned found = found_steps(before, after, 50, 10, TRIES);
            if (found + 2 < TRIES)
                fail_msg("%zu values and %zu: %u of %d steps found", before, after, found, TRIES);
            all += TRIES;
            missed += TRIES - found;
        }
    assert_in_range(missed, 0, all * 3 / 1000);
}

/* One of ten standard deviations from five values on, and one of five from ten on. */
TEST(smaller_steps_are_found_at_every_size)
{
    enum { TRIES = 20 };
    dice.state = 39;
    for (size_t before = 5; before <= 40; before += 2)
        for (size_t after = 5; after <= 40; after += 3) {
            assert_in_range(found_steps(before, after, 10, 1, TRIES), TRIES - 3, TRIES);
            if (before >= 10 && after >= 10)
                assert_in_range(found_steps(before, after, 5, 1, TRIES), TRIES - 3, TRIES);
        }
}

/* So short that ranks cannot tell, too: of 40,000 series alpha allows 40. */
TEST(short_noise_is_no_change)
{
    double series[80];
    struct cb_change_point points[80];
    long found = 0;
    dice.state = 354;
    for (unsigned s = 0; s < 40000; s++) {
        const size_t n = 6 + s % 75;
        for (size_t i = 0; i < n; i++)
            series[i] = normal();
        found += cb_change_points(series, n, &cb_change_rules, points);
    }
    assert_in_range(found, 0, 40);
}

/* Runs before and after on cores of another speed, that a program of half the throughput has, or
 * one that follows the speed; found steps of `tries`. */
static unsigned found_beside(size_t each, double change, double speed, double noise,
                             enum cb_better better, unsigned tries)
{
    unsigned found = 0;
    for (unsigned t = 0; t < tries; t++) {
        double values[100], speeds[100];
        struct cb_change_point points[100];
        for (size_t i = 0; i < 2 * each; i++) {
            const double moment = exp(noise * normal()) * (i < each ? 1 : speed);
            speeds[i] = 2e8 * moment;
            values[i] = (better == CB_LOWER ? 1 / moment : moment) * exp(0.01 * normal()) *
                        (i < each ? 1 : change);
        }
        assert_true(cb_series_without_speed(values, speeds, 2 * each, better, &cb_change_rules));
        found += cb_change_points(values, 2 * each, &cb_change_rules, points) > 0;
    }
    return found;
}

/* A speed of the cores that changes at the same run hides no step, of a rate or of a time, and one
 * that explains a step by itself makes it none. */
TEST(the_speed_of_cores_hides_no_step)
{
    enum { TRIES = 20 };
    const double speeds[] = {1, 1.01, 1.02, 1.05, 0.9, 0.99}, noises[] = {0, 0.002, 0.01};
    dice.state = 40;
    for (size_t i = 0; i < CB_COUNTOF(speeds); i++)
        for (size_t k = 0; k < CB_COUNTOF(noises); k++)
            for (size_t each = 5; each <= 40; each += 5) {
                const double speed = speeds[i], noise = noises[k];
                assert_in_range(found_beside(each, 0.5, speed, noise, CB_HIGHER, TRIES), TRIES - 2,
                                TRIES);
                assert_in_range(found_beside(each, 2, speed, noise, CB_LOWER, TRIES), TRIES - 2,
                                TRIES);
                assert_in_range(found_beside(each, 1, speed, noise, CB_HIGHER, TRIES), 0, 1);
                assert_in_range(found_beside(each, 1, speed, noise, CB_LOWER, TRIES), 0, 1);
            }
}
