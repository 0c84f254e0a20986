/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of litmus tests, and how sure a test that shows nothing is.
 */

#include <math.h>
#include <string.h>

#include "probes/litmus/chance.h"
#include "probes/litmus/table.h"
#include "tests/unit/unit.h"

TEST(orders)
{
    for (int i = 0; i < CB_LITMUS_N_ORDERS; i++)
        assert_int_equal(cb_litmus_order_named(cb_litmus_order_name(i)), i);
    assert_int_equal(cb_litmus_order_named("seq_cst"), -1);
    assert_int_equal(cb_litmus_scope_named("subgroup"), CB_LITMUS_SUBGROUP);
    assert_int_equal(cb_litmus_scope_named("device"), -1);
    assert_null(cb_litmus_test_named("mp"));
}

TEST(names)
{
    char list[256] = "";
    int n = 0;
    for (const struct cb_litmus_test *t = cb_litmus_tests; t->name; t++) {
        assert_int_equal(t->kind, n++);
        strcat(strcat(list, n > 1 ? "," : ""), t->name);
        const unsigned threads = cb_litmus_threads(t);
        assert_int_equal(cb_litmus_parts(t), threads == 2 ? 2 : 4);
        assert_true(threads >= 2 && threads <= 4);
    }
    assert_string_equal(list, CB_LITMUS_TESTS);
    assert_int_equal(n, CB_LITMUS_KINDS);
}

static void digits_are(const char *name, uint64_t mask, uint64_t weak)
{
    uint64_t is_mask, is_weak;
    cb_litmus_weak_digits(cb_litmus_test_named(name), &is_mask, &is_weak);
    assert_int_equal(is_mask, mask);
    assert_int_equal(is_weak, weak);
}

TEST(digits)
{
    digits_are("MP", 0xff00, 0x0100);            /* thread 1 reads 1, then 0 */
    digits_are("LB", 0x0f0f, 0x0101);            /* both read 1 */
    digits_are("SB", 0x0f0f, 0x0000);            /* both read 0 */
    digits_are("S", 0xf00000f00, 0x200000100);   /* thread 1 reads 1, x is 2 */
    digits_are("R", 0xf000000f00, 0x2000000000); /* thread 1 reads 0, y is 2 */
    digits_are("2+2W", 0xff00000000, 0x1100000000);
    digits_are("CoRR", 0xff00, 0x0100);
    digits_are("CoWR", 0xf0000000f, 0x100000002); /* thread 0 reads 2, x is 1 */
    digits_are("IRIW", 0xffff0000, 0x01010000);
    digits_are("ISA2", 0xff0f00, 0x010100);
    digits_are("Z6.3", 0xf000ff0000, 0x2000010000);
}

static void text_is(const char *name, uint64_t digits, const char *expected)
{
    char text[CB_LITMUS_OUTCOME_BYTES];
    cb_litmus_outcome_text(cb_litmus_test_named(name), digits, text);
    assert_string_equal(text, expected);
}

/* All that the weak outcome names, and so all of which there are two possibilities. */
TEST(texts)
{
    text_is("MP", 0x1100000100, "r0=1 r1=0");
    text_is("S", 0x1200000100, "r0=1 x=2");
    text_is("2+2W", 0x2100000000, "x=1 y=2");
    for (const struct cb_litmus_test *t = cb_litmus_tests; t->name; t++) {
        uint64_t mask, weak;
        cb_litmus_weak_digits(t, &mask, &weak);
        text_is(t->name, weak, t->outcome);
    }
}

static double least(double weak, double all)
{
    return cb_litmus_least((struct cb_litmus_units){all, weak});
}

/* Clopper and Pearson's bounds of 3 of 33 and 500 of 1000, by the sum of binomials with 60 digits.
 */
#define LEAST_3_33     0.02523891918349649
#define LEAST_500_1000 0.4735177312356912

/* Those of 1 and of all have closed forms. */
TEST(least)
{
    for (double n = 1; n < 1e6; n *= 7) {
        assert_true(fabs(least(n, n) - pow(0.05, 1 / n)) < 1e-9);
        assert_true(fabs(least(1, n) / -expm1(log(0.95) / n) - 1) < 1e-6);
    }
    assert_true(fabs(least(3, 33) - LEAST_3_33) < 1e-9);
    assert_true(fabs(least(500, 1000) - LEAST_500_1000) < 1e-9);
    assert_true(least(0, 33) == 0);
    assert_true(least(NAN, 33) == 0);
    assert_true(least(3, NAN) == 0);
    assert_true(least(4, 3) == 0);
}

/* What was seen in no more than 3 of 33 is missed by 33 with a chance of 0.043, if it comes that
 * often; but it may well come less often. */
TEST(missed)
{
    const struct cb_litmus_units seen = {33, 3}, never = {33, 0}, unknown = {33, NAN};
    const double missed = cb_litmus_missed(seen, 33);
    assert_true(fabs(missed - pow(1 - LEAST_3_33, 33)) < 1e-9);
    assert_true(missed > pow(30.0 / 33, 33));
    assert_true(cb_litmus_missed(seen, 330) < missed);
    assert_true(isnan(cb_litmus_missed(never, 1e9)));
    assert_true(isnan(cb_litmus_missed(unknown, 1)));
    assert_true(isnan(cb_litmus_missed(seen, NAN)));
    assert_true(fabs(cb_litmus_most(10) - (1 - pow(0.05, 0.1))) < 1e-12);
}
