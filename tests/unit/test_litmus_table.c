/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of litmus tests, and how sure a test that shows nothing is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "benchmarks/litmus/table.h"

static void allows(const char *tests, const char *order, bool expected)
{
    char list[64], *rest = list;
    strcpy(list, tests);
    for (char *name; (name = strsep(&rest, ","));) {
        const struct cb_litmus_test *test = cb_litmus_test_named(name);
        assert_non_null(test);
        if (cb_litmus_allows(test, cb_litmus_order_named(order)) != expected)
            fail_msg("%s, %s", name, order);
    }
}

static void test_orders(void **unused)
{
    (void)unused;
    allows("MP,LB,S,SB,R,2+2W,IRIW", "relaxed", true);
    allows("MP,LB,S", "fences", false);
    allows("MP,LB,S", "acqrel", false);
    allows("SB,R,2+2W,IRIW", "fences", true);
    allows("SB,R,2+2W,IRIW", "acqrel", true);
    for (int i = 0; i < CB_LITMUS_N_ORDERS; i++) {
        allows("CoRR,CoWR", cb_litmus_order_name(i), false);
        assert_int_equal(cb_litmus_order_named(cb_litmus_order_name(i)), i);
    }
    assert_int_equal(cb_litmus_order_named("seq_cst"), -1);
    assert_null(cb_litmus_test_named("mp"));
}

static void test_names(void **unused)
{
    (void)unused;
    char list[64] = "";
    int n = 0;
    for (const struct cb_litmus_test *t = cb_litmus_tests; t->name; t++) {
        assert_int_equal(t->kind, n++);
        strcat(strcat(list, n > 1 ? "," : ""), t->name);
        assert_true(t->threads == 2 || t->threads == 4); /* a power of two */
        assert_true(t->n_weak <= sizeof t->weak / sizeof *t->weak);
    }
    assert_string_equal(list, CB_LITMUS_TESTS);
    assert_int_equal(n, CB_LITMUS_KINDS);
}

static void test_mutants(void **unused)
{
    (void)unused;
    char list[64] = "";
    for (const struct cb_litmus_test *t = cb_litmus_tests; t->name; t++)
        if (cb_litmus_is_mutant(t))
            strcat(strcat(list, " "), t->name);
    assert_string_equal(list, " MP LB S");
}

static void digits_are(const char *name, uint64_t mask, uint64_t weak)
{
    uint64_t is_mask, is_weak;
    cb_litmus_weak_digits(cb_litmus_test_named(name), &is_mask, &is_weak);
    assert_int_equal(is_mask, mask);
    assert_int_equal(is_weak, weak);
}

static void test_digits(void **unused)
{
    (void)unused;
    digits_are("MP", 0xff00, 0x0100);          /* thread 1 reads 1, then 0 */
    digits_are("LB", 0x0f0f, 0x0101);          /* both read 1 */
    digits_are("SB", 0x0f0f, 0x0000);          /* both read 0 */
    digits_are("S", 0xf00000f00, 0x200000100); /* thread 1 reads 1, x is 2 */
    digits_are("2+2W", 0xff00000000, 0x1100000000);
    digits_are("IRIW", 0xffff0000, 0x01010000);
}

static void test_missed(void **unused)
{
    (void)unused;
    assert_true(fabs(cb_litmus_missed(0.5, 2) - 0.25) < 1e-12);
    assert_true(fabs(cb_litmus_missed(1e-6, 3e6) - exp(-3)) < 1e-6);
    assert_true(cb_litmus_missed(1, 1) == 0);
    assert_true(cb_litmus_missed(1e-3, 1e9) == 0);
    assert_true(isnan(cb_litmus_missed(0, 1e9)));
    assert_true(isnan(cb_litmus_missed(NAN, 1)));
    assert_true(isnan(cb_litmus_missed(0.5, NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),  cmocka_unit_test(test_names),
        cmocka_unit_test(test_mutants), cmocka_unit_test(test_digits),
        cmocka_unit_test(test_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
