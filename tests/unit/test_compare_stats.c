/* SPDX-License-Identifier: Apache-2.0
 *
 * The statistics of a comparison against values that can be worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "measure/compare/rank_test.h"
#include "measure/compare/student.h"
#include "measure/compare/verdict.h"

static void check_close(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g instead of %.12g", value, expected);
}

/* --- Rank test -------------------------------------------------------------------------------- */

static double rank_p(const double *a, size_t n, const double *b, size_t m)
{
    struct cb_rank_table table = {0};
    double p = cb_rank_test(a, n, b, m, &table);
    cb_rank_table_free(&table);
    return p;
}

/* The 20 orders of three and three values have U = 0 ... 9 so often: 1 1 2 3 3 3 3 2 1 1. */
static void test_three_and_three(void **unused)
{
    (void)unused;
    static const struct {
        double a[3], b[3], p;
    } rows[] = {
        {{1, 2, 3}, {4, 5, 6}, 2 * 1 / 20.}, {{4, 5, 6}, {1, 2, 3}, 2 * 1 / 20.},
        {{1, 2, 4}, {3, 5, 6}, 2 * 2 / 20.}, {{1, 2, 5}, {3, 4, 6}, 2 * 4 / 20.},
        {{1, 3, 5}, {2, 4, 6}, 2 * 7 / 20.}, {{1, 4, 5}, {2, 3, 6}, 1},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++)
        check_close(rank_p(rows[i].a, 3, rows[i].b, 3), rows[i].p, 1e-12);
}

static void test_unequal_numbers(void **unused)
{
    (void)unused;
    const double few[] = {1, 2}, many[] = {3, 4, 5, 6, 7}, single[] = {0};
    check_close(rank_p(few, 2, many, 5), 2 / 21., 1e-12); /* 7 over 2 orders */
    check_close(rank_p(many, 5, few, 2), 2 / 21., 1e-12);
    check_close(rank_p(single, 1, few, 2), 2 / 3., 1e-12);
    assert_true(isnan(rank_p(few, 0, many, 5)));
}

/* 5 % tables (Mann and Whitney's, two-sided): for 10 and 10 samples U <= 23 is significant, 24 is
 * not. 1..10 against values between them that make this U. */
static void test_table_of_ten_and_ten(void **unused)
{
    (void)unused;
    double a[10], b[10];
    for (int u = 23; u <= 24; u++) {
        for (int i = 0; i < 10; i++) {
            a[i] = i + 1;
            b[i] = 100 + i;
        }
        b[0] = 10 - 9.5;            /* below ten of a: U = 10 */
        b[1] = 10 - 9.25;           /* 20 */
        b[2] = 10 - (u - 20) + 0.5; /* and below u - 20 more */
        double p = rank_p(a, 10, b, 10);
        assert_true(u == 23 ? p <= 0.05 : p > 0.05);
    }
}

static void test_the_largest_exact_numbers(void **unused)
{
    (void)unused;
    double a[26], b[26];
    for (int i = 0; i < 26; i++) {
        a[i] = i;
        b[i] = 100 + i;
    }
    check_close(rank_p(a, 25, b, 25) / cb_rank_test_least(25, 25), 1, 1e-9);
    check_close(cb_rank_test_least(9, 9), 2 / 48620., 1e-12);
    /* beyond: z = (26 26 / 2 - 0.5) / sqrt(26 26 53 / 12) */
    check_close(rank_p(a, 26, b, 26), erfc(337.5 / sqrt(26 * 26 * 53 / 12.) / sqrt(2)), 1e-15);
}

/* ten 7s and ten 8s: variance 100 / 12 (21 - 2 (1000 - 10) / (20 19)), z = 49.5 / sqrt(131.58) */
static void test_ties(void **unused)
{
    (void)unused;
    double a[10], b[10];
    for (int i = 0; i < 10; i++) {
        a[i] = 7;
        b[i] = 8;
    }
    check_close(rank_p(a, 10, b, 10), 1.594e-5, 1e-8);
    check_close(rank_p(a, 10, a, 10), 1, 0);
}

static void test_rank_test_is_symmetric(void **unused)
{
    (void)unused;
    unsigned seed = (unsigned)time(NULL), first = seed;
    printf("seed %u\n", first);
    for (int round = 0; round < 200; round++) {
        double a[40], b[40];
        size_t n = 1 + (size_t)rand_r(&seed) % 40, m = 1 + (size_t)rand_r(&seed) % 40;
        int range = round % 2 ? 10 : 1 << 30; /* with ties and without */
        for (size_t i = 0; i < 40; i++) {
            a[i] = rand_r(&seed) % range;
            b[i] = rand_r(&seed) % range;
        }
        double p = rank_p(a, n, b, m);
        assert_true(p > 0 && p <= 1);
        check_close(rank_p(b, m, a, n), p, 1e-12);
    }
}

/* If nothing has changed, the share of p <= 1 % is at most about 1 %. */
static void test_false_alarms_are_as_rare_as_promised(void **unused)
{
    (void)unused;
    unsigned seed = 20160; /* fixed: 4000 rounds decide the same each time */
    int alarms = 0;
    for (int round = 0; round < 4000; round++) {
        double a[12], b[12];
        for (size_t i = 0; i < 12; i++) {
            a[i] = rand_r(&seed);
            b[i] = rand_r(&seed);
        }
        alarms += rank_p(a, 12, b, 12) <= 0.01;
    }
    assert_in_range(alarms, 15, 60);
}

static void test_adjusted_p(void **unused)
{
    (void)unused;
    double p[] = {0.01, 0.04, 0.03, 0.005}, one = 0.2;
    assert_int_equal(cb_adjust_p(p, 4), 0);
    const double expected[] = {0.02, 0.04, 0.04, 0.02}; /* 2 0.01, 0.04, 4/3 0.03, 2 0.01 */
    for (int i = 0; i < 4; i++)
        check_close(p[i], expected[i], 1e-12);
    assert_int_equal(cb_adjust_p(&one, 1), 0);
    check_close(one, 0.2, 0);
    assert_int_equal(cb_adjust_p(&one, 0), 0);
}

static void test_student(void **unused)
{
    (void)unused;
    static const struct {
        int freedom;
        double p, t; /* as in every table */
    } rows[] = {{1, 0.05, 12.706}, {1, 0.01, 63.657}, {2, 0.05, 4.303}, {2, 0.01, 9.925},
                {3, 0.01, 5.841},  {4, 0.05, 2.776},  {4, 0.01, 4.604}, {9, 0.01, 3.250},
                {10, 0.05, 2.228}, {29, 0.01, 2.756}, {30, 0.5, 0.683}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++)
        check_close(cb_student_t(rows[i].freedom, rows[i].p), rows[i].t, 0.0006);
}

/* --- Change ----------------------------------------------------------------------------------- */

static struct cb_side side(double low, double median, double high)
{
    return (struct cb_side){20, median, low, high, NULL};
}

static void check_change(struct cb_side from, struct cb_side to, double estimate, double low,
                         double high)
{
    struct cb_change c = cb_change_of(&from, &to);
    check_close(c.estimate, estimate, 1e-9);
    check_close(c.low, low, 1e-9);
    check_close(c.high, high, 1e-9);
}

static void test_change(void **unused)
{
    (void)unused;
    /* an interval without width takes nothing away */
    check_change(side(100, 100, 100), side(105, 110, 115), 0.10, 0.05, 0.15);
    check_change(side(-100, -100, -100), side(-95, -90, -85), 0.10, 0.05, 0.15);
    /* factors 1.03 and 1.04 (ratio: 1.3^2 = ...) add up in quadrature on a logarithmic scale */
    double f = log(1.03), g = log(1.04), d = sqrt(f * f + g * g);
    check_change(side(100 / 1.03, 100, 100 * 1.03), side(200 / 1.04, 200, 200 * 1.04), 1,
                 2 * exp(-d) - 1, 2 * exp(d) - 1);
    /* where a ratio makes no sense, differences do: 3 and 4 make 5 */
    check_change(side(-3, 100, 103), side(-4, 100, 104), 0, -sqrt(104 * 104 + 9) / 100,
                 sqrt(16 + 103 * 103) / 100);
}

static void test_change_from_zero(void **unused)
{
    (void)unused;
    struct cb_side zero = side(0, 0, 0), five = side(4, 5, 6);
    struct cb_change c = cb_change_of(&zero, &five);
    assert_true(isinf(c.estimate) && isinf(c.low) && c.low > 0);
    check_close(cb_change_p(&c), 0, 0);
    check_change(zero, zero, 0, 0, 0);
}

static void test_change_without_interval(void **unused)
{
    (void)unused;
    struct cb_side from = side(NAN, 100, NAN), to = side(105, 110, 115);
    struct cb_change c = cb_change_of(&from, &to);
    check_close(c.estimate, 0.1, 1e-12);
    assert_true(isnan(c.low) && isnan(c.high));
    check_close(cb_change_p(&c), 1, 0);
}

static void test_p_of_an_interval(void **unused)
{
    (void)unused;
    struct cb_change touches_zero = {0.10, 0, 0.20}, twice = {-0.10, -0.15, -0.05};
    check_close(cb_change_p(&touches_zero), 0.05, 1e-9);
    check_close(cb_change_p(&twice), erfc(2 * 1.959963984540054 / sqrt(2)), 1e-12);
}

/* --- Verdicts --------------------------------------------------------------------------------- */

static void test_verdicts(void **unused)
{
    (void)unused;
    static const struct {
        struct cb_evidence e;
        enum cb_verdict verdict;
        enum cb_doubt doubt;
    } rows[] = {
        {{CB_LOWER, {0.10, 0.06, 0.14}, 1e-4, 0, 20, 20, 0}, CB_REGRESSION, CB_DOUBT_NONE},
        {{CB_HIGHER, {0.10, 0.06, 0.14}, 1e-4, 0, 20, 20, 0}, CB_IMPROVEMENT, CB_DOUBT_NONE},
        {{CB_LOWER, {-0.10, -0.14, -0.06}, 1e-4, 0, 20, 20, 0}, CB_IMPROVEMENT, CB_DOUBT_NONE},
        {{CB_HIGHER, {-0.10, -0.14, -0.06}, 1e-4, 0, 20, 20, 0}, CB_REGRESSION, CB_DOUBT_NONE},
        /* the interval need not lie beyond the threshold, the estimate does */
        {{CB_LOWER, {0.06, 0.01, 0.11}, 1e-4, 0, 20, 20, 0}, CB_REGRESSION, CB_DOUBT_NONE},
        /* no difference found is not the same as none */
        {{CB_LOWER, {0.00, -0.04, 0.04}, 0.9, 0, 20, 20, 0}, CB_SAME, CB_DOUBT_NONE},
        {{CB_LOWER, {0.00, -0.08, 0.08}, 0.9, 0, 20, 20, 0}, CB_INCONCLUSIVE, CB_DOUBT_INTERVAL},
        /* significant, yet too small to count */
        {{CB_LOWER, {0.02, 0.01, 0.03}, 1e-9, 0, 20, 20, 0}, CB_SAME, CB_DOUBT_NONE},
        {{CB_LOWER, {0.045, 0.03, 0.06}, 1e-9, 0, 20, 20, 0}, CB_INCONCLUSIVE, CB_DOUBT_NEAR},
        {{CB_LOWER, {0.10, 0.06, 0.14}, 0.02, 0, 20, 20, 0}, CB_INCONCLUSIVE, CB_DOUBT_TEST},
        {{CB_LOWER, {0.10, 0.06, 0.14}, 1e-4, 0.12, 20, 20, 0}, CB_INCONCLUSIVE, CB_DOUBT_SPREAD},
        {{CB_LOWER, {0.10, 0.06, 0.14}, 1e-4, 0, 8, 20, 0}, CB_INCONCLUSIVE, CB_DOUBT_FEW},
        {{CB_LOWER, {0.10, 0.06, 0.14}, 1e-4, 0, 20, 8, 0}, CB_INCONCLUSIVE, CB_DOUBT_FEW},
        {{CB_LOWER, {0.10, NAN, NAN}, 1e-4, 0, 20, 20, 0}, CB_INCONCLUSIVE, CB_DOUBT_FEW},
        {{CB_LOWER, {INFINITY, INFINITY, INFINITY}, 0, 0, 20, 20, 0}, CB_REGRESSION, CB_DOUBT_NONE},
    };
    const struct cb_rule rule = {0.05, 0.01};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        enum cb_doubt doubt;
        enum cb_verdict verdict = cb_judge(&rows[i].e, &rule, &doubt);
        if (verdict != rows[i].verdict || doubt != rows[i].doubt)
            fail_msg("row %zu: %s (%s)", i, cb_verdict_name(verdict), cb_doubt_name(doubt));
    }
}

static unsigned runs(struct cb_evidence e, enum cb_doubt doubt, double needed_p)
{
    const struct cb_rule rule = {0.05, 0.01};
    return cb_runs_to_decide(&e, &rule, doubt, needed_p);
}

static void test_runs_to_decide(void **unused)
{
    (void)unused;
    /* half-width 8 % at 20 runs; 5 % is wanted: 20 1.3 (8 / 5)^2 = 66.56 */
    assert_int_equal(runs((struct cb_evidence){CB_LOWER, {0, -0.08, 0.08}, 1, 0, 20, 20, 0},
                          CB_DOUBT_INTERVAL, 0.01),
                     67);
    /* without an interval there is little to go by */
    assert_int_equal(
        runs((struct cb_evidence){CB_LOWER, {0, NAN, NAN}, 1, 0, 3, 3, 0}, CB_DOUBT_FEW, 0.01), 15);
    /* 2 / (2 n over n) < 1e-6: n = 12, of which it is 7.4e-7 */
    assert_int_equal(runs((struct cb_evidence){CB_LOWER, {0.2, 0.19, 0.21}, 1e-5, 0, 9, 9, 0},
                          CB_DOUBT_TEST, 1e-6),
                     12);
    /* the same of rounds, for which no rank has to be low */
    assert_int_equal(runs((struct cb_evidence){CB_LOWER, {0, -0.08, 0.08}, 1, 0, 200, 200, 10},
                          CB_DOUBT_INTERVAL, 1e-6),
                     34);
    /* no number of runs moves the machine, or a change off the threshold */
    assert_int_equal(runs((struct cb_evidence){CB_LOWER, {0.1, 0.06, 0.14}, 1e-5, 0.2, 20, 20, 0},
                          CB_DOUBT_SPREAD, 0.01),
                     0);
    assert_int_equal(runs((struct cb_evidence){CB_LOWER, {0.05, 0.03, 0.07}, 1e-5, 0, 20, 20, 0},
                          CB_DOUBT_NEAR, 0.01),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_and_three),
        cmocka_unit_test(test_unequal_numbers),
        cmocka_unit_test(test_table_of_ten_and_ten),
        cmocka_unit_test(test_the_largest_exact_numbers),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_rank_test_is_symmetric),
        cmocka_unit_test(test_false_alarms_are_as_rare_as_promised),
        cmocka_unit_test(test_adjusted_p),
        cmocka_unit_test(test_student),
        cmocka_unit_test(test_change),
        cmocka_unit_test(test_change_from_zero),
        cmocka_unit_test(test_change_without_interval),
        cmocka_unit_test(test_p_of_an_interval),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_runs_to_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
