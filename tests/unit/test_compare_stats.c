/* SPDX-License-Identifier: Apache-2.0
 *
 * The statistics of a comparison against values that can be worked out by hand.
 */
#include "checks.h"
#include "tests/unit/unit.h"

#include <stdio.h>

#include "analysis/compare/many_tests.h"
#include "analysis/compare/student.h"
#include "analysis/compare/verdict.h"

TEST(adjusted_p)
{
    double p[] = {0.01, 0.04, 0.03, 0.005}, one = 0.2;
    assert_int_equal(cb_adjust_p(p, 4), 0);
    const double expected[] = {0.02, 0.04, 0.04, 0.02}; /* 2 0.01, 0.04, 4/3 0.03, 2 0.01 */
    for (int i = 0; i < 4; i++)
        check_close(p[i], expected[i], 1e-12);
    assert_int_equal(cb_adjust_p(&one, 1), 0);
    check_close(one, 0.2, 0);
    assert_int_equal(cb_adjust_p(&one, 0), 0);
}

TEST(holm)
{
    double p[] = {0.01, 0.04, 0.03, 0.005, 0.9}, one = 0.2;
    assert_int_equal(cb_adjust_p_holm(p, 5), 0);
    const double expected[] = {0.04, 0.09, 0.09, 0.025, 0.9}; /* 4 0.01, 3 0.03, 3 0.03, 5 0.005 */
    for (int i = 0; i < 5; i++)
        check_close(p[i], expected[i], 1e-12);
    assert_int_equal(cb_adjust_p_holm(&one, 1), 0);
    check_close(one, 0.2, 0);
    assert_int_equal(cb_adjust_p_holm(&one, 0), 0);
}

TEST(student)
{
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

TEST(change)
{
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

TEST(change_from_zero)
{
    struct cb_side zero = side(0, 0, 0), five = side(4, 5, 6);
    struct cb_change c = cb_change_of(&zero, &five);
    assert_true(isinf(c.estimate) && isinf(c.low) && c.low > 0);
    check_close(cb_change_p(&c), 0, 0);
    check_change(zero, zero, 0, 0, 0);
}

TEST(change_without_interval)
{
    struct cb_side from = side(NAN, 100, NAN), to = side(105, 110, 115);
    struct cb_change c = cb_change_of(&from, &to);
    check_close(c.estimate, 0.1, 1e-12);
    assert_true(isnan(c.low) && isnan(c.high));
    check_close(cb_change_p(&c), 1, 0);
}

TEST(p_of_an_interval)
{
    struct cb_change touches_zero = {0.10, 0, 0.20}, twice = {-0.10, -0.15, -0.05};
    check_close(cb_change_p(&touches_zero), 0.05, 1e-9);
    check_close(cb_change_p(&twice), erfc(2 * 1.959963984540054 / sqrt(2)), 1e-12);
}

/* --- Verdicts --------------------------------------------------------------------------------- */

TEST(verdicts)
{
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

static unsigned rounds(struct cb_evidence e, enum cb_doubt doubt)
{
    const struct cb_rule rule = {0.05, 0.01};
    return cb_rounds_to_decide(&e, &rule, doubt);
}

TEST(rounds_to_decide)
{
    /* half-width 8 % at 10 rounds; 5 % is wanted: 10 1.3 (8 / 5)^2 = 33.28 */
    assert_int_equal(rounds((struct cb_evidence){CB_LOWER, {0, -0.08, 0.08}, 1, 0, 200, 200, 10},
                            CB_DOUBT_INTERVAL),
                     34);
    /* the same of runs that were no rounds: there is nothing to go by */
    assert_int_equal(rounds((struct cb_evidence){CB_LOWER, {0, NAN, NAN}, NAN, 0, 20, 20, 0},
                            CB_DOUBT_ONE_PROCESS),
                     CB_ADVISED_ROUNDS);
    /* one sample a round: nine are needed */
    assert_int_equal(
        rounds((struct cb_evidence){CB_LOWER, {0, -0.01, 0.01}, 1, 0, 5, 5, 5}, CB_DOUBT_FEW),
        CB_ADVISED_ROUNDS);
    /* no number of rounds moves the machine, or a change off the threshold */
    assert_int_equal(
        rounds((struct cb_evidence){CB_LOWER, {0.1, 0.06, 0.14}, 1e-5, 0.2, 20, 20, 10},
               CB_DOUBT_SPREAD),
        0);
    assert_int_equal(rounds((struct cb_evidence){CB_LOWER, {0.05, 0.03, 0.07}, 1e-5, 0, 20, 20, 10},
                            CB_DOUBT_NEAR),
                     0);
}
