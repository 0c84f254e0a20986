/* SPDX-License-Identifier: Apache-2.0 */
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/stats.h"
#include "runtime/host/error.h"

#define MAX_N 1000

#define ASSERT_NEAR(got, expected)                                                                 \
    do {                                                                                           \
        double g = (got), e = (expected);                                                          \
        if (!(fabs(g - e) <= 1e-10 * (1 + fabs(e))))                                               \
            fail_msg("%s: got %.17g, expected %.17g", #got, g, e);                                 \
    } while (0)

#define ASSERT_NAN(got)                                                                            \
    do {                                                                                           \
        if (!isnan(got))                                                                           \
            fail_msg("%s: got %.17g, expected NaN", #got, got);                                    \
    } while (0)

/* --- Random series ---------------------------------------------------------------------------- */

static void fill_random(double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] = 2000 * random_share(&dice) - 1000;
}

static void shuffle(double *values, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = cb_random_next(&dice) % i;
        double swap = values[i - 1];
        values[i - 1] = values[j];
        values[j] = swap;
    }
}

/* 1, 2, ..., n, so that a value is its rank. */
static struct cb_stats stats_of_ranks(size_t n)
{
    double values[MAX_N];
    for (size_t i = 0; i < n; i++)
        values[i] = (double)(n - i);
    return cb_stats_of(values, n);
}

/* --- Known values ----------------------------------------------------------------------------- */

TEST(moments)
{
    const double values[] = {9, 4, 7, 4, 2, 5, 4, 5};
    struct cb_stats s = cb_stats_of(values, CB_COUNTOF(values));
    assert_int_equal(s.n, 8);
    ASSERT_NEAR(s.mean, 5);
    ASSERT_NEAR(s.stddev, sqrt(32.0 / 7));
    ASSERT_NEAR(s.min, 2);
    ASSERT_NEAR(s.q1, 4);
    ASSERT_NEAR(s.median, 4.5);
    ASSERT_NEAR(s.q3, 5.5);
    ASSERT_NEAR(s.max, 9);
    ASSERT_NEAR(s.mad, 0.5);
}

/* By hand: of 1, 2, ..., n, the quantile q of type 7 is 1 + q (n - 1). */
TEST(quartiles_are_type_7)
{
    static const struct {
        size_t n;
        double q1, median, q3, mad;
    } known[] = {
        {1, 1, 1, 1, 0},      {2, 1.25, 1.5, 1.75, 0.5},
        {3, 1.5, 2, 2.5, 1},  {4, 1.75, 2.5, 3.25, 1},
        {5, 2, 3, 4, 1},      {10, 3.25, 5.5, 7.75, 2.5},
        {11, 3.5, 6, 8.5, 3}, {100, 25.75, 50.5, 75.25, 25},
    };
    for (size_t i = 0; i < CB_COUNTOF(known); i++) {
        struct cb_stats s = stats_of_ranks(known[i].n);
        ASSERT_NEAR(s.q1, known[i].q1);
        ASSERT_NEAR(s.median, known[i].median);
        ASSERT_NEAR(s.q3, known[i].q3);
        ASSERT_NEAR(s.mad, known[i].mad);
    }
}

TEST(quantile_ends)
{
    const double sorted[] = {-3, 0, 10};
    ASSERT_NEAR(cb_quantile(sorted, 3, 0), -3);
    ASSERT_NEAR(cb_quantile(sorted, 3, 1), 10);
    ASSERT_NEAR(cb_quantile(sorted, 3, 0.75), 5);
    ASSERT_NEAR(cb_quantile(sorted, 1, 0), -3);
    ASSERT_NEAR(cb_quantile(sorted, 1, 0.5), -3);
    ASSERT_NEAR(cb_quantile(sorted, 1, 1), -3);
}

/* Robust measures do not follow one wild sample; mean and deviation do. */
TEST(outlier)
{
    const double values[] = {10, 11, 12, 13, 1e9};
    struct cb_stats s = cb_stats_of(values, CB_COUNTOF(values));
    ASSERT_NEAR(s.median, 12);
    ASSERT_NEAR(s.mad, 1);
    assert_true(s.mean > 1e8);
    assert_true(s.stddev > 1e8);
}

/* Ranks from the tables for the sign test (Conover, Practical Nonparametric Statistics, A3). */
TEST(interval_ranks)
{
    static const struct {
        size_t n;
        double low, high;
    } known[] = {
        {6, 1, 6},    {7, 1, 7},    {8, 1, 8},     {9, 2, 8},        {10, 2, 9},
        {11, 2, 10},  {12, 3, 10},  {15, 4, 12},   {20, 6, 15},      {25, 8, 18},
        {30, 10, 21}, {50, 18, 33}, {100, 40, 61}, {1000, 469, 532},
    };
    for (size_t i = 0; i < CB_COUNTOF(known); i++) {
        struct cb_stats s = stats_of_ranks(known[i].n);
        ASSERT_NEAR(s.ci95_low, known[i].low);
        ASSERT_NEAR(s.ci95_high, known[i].high);
    }
}

TEST(tail_percentiles)
{
    ASSERT_NEAR(stats_of_ranks(20).p95, 19.05);
    ASSERT_NEAR(stats_of_ranks(100).p95, 95.05);
    ASSERT_NEAR(stats_of_ranks(100).p99, 99.01);
}

/* --- What the number of samples does not support ---------------------------------------------- */

TEST(no_samples)
{
    struct cb_stats s = cb_stats_of(NULL, 0);
    assert_int_equal(s.n, 0);
    ASSERT_NAN(s.mean);
    ASSERT_NAN(s.stddev);
    ASSERT_NAN(s.min);
    ASSERT_NAN(s.q1);
    ASSERT_NAN(s.median);
    ASSERT_NAN(s.q3);
    ASSERT_NAN(s.max);
    ASSERT_NAN(s.mad);
    ASSERT_NAN(s.p95);
    ASSERT_NAN(s.p99);
    ASSERT_NAN(s.ci95_low);
    ASSERT_NAN(s.ci95_high);
    ASSERT_NAN(cb_stats_rci_percent(&s));
}

TEST(one_sample)
{
    const double value = 42;
    struct cb_stats s = cb_stats_of(&value, 1);
    ASSERT_NEAR(s.mean, 42);
    ASSERT_NEAR(s.min, 42);
    ASSERT_NEAR(s.median, 42);
    ASSERT_NEAR(s.max, 42);
    ASSERT_NEAR(s.mad, 0);
    ASSERT_NAN(s.stddev);
    ASSERT_NAN(s.ci95_low);
}

TEST(nan_thresholds)
{
    assert_true(!isnan(stats_of_ranks(2).stddev));
    ASSERT_NAN(stats_of_ranks(5).ci95_low);
    ASSERT_NAN(stats_of_ranks(5).ci95_high);
    assert_true(!isnan(stats_of_ranks(6).ci95_low));
    ASSERT_NAN(stats_of_ranks(19).p95);
    assert_true(!isnan(stats_of_ranks(20).p95));
    ASSERT_NAN(stats_of_ranks(99).p99);
    assert_true(!isnan(stats_of_ranks(100).p99));
}

TEST(relative_interval)
{
    struct cb_stats s = stats_of_ranks(10);
    ASSERT_NEAR(cb_stats_rci_percent(&s), 100 * 3.5 / 5.5);
    s = stats_of_ranks(5);
    ASSERT_NAN(cb_stats_rci_percent(&s));

    const double negative[] = {-1, -2, -3, -4, -5, -6};
    s = cb_stats_of(negative, CB_COUNTOF(negative));
    ASSERT_NEAR(cb_stats_rci_percent(&s), 100 * 2.5 / 3.5);
    const double around_zero[] = {-3, -2, 0, 0, 2, 3};
    s = cb_stats_of(around_zero, CB_COUNTOF(around_zero));
    ASSERT_NAN(cb_stats_rci_percent(&s));
    const double equal[] = {7, 7, 7, 7, 7, 7};
    s = cb_stats_of(equal, CB_COUNTOF(equal));
    ASSERT_NEAR(cb_stats_rci_percent(&s), 0);
}

TEST(values_stay_as_they_are)
{
    double values[] = {3, 1, 2}, copy[] = {3, 1, 2};
    cb_stats_of(values, CB_COUNTOF(values));
    assert_memory_equal(values, copy, sizeof values);
}

/* --- Properties of random series -------------------------------------------------------------- */

static void check_order(const struct cb_stats *s)
{
    assert_true(s->min <= s->q1 && s->q1 <= s->median);
    assert_true(s->median <= s->q3 && s->q3 <= s->max);
    assert_true(s->min <= s->mean && s->mean <= s->max);
    assert_true(s->mad >= 0);
    if (s->n >= 6)
        assert_true(s->ci95_low <= s->median && s->median <= s->ci95_high);
    if (s->n >= 20)
        assert_true(s->q3 <= s->p95 && s->p95 <= s->max);
    if (s->n >= 100)
        assert_true(s->p95 <= s->p99 && s->p99 <= s->max);
}

static void check_shuffled(double *values, const struct cb_stats *s)
{
    shuffle(values, s->n);
    struct cb_stats again = cb_stats_of(values, s->n);
    ASSERT_NEAR(again.mean, s->mean);
    ASSERT_NEAR(again.median, s->median);
    ASSERT_NEAR(again.q1, s->q1);
    ASSERT_NEAR(again.q3, s->q3);
    ASSERT_NEAR(again.mad, s->mad);
}

/* Statistics of values in other units are the same statistics in other units. */
static void check_scaled(const double *values, const struct cb_stats *s)
{
    double scaled[MAX_N];
    for (size_t i = 0; i < s->n; i++)
        scaled[i] = 8 * values[i] + 64;
    struct cb_stats t = cb_stats_of(scaled, s->n);
    ASSERT_NEAR(t.mean, 8 * s->mean + 64);
    ASSERT_NEAR(t.median, 8 * s->median + 64);
    ASSERT_NEAR(t.mad, 8 * s->mad);
    if (s->n >= 2)
        ASSERT_NEAR(t.stddev, 8 * s->stddev);
    if (s->n >= 6)
        ASSERT_NEAR(t.ci95_high, 8 * s->ci95_high + 64);
}

TEST(random_series)
{
    seed_random(NULL);
    double values[MAX_N];
    for (int round = 0; round < 300; round++) {
        size_t n = 1 + cb_random_below(&dice, round % 2 ? 30 : MAX_N);
        fill_random(values, n);
        struct cb_stats s = cb_stats_of(values, n);
        check_order(&s);
        check_shuffled(values, &s);
        check_scaled(values, &s);
    }
}

/* The interval holds the true median as often as it says: with 25 samples in 95.67 % of all series.
 * The limits are five standard deviations of that share away. */
TEST(interval_coverage)
{
    seed_random(NULL);
    const int rounds = 20000;
    const double true_median = log(2);
    int right = 0;
    for (int round = 0; round < rounds; round++) {
        double values[25]; /* exponentially distributed: as skewed as run times are */
        for (size_t i = 0; i < CB_COUNTOF(values); i++)
            values[i] = -log(1 - random_share(&dice));
        struct cb_stats s = cb_stats_of(values, CB_COUNTOF(values));
        right += s.ci95_low <= true_median && true_median <= s.ci95_high;
    }
    double share = (double)right / rounds;
    if (share < 0.949 || share > 0.964)
        fail_msg("the interval holds the median in %.4f of all series, expected 0.9567", share);
}
