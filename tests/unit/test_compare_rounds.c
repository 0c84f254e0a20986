/* SPDX-License-Identifier: Apache-2.0
 *
 * The test of medians of rounds: values of another implementation, and what it is for.
 */
#include "checks.h"
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "analysis/compare/rounds.h"
#include "analysis/compare/student.h"
#include "measure/stats.h"
#include "runtime/host/error.h"

static bool test_of(const double *a, size_t n, const double *b, size_t m, struct cb_change *c,
                    double *p)
{
    const struct cb_rounds base = {.values = a, .n = n}, now = {.values = b, .n = m};
    double level;
    struct cb_rounds_verdict verdict = {.adjusted = true, .levels = &level};
    bool ok = cb_rounds_test(&base, 1, &now, CB_HIGHER, &verdict);
    assert_true(!ok || !verdict.adjusted);
    *c = verdict.change;
    *p = verdict.p;
    return ok;
}

/* The statistic is that of scipy.stats.ttest_ind(log(a), log(b), trim=0.2, equal_var=False), t =
 * 11.2144, with 8.54 degrees of freedom, of which 8 count. */
TEST(ratio)
{
    const double a[] = {100, 101, 99, 102, 98, 100.5, 99.5, 103, 97, 150};
    const double b[] = {110, 111, 109, 112, 108, 110.5, 109.5, 113, 107, 111};
    struct cb_change c;
    double p;
    assert_true(test_of(a, 10, b, 10, &c, &p));
    check_close(c.estimate, 0.0980343907082826, 1e-12);
    check_close(c.low, 0.0771201985729754, 1e-9);
    check_close(c.high, 0.11935466884332505, 1e-9);
    check_close(p / 3.58530316905e-06, 1, 1e-6);
}

/* The same of values that have no ratio: 6.8 degrees of freedom. Since the pooled variance gives
 * more than Welch's, t is 2.45632 instead of 2.58432. */
TEST(difference)
{
    const double a[] = {-1, 0, 1, 2, 3, 4}, b[] = {2, 3, 4, 5, 9, 7, 8};
    struct cb_change c;
    double p;
    assert_true(test_of(a, 6, b, 7, &c, &p));
    check_close(c.estimate, 2.6, 1e-12);
    check_close(c.low, 0.009960087616909696, 1e-7);
    check_close(p, 0.0493652845322669, 1e-9);
}

TEST(rounds_that_agree)
{
    const double a[] = {7, 7, 7, 7, 7}, b[] = {8, 8, 8, 8, 8}, zero[] = {0, 0, 0, 0, 0};
    struct cb_change c;
    double p;
    assert_true(test_of(a, 5, a, 5, &c, &p));
    assert_true(c.estimate == 0 && c.low == 0 && c.high == 0 && p == 1);
    assert_true(test_of(a, 5, b, 5, &c, &p));
    check_close(c.estimate, 1 / 7., 1e-12);
    assert_true(p == 0 && c.low > 0.14);
    assert_true(test_of(zero, 5, zero, 5, &c, &p) && c.estimate == 0 && p == 1);
    assert_true(test_of(zero, 5, b, 5, &c, &p) && isinf(c.estimate) && p == 0);
    assert_false(test_of(a, 4, b, 5, &c, &p));
    assert_false(test_of(a, 5, b, 4, &c, &p));
}

/* A moment in which others have the machine spoils a round, not the verdict. */
TEST(spoilt_rounds)
{
    const double a[] = {100, 101, 99, 100, 300, 101, 99, 100, 250, 100};
    const double b[] = {110, 111, 109, 500, 110, 111, 109, 110, 110, 400};
    struct cb_change c;
    double p;
    assert_true(test_of(a, 10, b, 10, &c, &p));
    assert_true(c.low > 0.05 && c.high < 0.15 && p < 0.001);
}

/* So large that the square of the sum of variances overflows, while those of its parts do not. */
TEST(large_rounds)
{
    const double s = 1.19e77, a[] = {-2, -1, 0, 1, 2}, b[] = {0, 1, 2, 3, 4};
    const double large_a[] = {-2 * s, -s, 0, s, 2 * s}, large_b[] = {0, s, 2 * s, 3 * s, 4 * s};
    struct cb_change c;
    double p, large_p;
    assert_true(test_of(a, 5, b, 5, &c, &p));
    assert_true(test_of(large_a, 5, large_b, 5, &c, &large_p));
    check_close(large_p, p, 1e-12);
}

#define ROUNDS 10
#define EACH   5

/* Processes that differ by 5 %, and samples within one by 0.5 %, of nothing that has changed: the
 * share of p <= 1 % is about 1 % by rounds, and far from it by samples taken for independent. */
TEST(processes_that_differ)
{
    struct cb_random random = {20160}; /* fixed: the same each time */
    int by_rounds = 0, by_samples = 0;
    for (int k = 0; k < 2000; k++) {
        double rounds[2][ROUNDS], samples[2][ROUNDS * EACH], p;
        struct cb_change c;
        for (int s = 0; s < 2; s++)
            for (int r = 0; r < ROUNDS; r++) {
                rounds[s][r] = 100 + 5 * random_normal(&random);
                for (int i = 0; i < EACH; i++)
                    samples[s][r * EACH + i] = rounds[s][r] + 0.5 * random_normal(&random);
            }
        assert_true(test_of(rounds[0], ROUNDS, rounds[1], ROUNDS, &c, &p));
        by_rounds += p <= 0.01;
        assert_true(test_of(samples[0], ROUNDS * EACH, samples[1], ROUNDS * EACH, &c, &p));
        by_samples += p <= 0.01;
    }
    assert_in_range(by_rounds, 8, 34);
    assert_in_range(by_samples, 200, 2000);
}

TEST(student_p)
{
    static const int freedom[] = {1, 2, 3, 8, 9, 40};
    for (size_t i = 0; i < CB_COUNTOF(freedom); i++)
        for (double p = 0.001; p < 1; p *= 3)
            check_close(cb_student_p(freedom[i], cb_student_t(freedom[i], p)), p, 1e-9);
}

/* Slopes between rounds of 2 and 4, 1 and 2, 1 and 4 are 2, 0 and 1, and weigh log 2, log 2 and log
 * 4. */
TEST(slope)
{
    const double values[] = {8, 2, 2}, speeds[] = {4, 2, 1}, same[] = {3, 3, 3};
    const struct cb_rounds a = {.values = values, .n = 3, .speeds = speeds};
    const struct cb_rounds flat = {.values = same, .n = 3, .speeds = speeds};
    const struct cb_rounds still = {.values = values, .n = 3, .speeds = same};
    const struct cb_rounds none = {.values = values, .n = 3};
    check_close(cb_rounds_slope(&a, 1, CB_HIGHER), 1, 1e-12);
    check_close(cb_rounds_slope(&a, 1, CB_LOWER), 0, 0); /* no time grows with the speed */
    check_close(cb_rounds_slope(&flat, 1, CB_HIGHER), 0, 1e-12);
    check_close(cb_rounds_slope(&still, 1, CB_HIGHER), 0, 0);
    assert_true(cb_rounds_adjustable(&a) && !cb_rounds_adjustable(&none));
}

/* Between levels something else may have changed: of a rate that is twice as high at 1 % more speed
 * that explains 1 %. Where a level shows within itself what the speed does, it does no less. */
TEST(slope_is_bounded)
{
    const double once[] = {1, 1, 1}, twice[] = {2, 2, 2}, half[] = {0.5, 0.5, 0.5};
    const double slow[] = {1, 1, 1}, fast[] = {1.01, 1.01, 1.01};
    const double speeds[] = {1, 2, 3, 4}, squares[] = {1, 4, 9, 16}, cubes[] = {1, 8, 27, 64};
    const struct cb_rounds from = {.values = once, .n = 3, .speeds = slow};
    const struct cb_rounds up[] = {from, {.values = twice, .n = 3, .speeds = fast}};
    const struct cb_rounds down[] = {from, {.values = half, .n = 3, .speeds = fast}};
    const struct cb_rounds in_step[] = {{.values = speeds, .n = 4, .speeds = speeds}, down[1]};
    const struct cb_rounds above = {.values = squares, .n = 4, .speeds = speeds};
    const struct cb_rounds beyond = {.values = cubes, .n = 4, .speeds = speeds};
    check_close(cb_rounds_slope(up, 2, CB_HIGHER), 1, 1e-12);
    check_close(cb_rounds_slope(down, 2, CB_HIGHER), 0, 0);
    check_close(cb_rounds_slope(up, 2, CB_LOWER), 0, 0);
    check_close(cb_rounds_slope(down, 2, CB_LOWER), -1, 1e-12);
    check_close(cb_rounds_slope(in_step, 2, CB_HIGHER), 1, 1e-9);
    check_close(cb_rounds_slope(&above, 1, CB_HIGHER), 2, 1e-9);
    check_close(cb_rounds_slope(&beyond, 1, CB_HIGHER), 2, 1e-9);
}

/* Rounds on a core that is as fast as it can be, or shared, with samples that follow its speed. */
struct drawn {
    double values[ROUNDS], speeds[ROUNDS], sizes[ROUNDS];
    double samples[ROUNDS * EACH], sample_speeds[ROUNDS * EACH];
};

static struct cb_rounds draw_rounds(struct drawn *d, double median, double slope,
                                    struct cb_random *random)
{
    for (int r = 0; r < ROUNDS; r++) {
        int shared = (int)cb_random_below(random, 4); /* of its samples */
        for (int i = 0; i < EACH; i++) {
            double speed = i >= shared ? 1.6 : 1;
            d->samples[r * EACH + i] =
                median * pow(speed, slope) * (1 + 0.03 * random_normal(random));
            d->sample_speeds[r * EACH + i] = 2e8 * speed * (1 + 0.02 * random_normal(random));
        }
        d->sizes[r] = EACH;
        d->values[r] = cb_stats_of(d->samples + (size_t)r * EACH, EACH).median;
        d->speeds[r] = cb_stats_of(d->sample_speeds + (size_t)r * EACH, EACH).median;
    }
    return (struct cb_rounds){d->values, ROUNDS, d->speeds, d->samples, d->sample_speeds, d->sizes};
}

enum adjusting { NOT, BY_MEDIANS, BY_SAMPLES };

/* Counts how many of 2000 comparisons have p <= 1 %. */
static int count_findings(double change, double slope, enum adjusting by)
{
    struct cb_random random = {20161};
    int found = 0;
    for (int k = 0; k < 2000; k++) {
        struct drawn drawn[2];
        struct cb_rounds sides[2];
        double level;
        struct cb_rounds_verdict verdict = {.levels = &level};
        for (int s = 0; s < 2; s++) {
            sides[s] = draw_rounds(&drawn[s], s ? 100 * (1 + change) : 100, slope, &random);
            sides[s].speeds = by == NOT ? NULL : sides[s].speeds;
            sides[s].samples = by == BY_SAMPLES ? sides[s].samples : NULL;
        }
        assert_true(cb_rounds_test(&sides[0], 1, &sides[1], CB_HIGHER, &verdict));
        assert_true(verdict.adjusted == (by != NOT));
        found += verdict.p <= 0.01;
    }
    return found;
}

/* Without a change the test finds about 20, whether values follow the speed or not; it finds most
 * changes of 4 %, if the samples are known. */
TEST(cores_of_two_speeds)
{
    const double slopes[] = {0, 0.6, 1.2};
    for (int i = 0; i < 3; i++) {
        int by_medians = count_findings(-0.04, slopes[i], BY_MEDIANS);
        int by_samples = count_findings(-0.04, slopes[i], BY_SAMPLES);
        print_message("slope %g: %d by medians, %d by samples, %d without a change\n", slopes[i],
                      by_medians, by_samples, count_findings(0, slopes[i], BY_SAMPLES));
        assert_in_range(count_findings(0, slopes[i], BY_MEDIANS), 8, 50);
        assert_in_range(count_findings(0, slopes[i], BY_SAMPLES), 8, 50);
        assert_in_range(by_samples, 1400, 2000);
        assert_true(by_samples > by_medians - 100);
    }
    assert_in_range(count_findings(-0.04, 1.2, NOT), 0, 300);
}

/* Twenty rounds a side that follow their cores' speed, which varies by `noise`, and of the second
 * side is `speed` of the first's, and its values `change` of what that makes of them: of a hundred,
 * how many have p <= 1 %. */
static int count_changed(double change, double speed, double noise)
{
    enum { MANY = 20 };
    struct cb_random random = {20162};
    int found = 0;
    for (int k = 0; k < 100; k++) {
        double values[2][MANY], speeds[2][MANY], level;
        for (int i = 0; i < 2 * MANY; i++) {
            const double moment = (i < MANY ? 1 : speed) * exp(noise * random_normal(&random));
            speeds[i / MANY][i % MANY] = moment;
            values[i / MANY][i % MANY] =
                moment * (i < MANY ? 100 : 100 * change) * exp(0.01 * random_normal(&random));
        }
        const struct cb_rounds a = {.values = values[0], .n = MANY, .speeds = speeds[0]};
        const struct cb_rounds b = {.values = values[1], .n = MANY, .speeds = speeds[1]};
        struct cb_rounds_verdict verdict = {.levels = &level};
        assert_true(cb_rounds_test(&a, 1, &b, CB_HIGHER, &verdict));
        found += verdict.p <= 0.01;
    }
    return found;
}

/* Half the rate is a change at whatever speed; what the speed explains is none. */
TEST(cores_that_changed)
{
    const double speeds[] = {1, 1.01, 1.02, 1.05, 0.9}, noises[] = {0, 0.002, 0.01};
    for (size_t i = 0; i < CB_COUNTOF(speeds); i++)
        for (size_t k = 0; k < CB_COUNTOF(noises); k++) {
            assert_int_equal(count_changed(0.5, speeds[i], noises[k]), 100);
            assert_in_range(count_changed(1, speeds[i], noises[k]), 0, 6);
        }
}
