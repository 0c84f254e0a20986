/* SPDX-License-Identifier: Apache-2.0
 *
 * A unit test is a file of TEST(name) {...}: all of a file are run, in its order. All files are one
 * program, whose main() is in unit.c: `units test_offers` runs those of test_offers.c, and
 * `units test_offers name` one of them.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct unit_test {
    const char *file,
        *name; /* the path of the source; NULL: set-up and tear-down of a whole file */
    void (*run)(void **state);
    int (*before)(void **state), (*after)(void **state); /* NULL: nothing to do */
};

/* Adds a test, or with ALL_TESTS what is done once for a file; no more than UNIT_MOST in all. */
void unit_add(struct unit_test test);

#define UNIT_ADD(id, ...)                                                                          \
    __attribute__((constructor)) static void unit_add_##id(void)                                   \
    {                                                                                              \
        unit_add((struct unit_test){__FILE__, __VA_ARGS__});                                       \
    }

#define TEST(id) TEST_WITH(id, NULL, NULL)

/* A test with cmocka's set-up and tear-down of its own. */
#define TEST_WITH(id, before, after)                                                               \
    static void test_##id(void **state);                                                           \
    UNIT_ADD(id, #id, test_##id, before, after)                                                    \
    static void test_##id(__attribute__((unused)) void **state)

/* Runs `before` before the first test of the file, and `after` after its last. */
#define ALL_TESTS(before, after) UNIT_ADD(all_tests, NULL, NULL, before, after)
