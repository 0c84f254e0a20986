/* SPDX-License-Identifier: Apache-2.0
 *
 * The controller of a power cap, on devices that are simulated: it comes down below the cap, stays
 * there, and gives no more workgroups up than it has to.
 */
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>

#include "probes/throttle/control.h"

#define SETTLED 20 /* looks at the power, after which the cap is held */
#define LOOKS   60
#define MISLED  4 /* looks after which noise may have taken too many workgroups away */

static double between(double low, double high)
{
    return low + (high - low) * cb_random_below(&dice, 1000001) / 1e6;
}

/* What a device draws with so many workgroups: something for being awake, and more for each, but
 * ever less. */
struct device {
    double idle_w, awake_w, full_w, exponent;
    unsigned most;
    double noise; /* share */
};

static double true_power(const struct device *d, unsigned groups)
{
    return d->idle_w + d->awake_w + d->full_w * pow((double)groups / d->most, d->exponent);
}

static double power_of(const struct device *d, unsigned groups)
{
    return true_power(d, groups) * (1 + between(-d->noise, d->noise));
}

/* Returns the most workgroups that stay below the cap, with the controller's margin. */
static unsigned best(const struct device *d, double cap_w)
{
    unsigned groups = d->most;
    while (groups > 1 && true_power(d, groups) > cap_w * (1 - CB_THROTTLE_MARGIN))
        groups--;
    return groups;
}

static struct cb_throttle_control control_of(const struct device *d, double cap_w)
{
    return (struct cb_throttle_control){.cap_w = cap_w, .idle_w = d->idle_w, .most = d->most};
}

static void holds(const struct device *d, double cap_w)
{
    struct cb_throttle_control c = control_of(d, cap_w);
    unsigned groups = d->most, wanted = best(d, cap_w), slack = 2 + wanted / 8, few = 0;
    for (int i = 0; i < LOOKS; i++) {
        double watts = power_of(d, groups);
        if (i >= SETTLED && groups > 1 && watts > cap_w * (1 + CB_THROTTLE_TOLERANCE))
            fail_msg("look %d: %u of %u workgroups draw %.1f W, the cap is %.1f (%g, %g, %g, %g)",
                     i, groups, d->most, watts, cap_w, d->idle_w, d->awake_w, d->full_w,
                     d->exponent);
        groups = cb_throttle_control(&c, groups, watts);
        assert_in_range(groups, 1, d->most);
        few += i >= SETTLED && groups + slack < wanted;
    }
    if (few > (d->noise > 0 ? MISLED : 0))
        fail_msg("%u times less than %u workgroups, which would do, of %u (%.1f W: %g, %g, %g, %g)",
                 few, wanted - slack, d->most, cap_w, d->idle_w, d->awake_w, d->full_w,
                 d->exponent);
}

/* Devices of all kinds are read without noise. */
TEST(quiet_devices)
{
    for (int i = 0; i < 2000; i++) {
        struct device d = {between(1, 100),
                           between(0, 100),
                           between(5, 500),
                           between(0.4, 1.2),
                           1 + cb_random_below(&dice, 600),
                           0};
        holds(&d, between(d.idle_w, true_power(&d, d.most) * 1.2));
    }
}

/* Noise of half a percent is less than the margin. */
TEST(noisy_devices)
{
    for (int i = 0; i < 500; i++) {
        struct device d = {between(50, 100),
                           between(20, 60),
                           between(100, 400),
                           between(0.5, 1),
                           64 + cb_random_below(&dice, 500),
                           0.005};
        double least = true_power(&d, 1), most = true_power(&d, d.most);
        holds(&d, between(least + 0.2 * (most - least), most * 1.1));
    }
}

TEST(extremes)
{
    const struct device d = {80, 30, 200, 1, 132, 0};
    struct cb_throttle_control low = control_of(&d, 50), high = control_of(&d, 700);
    unsigned groups = d.most;
    for (int i = 0; i < 20; i++)
        groups = cb_throttle_control(&low, groups, power_of(&d, groups));
    assert_int_equal(groups, 1);
    groups = d.most;
    for (int i = 0; i < 20; i++)
        assert_int_equal(groups = cb_throttle_control(&high, groups, power_of(&d, groups)), d.most);
}

/* It gives back what it took, when something else on the board has ended. */
TEST(recovers)
{
    struct device d = {180, 30, 200, 1, 132, 0};
    struct cb_throttle_control c = control_of(&d, 300);
    unsigned groups = d.most;
    for (int i = 0; i < LOOKS; i++)
        groups = cb_throttle_control(&c, groups, power_of(&d, groups));
    assert_in_range(groups, 50, 60);
    d.idle_w = 80;
    for (int i = 0; i < LOOKS; i++)
        groups = cb_throttle_control(&c, groups, power_of(&d, groups));
    assert_in_range(groups, 115, 126);
}

/* The idle power is not known, or more than what is drawn now: the clock of a GPU that has just
 * worked. */
TEST(odd_idle_power)
{
    const struct device d = {80, 30, 200, 1, 132, 0};
    const double idles[] = {NAN, 400};
    for (int k = 0; k < 2; k++) {
        struct cb_throttle_control c = {.cap_w = 200, .idle_w = idles[k], .most = d.most};
        unsigned groups = d.most;
        for (int i = 0; i < LOOKS; i++)
            groups = cb_throttle_control(&c, groups, power_of(&d, groups));
        assert_true(power_of(&d, groups) <= 200);
        assert_in_range(groups, 50, 60);
    }
}

ALL_TESTS(seed_random, NULL)
