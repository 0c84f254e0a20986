/* SPDX-License-Identifier: Apache-2.0
 *
 * Policies that share workgroups out, on kernels whose rates follow a formula: they never ask for
 * what there is not, and come to what a search over all shares finds.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/random.h"
#include "probes/multitask/policies/policy.h"
#include "tests/unit/unit.h"

#define MOST_WINDOWS 64

/* A kernel that gains from workgroups up to `useful` of them, and does `serial` of its work in a
 * time that is the same with any. */
struct curve {
    double serial, useful;
};

static double rate_of(const struct curve *c, unsigned groups)
{
    const double used = groups < c->useful ? groups : c->useful;
    return 1 / (c->serial + (1 - c->serial) / used);
}

/* What the device draws: for being on, and for each workgroup. `wanted` of the second kernel's are
 * for free, and each that is missing or too many costs `bend` times its square. The first kernel
 * gets slower by `crowding` for each of the second's. NULL: nothing tells the watts. */
struct draw {
    double idle, each[2], wanted, bend, crowding;
};

static double watts_of(const struct draw *d, const unsigned *groups)
{
    const double off = groups[1] - d->wanted;
    return d->idle + d->each[0] * groups[0] + d->each[1] * groups[1] + d->bend * off * off;
}

static void measure(struct cb_policy_view *view, const struct curve curves[2], const struct draw *d,
                    const unsigned *groups)
{
    for (int k = 0; k < 2; k++)
        view->rates[k] = rate_of(&curves[k], groups[k]);
    view->watts = d ? watts_of(d, groups) : NAN;
    view->rates[0] /= 1 + (d ? d->crowding * groups[1] : 0);
}

static void is_possible(const struct cb_policy_view *view, const unsigned *groups)
{
    unsigned sum = 0;
    for (unsigned k = 0; k < view->n; k++) {
        assert_true(groups[k] >= 1);
        sum += groups[k];
    }
    assert_true(sum <= view->workers);
}

/* Runs the policy until it settles; returns what the first kernel has then. */
static unsigned settle_with(const struct cb_policy *policy, struct cb_policy_view *view,
                            const struct curve curves[2], const struct draw *draw)
{
    struct cb_policy_memory memory = {0};
    unsigned groups[COOP_MOST_KERNELS] = {0};
    for (bool settled = false; !settled; memory.windows++) {
        assert_true(memory.windows < MOST_WINDOWS);
        settled = policy->decide(&memory, view, groups);
        is_possible(view, groups);
        memcpy(view->groups, groups, sizeof view->groups);
        measure(view, curves, draw, groups);
    }
    unsigned again[COOP_MOST_KERNELS];
    assert_true(policy->decide(&memory, view, again)); /* and stays */
    assert_int_equal(again[0], groups[0]);
    assert_int_equal(again[1], groups[1]);
    return groups[0];
}

static unsigned settle(const struct cb_policy *policy, struct cb_policy_view *view,
                       const struct curve curves[2])
{
    return settle_with(policy, view, curves, NULL);
}

/* Progress of both together, by their rates with all but one. */
static double stp_of(const struct curve c[2], unsigned workers, unsigned first)
{
    return rate_of(&c[0], first) / rate_of(&c[0], workers - 1) +
           rate_of(&c[1], workers - first) / rate_of(&c[1], workers - 1);
}

TEST(fixed)
{
    static const struct curve none[2] = {{1, 1}, {1, 1}};
    for (unsigned workers = 2; workers < 40; workers++)
        for (unsigned share = 0; share < 50; share++) {
            struct cb_policy_view view = {.workers = workers, .n = 2, .share = share};
            unsigned first = settle(cb_policy_find("fixed"), &view, none);
            assert_int_equal(first, share < 1 ? 1 : share > workers - 1 ? workers - 1 : share);
            assert_int_equal(view.groups[1], workers - first);
        }
}

TEST(more_kernels)
{
    struct cb_policy_view view = {.workers = 11, .n = 4, .share = 3};
    struct cb_policy_memory memory = {0};
    unsigned groups[COOP_MOST_KERNELS];
    assert_true(cb_policy_find("fixed")->decide(&memory, &view, groups));
    assert_int_equal(groups[0], 3);
    assert_int_equal(groups[1] + groups[2] + groups[3], 8);
    is_possible(&view, groups);
}

TEST(priority)
{
    static const struct curve none[2] = {{1, 1}, {1, 1}};
    struct cb_policy_view view = {.workers = 9, .n = 2, .share = 4};
    assert_int_equal(settle(cb_policy_find("priority"), &view, none), 8);
}

TEST(learned)
{
    const uint64_t seed = 33;
    struct cb_random r = {seed};
    for (int i = 0; i < 500; i++) {
        const unsigned workers = cb_random_between(&r, 2, 400);
        struct curve c[2];
        for (int k = 0; k < 2; k++)
            c[k] = (struct curve){cb_random_below(&r, 1000) / 1000.0,
                                  cb_random_between(&r, 1, workers)};
        struct cb_policy_view view = {.workers = workers, .n = 2};
        const double found = stp_of(c, workers, settle(cb_policy_find("learned"), &view, c));
        double best = 0;
        for (unsigned first = 1; first < workers; first++)
            best = stp_of(c, workers, first) > best ? stp_of(c, workers, first) : best;
        if (found < 0.95 * best)
            fail_msg("seed %u, draw %d: %g of at best %g", (unsigned)seed, i, found, best);
    }
}

/* The fewest that are in time; all that there can be if none are. */
TEST(deadline)
{
    static const struct curve curves[2] = {{0.1, 64}, {0, 64}};
    for (unsigned workers = 2; workers < 60; workers++)
        for (double deadline_s = 0.05; deadline_s < 1.2; deadline_s += 0.05) {
            struct cb_policy_view view = {.workers = workers, .n = 2, .deadline_s = deadline_s};
            unsigned fewest = 1;
            while (fewest < workers - 1 && rate_of(&curves[0], fewest) * deadline_s < 1)
                fewest++;
            assert_int_equal(settle(cb_policy_find("deadline"), &view, curves), fewest);
        }
}

/* The fewest watts of all shares with which the first keeps the rate; NaN: it does with none. */
static double fewest_watts(const struct cb_policy_view *view, const struct curve c[2],
                           const struct draw *d)
{
    struct cb_policy_view v = *view;
    double fewest = NAN;
    for (unsigned first = 1; first < v.workers; first++)
        for (unsigned second = 1; first + second <= v.workers; second++) {
            const unsigned groups[2] = {first, second};
            measure(&v, c, d, groups);
            if (v.rates[0] >= v.rate && !(v.watts >= fewest))
                fewest = v.watts;
        }
    return fewest;
}

/* How many times as many as that the policy comes to. */
static double watts_too_many(struct cb_random *r, double bend)
{
    const unsigned workers = cb_random_between(r, 2, 140);
    struct curve c[2] = {{cb_random_below(r, 1000) / 1000.0, cb_random_between(r, 1, workers)},
                         {cb_random_below(r, 1000) / 1000.0, cb_random_between(r, 1, workers)}};
    const struct draw d = {cb_random_below(r, 200),
                           {1 + cb_random_below(r, 4), cb_random_below(r, 4)},
                           bend > 0 ? cb_random_between(r, 1, workers) : 0,
                           bend * (1 + cb_random_below(r, 3)),
                           cb_random_below(r, 100) / 1e4};
    struct cb_policy_view view = {.workers = workers, .n = 2};
    view.rate = rate_of(&c[0], workers) * cb_random_below(r, 100) / 100;
    const double fewest = fewest_watts(&view, c, &d);
    const unsigned first = settle_with(cb_policy_find("energy"), &view, c, &d);
    if (isnan(fewest)) { /* as much as can be */
        assert_int_equal(first, workers - 1);
        return 1;
    }
    measure(&view, c, &d, view.groups);
    assert_true(view.rates[0] >= view.rate);
    return view.watts / fewest;
}

/* Against all shares, also those that leave workgroups out. Where every workgroup draws something,
 * it loses no more than it takes for noise. Where the watts are fewest with some number of the
 * second kernel's, which also slow the first down, it has tried a few shares of thousands. */
TEST(energy)
{
    struct cb_random r = {33};
    int off = 0;
    for (int i = 0; i < 400; i++)
        assert_true(watts_too_many(&r, 0) <= 1.011);
    for (int i = 0; i < 400; i++) {
        const double times = watts_too_many(&r, 0.01);
        assert_true(times < 1.25);
        off += times > 1.05;
    }
    assert_in_range(off, 0, 8); /* 2 % */
}

/* It has the fewest that keep the rate then. */
TEST(energy_of_no_watts)
{
    static const struct curve curves[2] = {{0.1, 64}, {0, 64}};
    for (unsigned workers = 2; workers < 60; workers++) {
        struct cb_policy_view view = {.workers = workers, .n = 2, .rate = 3};
        unsigned fewest = 1;
        while (fewest < workers - 1 && rate_of(&curves[0], fewest) < view.rate)
            fewest++;
        assert_int_equal(settle(cb_policy_find("energy"), &view, curves), fewest);
        assert_int_equal(view.groups[1], 1);
    }
}

/* It alone cannot do without a meter. */
TEST(names)
{
    assert_null(cb_policy_find("none"));
    assert_string_equal(cb_policy_find("learned")->name, "learned");
    assert_false(cb_policy_find("learned")->needs_power);
    assert_true(cb_policy_find("energy")->needs_power);
}
