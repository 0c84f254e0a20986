/* SPDX-License-Identifier: Apache-2.0
 *
 * How many workgroups a text means.
 */

#include "runtime/discovery.h"
#include "tests/unit/unit.h"

static void means(const char *text, size_t n, size_t expected)
{
    size_t groups = 0;
    struct cb_err err;
    assert_int_equal(cb_groups_parse(text, n, &groups, &err), CB_OK);
    assert_int_equal(groups, expected);
}

TEST(numbers_and_shares)
{
    means("1", 8, 1);
    means("8", 8, 8);
    means("N", 2112, 2112);
    means("N/2", 2112, 1056);
    means("N/8", 9, 1);
    means("N/8", 3, 1); /* at least one */
    means("N/1", 5, 5);
}

TEST(multiples_of_shares)
{
    struct cb_err err;
    size_t groups;
    means("3N/4", 2112, 1584);
    means("3N/4", 7, 5);
    means("2N/3", 1, 1);
    means("4N/4", 9, 9);
    assert_int_equal(cb_groups_parse("5N/4", 8, &groups, &err), CB_UNSUPPORTED);
}

/* All but some, but at least one. */
TEST(rests)
{
    means("N-1", 8, 7);
    means("N-17", 2112, 2095);
    means("N-7", 8, 1);
    means("N-8", 8, 1);
    means("N-99", 8, 1);
    means("N-1", 1, 1);
}

TEST(more_than_run_at_once)
{
    size_t groups = 0;
    struct cb_err err;
    assert_int_equal(cb_groups_parse("9", 8, &groups, &err), CB_UNSUPPORTED);
    assert_string_equal(err.text, "9 workgroups asked for, but only 8 run at once: they could not "
                                  "start together");
}

TEST(nonsense)
{
    static const char *const texts[] = {"",     "0",    "N/0",  "N/",         "M",    "N2",
                                        "-1",   "1.5",  "n",    " 1",         "N-",   "N-0",
                                        "N--1", "N-N",  "N- 1", "9999999999", "N/N",  "N+1",
                                        "2N",   "0N/4", "3N-1", "3N/",        "3/4N", "3N/4 "};
    for (size_t i = 0; i < CB_COUNTOF(texts); i++) {
        struct cb_err err = {0};
        assert_int_equal(cb_groups_parse(texts[i], 0, NULL, &err), CB_USAGE);
    }
}
