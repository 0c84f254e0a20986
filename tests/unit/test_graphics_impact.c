/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether kernels are seen in frames: what is late, the permutation test, the bootstrap.
 */
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>

#include "probes/graphics/analysis/bootstrap.h"
#include "probes/graphics/analysis/impact.h"
#include "runtime/host/error.h"

#define MS       1e6
#define PERIOD   (16 * MS)
#define MAX_WAYS 10 /* of pairs in brute force */

/* --- Random numbers --------------------------------------------------------------------------- */

static int seed(void **unused)
{
    (void)unused;
    seed_dice(20260101);
    return 0;
}

/* --- Made-up windows -------------------------------------------------------------------------- */

static const struct cb_criterion both = {.p99 = true,
                                         .missed = true,
                                         .margin_ns = 1 * MS,
                                         .period_ns = PERIOD,
                                         .level = 0.01,
                                         .looks = 1};

/* A window of 10 frames of 5 ms, of which some take so long. */
static struct cb_frames window(unsigned late, double late_ns)
{
    struct cb_frames frames = {0};
    for (unsigned i = 0; i < 10; i++) {
        double time = i < late ? late_ns : 5 * MS;
        assert_true(cb_frames_add(&frames, &time, 1, 1));
    }
    return frames;
}

/* The impact of n pairs whose windows have so many frames of late_ns. */
static struct cb_impact impact_of(const unsigned *alone, const unsigned *with, size_t n,
                                  double late_ns, const struct cb_criterion *criterion)
{
    struct cb_pairs pairs = {0};
    struct cb_frames all = {0};
    for (size_t i = 0; i < n; i++)
        *cb_pairs_grow(&pairs) =
            (struct cb_pair){window(alone[i], late_ns), window(with[i], late_ns)};
    assert_true(cb_pairs_gather(&pairs, true, &all));
    assert_int_equal(all.n, 10 * n);
    cb_frames_free(&all);
    struct cb_impact impact = cb_impact_of(pairs.items, n, 5 * MS, criterion);
    cb_pairs_free(&pairs);
    return impact;
}

/* --- What is late ----------------------------------------------------------------------------- */

TEST(frames_that_were_left_out_are_late)
{
    const double times[] = {4 * MS, 40 * MS, 16 * MS};
    struct cb_frames frames = {0};
    assert_true(cb_frames_add(&frames, times, 3, 6));
    assert_true(cb_frames_late(&frames, PERIOD) == 4); /* 40 ms, and three that were not drawn */
    assert_true(cb_frames_late(&frames, 50 * MS) == 3);
    assert_true(cb_frames_late(&frames, 1 * MS) == 6);
    assert_true(cb_frames_quantile(&frames, 0.5) == 16 * MS);
    cb_frames_free(&frames);
    assert_true(isnan(cb_frames_quantile(&frames, 0.5)));
}

TEST(shares)
{
    const unsigned alone[] = {0, 1, 0, 1}, with[] = {2, 2, 2, 2};
    struct cb_impact impact = impact_of(alone, with, 4, 20 * MS, &both);
    assert_true(fabs(impact.late_alone - 0.05) < 1e-9 && fabs(impact.late_with - 0.2) < 1e-9);
    assert_true(fabs(impact.missed_alone - 0.05) < 1e-9 && fabs(impact.missed_with - 0.2) < 1e-9);
    assert_true(fabs(impact.rise - 0.15) < 1e-9);
}

/* --- The test --------------------------------------------------------------------------------- */

TEST(all_pairs_agree)
{
    const unsigned none[10] = {0}, some[10] = {1, 2, 1, 3, 1, 1, 2, 1, 1, 1};
    struct cb_impact impact = impact_of(none, some, 10, 20 * MS, &both);
    assert_true(fabs(impact.p_value - 2.0 / 1024) < 1e-12); /* of two limits */
    assert_true(impact.seen);
    struct cb_criterion thrice = both; /* the level is shared out */
    thrice.looks = 3;
    assert_true(fabs(impact_of(none, some, 10, 20 * MS, &thrice).p_value - 6.0 / 1024) < 1e-12);
    impact = impact_of(some, none, 10, 20 * MS, &both);
    assert_true(impact.p_value == 1 && !impact.seen && impact.rise < 0);
    impact = impact_of(some, some, 10, 20 * MS, &both);
    assert_true(impact.p_value == 1 && !impact.seen);
}

TEST(limits)
{
    const unsigned none[10] = {0}, all[10] = {10, 10, 10, 10, 10, 10, 10, 10, 10, 10};
    struct cb_criterion one = both;
    assert_false(impact_of(none, all, 10, 5.9 * MS, &both).seen); /* within the margin */
    assert_true(impact_of(none, all, 10, 6.1 * MS, &both).seen);
    one.p99 = false; /* slower, and in time */
    assert_false(impact_of(none, all, 10, 15.9 * MS, &one).seen);
    assert_true(impact_of(none, all, 10, 16.1 * MS, &one).seen);
    assert_true(fabs(impact_of(none, all, 10, 16.1 * MS, &one).p_value - 1.0 / 1024) < 1e-12);
}

/* The share of all swaps with a sum as large, counted one by one. */
static double counted(const long *differences, size_t n)
{
    long sum = 0;
    unsigned as_large = 0;
    for (size_t i = 0; i < n; i++)
        sum += differences[i];
    for (unsigned swaps = 0; swaps < 1u << n; swaps++) {
        long other = 0;
        for (size_t i = 0; i < n; i++)
            other += swaps >> i & 1 ? -differences[i] : differences[i];
        as_large += other >= sum;
    }
    return as_large / (double)(1u << n);
}

TEST(p_value_is_the_counted_one)
{
    struct cb_criterion one = both;
    one.missed = false;
    for (int round = 0; round < 300; round++) {
        unsigned alone[MAX_WAYS], with[MAX_WAYS];
        long differences[MAX_WAYS];
        size_t n = cb_random_between(&dice, 1, MAX_WAYS);
        for (size_t i = 0; i < n; i++) {
            alone[i] = cb_random_below(&dice, 4);
            with[i] = cb_random_below(&dice, 8);
            differences[i] = (long)with[i] - (long)alone[i];
        }
        double p = impact_of(alone, with, n, 20 * MS, &one).p_value;
        assert_true(fabs(p - counted(differences, n)) < 1e-9);
    }
}

/* Without an effect, the test sees no more than the level says; it always sees one on a third of
 * the frames. */
TEST(level_and_power)
{
    const int rounds = 2000;
    int seen[2] = {0, 0};
    for (int effect = 0; effect < 2; effect++)
        for (int round = 0; round < rounds; round++) {
            unsigned alone[15] = {0}, with[15] = {0};
            for (size_t i = 0; i < CB_COUNTOF(alone); i++)
                for (int frame = 0; frame < 9; frame++) {
                    alone[i] += random_share(&dice) < 0.05;
                    with[i] += random_share(&dice) < 0.05 + effect * 0.33;
                }
            seen[effect] += impact_of(alone, with, 15, 20 * MS, &both).seen;
        }
    assert_in_range(seen[0], 0, rounds / 100);
    assert_in_range(seen[1], rounds * 99 / 100, rounds);
}

TEST(least_pairs)
{
    struct cb_criterion c = both;
    assert_int_equal(cb_impact_least_pairs(&c), 8); /* 2 / 2^8 <= 0.01 < 2 / 2^7 */
    c.missed = false;
    assert_int_equal(cb_impact_least_pairs(&c), 7);
    c.looks = 3;
    assert_int_equal(cb_impact_least_pairs(&c), 9);
    c.looks = 1;
    c.level = 0.5;
    assert_int_equal(cb_impact_least_pairs(&c), 1);
}

/* --- The bootstrap ---------------------------------------------------------------------------- */

TEST(bootstrap)
{
    double of[40], per[40];
    for (size_t i = 0; i < CB_COUNTOF(of); i++) {
        per[i] = 10 + (double)(i % 3);
        of[i] = 3 * per[i];
    }
    struct cb_interval same = cb_bootstrap_ratio(of, per, 40, 1);
    assert_true(fabs(same.value - 3) < 1e-9 && fabs(same.lower - 3) < 1e-9 &&
                fabs(same.upper - 3) < 1e-9);
    struct cb_interval few = cb_bootstrap_ratio(of, per, CB_BOOTSTRAP_PARTS - 1, 1);
    assert_true(fabs(few.value - 3) < 1e-9 && isnan(few.lower) && isnan(few.upper));
}

/* About 95 % of 400 experiments have the truth in their interval; with 30 parts each, a little
 * less. */
TEST(bootstrap_covers)
{
    int covers = 0;
    for (int round = 0; round < 400; round++) {
        double of[30], per[30];
        for (size_t i = 0; i < CB_COUNTOF(of); i++) {
            per[i] = 5;
            of[i] = 0;
            for (int k = 0; k < 5; k++)
                of[i] += 2 * random_share(&dice);
        }
        struct cb_interval interval = cb_bootstrap_ratio(of, per, 30, cb_random_next(&dice));
        assert_true(interval.lower <= interval.value && interval.value <= interval.upper);
        covers += interval.lower <= 1 && 1 <= interval.upper;
    }
    assert_in_range(covers, 350, 396);
}

ALL_TESTS(seed, NULL)
