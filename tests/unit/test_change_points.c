/* SPDX-License-Identifier: Apache-2.0
 *
 * Change points: the statistics against their definitions, the published examples of Apache Otava
 * (formerly Hunter; its analysis_test.py and change_point_divisive_test.py) and of MongoDB's
 * signal-processing-algorithms (its test_detection.py), noise of four kinds, and planted steps.
 */
#include "checks.h"
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include <math.h>

#include "analysis/history/change_points.h"
#include "analysis/history/divisive.h"
#include "analysis/history/levels.h"
#include "analysis/history/ranks.h"
#include "measure/random.h"
#include "runtime/host/error.h"

#define MOST 1000

/* ---- Series ---------------------------------------------------------------------------------- */

/* n values, from `at` on */
static size_t put(double *series, size_t at, size_t n, double value)
{
    for (size_t i = 0; i < n; i++)
        series[at + i] = value;
    return at + n;
}

static void expect(const double *series, size_t n, const size_t *at, size_t n_at)
{
    struct cb_change_point points[MOST];
    const long found = cb_change_points(series, n, &cb_change_rules, points);
    assert_int_equal(found, n_at);
    for (size_t i = 0; i < n_at; i++) {
        assert_int_equal(points[i].at, at[i]);
        assert_true(points[i].p < cb_change_rules.alpha);
    }
}
#define EXPECT(series, ...)                                                                        \
    expect(series, CB_COUNTOF(series), (const size_t[]){__VA_ARGS__},                              \
           CB_COUNTOF(((const size_t[]){__VA_ARGS__})))

/* ---- By their definitions -------------------------------------------------------------------- */

static double mean_distance(const double *a, size_t n_a, const double *b, size_t n_b)
{
    double sum = 0;
    for (size_t i = 0; i < n_a; i++)
        for (size_t j = 0; j < n_b; j++)
            sum += fabs(a[i] - b[j]);
    return sum;
}

/* Matteson and James, equations 5 to 7. */
static double energy(const double *x, size_t at, size_t end)
{
    const double n = (double)at, m = (double)(end - at);
    const double *y = x + at;
    const double within_x = n > 1 ? mean_distance(x, at, x, at) / (n * (n - 1)) : 0;
    const double within_y = m > 1 ? mean_distance(y, end - at, y, end - at) / (m * (m - 1)) : 0;
    return n * m / (n + m) *
           (2 * mean_distance(x, at, y, end - at) / (n * m) - within_x - within_y);
}

TEST(split_is_the_best)
{
    struct cb_random random = {1};
    for (unsigned round = 0; round < 200; round++) {
        double x[30];
        const size_t n = 2 + cb_random_below(&random, 29), least = 1 + cb_random_below(&random, 3);
        struct cb_split found;
        double best = 0;
        for (size_t i = 0; i < n; i++)
            x[i] = cb_random_below(&random, 100) + (i > n / 2 ? 40.0 : 0);
        assert_int_equal(cb_divisive_split(x, n, least, &found), n >= 2 * least);
        for (size_t at = least; at + least <= n; at++)
            for (size_t end = at + least; end <= n; end++)
                best = fmax(best, energy(x, at, end));
        if (n >= 2 * least) {
            assert_true(fabs(found.energy - best) < 1e-9 * (1 + best));
            assert_true(best == 0 || fabs(energy(x, found.at, found.end) - best) < 1e-9 * best);
        }
    }
}

/* Returns the share of all ways to choose n_a of the values that lie as far from the middle as the
 * first. */
static double enumerated(const double *values, unsigned n, unsigned n_a)
{
    unsigned long all = 0, as_far = 0;
    double first = -1;
    for (unsigned chosen = 0; chosen < 1u << n; chosen++) {
        double larger = 0;
        if ((unsigned)__builtin_popcount(chosen) != n_a)
            continue;
        for (unsigned i = 0; i < n; i++)
            for (unsigned j = 0; j < n; j++)
                if (chosen >> i & 1 && !(chosen >> j & 1))
                    larger += values[i] > values[j];
        const double far = fabs(larger - n_a * (n - n_a) / 2.0);
        first = first < 0 ? far : first; /* the lowest bits: the first values */
        all++;
        as_far += far >= first;
    }
    return (double)as_far / (double)all;
}

TEST(ranks_are_exact)
{
    struct cb_random random = {2};
    for (unsigned round = 0; round < 60; round++) {
        double x[12];
        const unsigned n = 2 + cb_random_below(&random, 11),
                       n_a = 1 + cb_random_below(&random, n - 1);
        for (unsigned i = 0; i < n; i++)
            x[i] = (double)(cb_random_next(&random) >> 20);
        assert_true(fabs(cb_ranks_p(x, n_a, x + n_a, n - n_a) - enumerated(x, n, n_a)) < 1e-12);
    }
}

TEST(ranks_of_many)
{
    double low[100], high[100];
    put(low, 0, 100, 1);
    put(high, 0, 100, 2);
    assert_true(fabs(cb_ranks_p(low, 3, high, 100) * 176851 - 2) < 1e-6); /* of 103 over 3 */
    assert_true(cb_ranks_p(low, 100, high, 100) < 1e-50);
    assert_true(cb_ranks_p(low, 100, low, 100) == 1);
}

static double persistence_of(const double *values, size_t n)
{
    const struct cb_persistence p = cb_persistence_within(values, n);
    return cb_persistence_of(&p);
}

static double p_of(const double *a, size_t n_a, const double *b, size_t n_b, double persistence)
{
    struct cb_levels levels = cb_levels_of(a, n_a, b, n_b);
    return cb_levels_p(&levels, persistence, 1);
}

TEST(levels)
{
    const double same[] = {1.00, 1.02, 1.05, 0.95, 0.98}, less[] = {0.80, 0.82, 0.85, 0.79, 0.77};
    const double far[] = {9, 9, 8}, mixed[] = {9, 9, 1};
    assert_true(p_of(same, 5, same, 5, 0) == 1); /* Otava's test_significance_tester() */
    assert_true(p_of(same, 5, less, 5, 0) < 0.001);
    assert_true(p_of(same, 5, less, 5, 0.5) > p_of(same, 5, less, 5, 0));
    assert_true(p_of(same, 5, far, 3, 0) < 0.001);  /* so few that means decide, if */
    assert_true(p_of(same, 5, mixed, 3, 0) > 0.01); /* none is among the others */
}

TEST(persistence)
{
    double alone[200], following[200];
    struct cb_random random = {3};
    for (size_t i = 0; i < 200; i++) {
        alone[i] = random_normal(&random);
        following[i] = (i > 0 ? 0.6 * following[i - 1] : 0) + 0.8 * alone[i];
    }
    assert_true(persistence_of(alone, 200) < 0.15);
    assert_true(persistence_of(following, 200) > 0.5 && persistence_of(following, 200) < 0.8);
    assert_true(persistence_of((const double[]){2, 2, 2}, 3) == 0);
}

/* ---- Published examples ---------------------------------------------------------------------- */

TEST(otava)
{
    const double halved[] = {1.02, 0.95, 0.99, 1.00, 1.12, 1.00, 1.01, 0.98, 1.01, 0.96,
                             0.50, 0.51, 0.48, 0.48, 0.55, 0.50, 0.49, 0.51, 0.50, 0.49};
    const double twice[] = {0.3,  2.4,   1.5,   -0.9,  -0.5,  99.7,  98.3,
                            99.1, 149.0, 149.7, 149.5, 149.1, 148.8, 150.0};
    EXPECT(halved, 10);
    EXPECT(twice, 5, 8);
}

TEST(mongodb_levels)
{
    double step[30], strayed[30], two[45], sure[2000], flat[30];
    put(step, put(step, 0, 15, 50), 15, 100);
    EXPECT(step, 15);
    step[14] = 76; /* "finds behind" */
    EXPECT(step, 14);
    put(strayed, put(strayed, 0, 15, 50), 15, 100);
    strayed[2] = 100;
    EXPECT(strayed, 15);
    put(two, put(two, put(two, 0, 15, 50), 15, 100), 15, 150);
    two[2] = 100;
    EXPECT(two, 15, 30);
    put(flat, 0, 30, 50);
    expect(flat, 30, NULL, 0);
    struct cb_change_point found[2000];
    put(sure, put(sure, 0, 1000, 0), 1000, 1);
    assert_int_equal(cb_change_points(sure, 2000, &cb_change_rules, found), 1);
    assert_int_equal(found[0].at, 1000);
}

/* MongoDB's own finds 15 and 33 here: the value that strays at 32 hides where the step ends. */
TEST(mongodb_recovery)
{
    double series[45];
    put(series, put(series, put(series, 0, 15, 50), 15, 100), 15, 50);
    series[2] = series[32] = 100;
    EXPECT(series, 15, 30);
}

TEST(mongodb_random_levels)
{
    const double series[] = {41,  18,  23,  3,   32,  11,  40,  13,  29,  48,  47,  35,
                             18,  21,  6,   2,   23,  3,   4,   7,   120, 103, 102, 81,
                             71,  62,  115, 61,  108, 63,  70,  98,  65,  96,  64,  74,
                             70,  113, 90,  114, 208, 196, 153, 150, 225, 179, 206, 165,
                             177, 151, 218, 217, 244, 245, 229, 195, 225, 229, 176, 250};
    struct cb_change_rules rules = cb_change_rules;
    struct cb_change_point points[CB_COUNTOF(series)];
    rules.alpha = 0.01; /* as there */
    assert_int_equal(cb_change_points(series, CB_COUNTOF(series), &rules, points), 2);
    assert_int_equal(points[0].at, 20);
    assert_int_equal(points[1].at, 40);
}

/* ---- Noise, steps and strays ----------------------------------------------------------------- */

static struct cb_random noise_random;

static double uniform(void)
{
    return random_share(&noise_random);
}
static double normal(void)
{
    return random_normal(&noise_random);
}

/* Draws from a distribution of heavy tails, Student's t with 3 degrees of freedom. */
static double heavy(void)
{
    const double z = normal(), a = normal(), b = normal(), c = normal();
    return z / sqrt((a * a + b * b + c * c) / 3) / sqrt(3);
}

/* That follows the value before. */
static double persistent(void)
{
    static double last;
    return last = 0.6 * last + 0.8 * normal();
}

/* Draws a value; one in twenty is far too large. */
static double straying(void)
{
    return 0.7 * normal() + (uniform() < 0.05 ? 8 * fabs(normal()) : 0);
}

static double (*const kinds[])(void) = {normal, heavy, persistent, straying};

TEST(noise_is_no_change)
{
    double series[MOST];
    struct cb_change_point points[MOST];
    for (size_t kind = 0; kind < CB_COUNTOF(kinds); kind++) {
        long found = 0;
        noise_random.state = 350 + kind;
        for (unsigned c = 0; c < 8; c++) {
            for (size_t i = 0; i < MOST; i++)
                series[i] = exp(0.01 * kinds[kind]());
            found += cb_change_points(series, MOST, &cb_change_rules, points);
        }
        assert_in_range(found, 0, 1);
    }
}

/* Steps of 5 % in noise of 1 %, five runs after them, and fifteen later. */
TEST(steps_are_found)
{
    int early = 0, later = 0;
    noise_random.state = 35;
    for (unsigned step = 0; step < 200; step++) {
        double series[100];
        const size_t at = 30 + step % 40;
        struct cb_change_point points[100];
        for (size_t i = 0; i < at + 20; i++)
            series[i] = exp(0.01 * normal()) * (i < at ? 1 : 1.05);
        long n = cb_change_points(series, at + 5, &cb_change_rules, points);
        early += n == 1 && points[0].at + 1 >= at && points[0].at <= at + 1;
        n = cb_change_points(series, at + 20, &cb_change_rules, points);
        later += n == 1 && points[0].at + 1 >= at && points[0].at <= at + 1;
    }
    assert_in_range(early, 190, 200);
    assert_in_range(later, 195, 200);
}

/* Steps of ten times the spread are found at once, and where they are: E-Divisive means alone puts
 * some of them too early, which hides how clear they are. */
TEST(clear_steps_are_found_where_they_are)
{
    noise_random.state = 37;
    for (size_t step = 0; step < 200; step++) {
        double series[140];
        const size_t at = 35 + step / 2;
        for (size_t i = 0; i < at + 5; i++)
            series[i] = normal() - (i < at ? 0 : 10);
        expect(series, at + 5, &at, 1);
    }
}

TEST(single_strays_are_none)
{
    double series[60];
    noise_random.state = 36;
    for (size_t i = 0; i < 60; i++)
        series[i] = exp(0.01 * normal()) * (i == 20 || i == 40 || i == 41 || i == 59 ? 3 : 1);
    expect(series, 60, NULL, 0);
}

TEST(smallest_change)
{
    double series[30];
    struct cb_change_point points[30];
    struct cb_change_rules rules = cb_change_rules;
    put(series, put(series, 0, 15, 100), 15, 101);
    rules.smallest = 0.02;
    assert_int_equal(cb_change_points(series, 30, &rules, points), 0);
    rules.smallest = 0.005;
    assert_int_equal(cb_change_points(series, 30, &rules, points), 1);
}

TEST(short_series)
{
    const double series[] = {1, 2, 1, 2, 3};
    struct cb_change_point points[5];
    for (size_t n = 0; n <= 5; n++)
        assert_int_equal(cb_change_points(series, n, &cb_change_rules, points), 0);
}
