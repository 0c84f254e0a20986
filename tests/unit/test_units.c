/* SPDX-License-Identifier: Apache-2.0
 *
 * Quantities for people: three digits, and never four by rounding.
 */

#include <math.h>
#include <string.h>

#include "measure/text/units.h"
#include "tests/unit/unit.h"

static void is_time(double ns, const char *expected)
{
    char text[32];
    cb_format_time(text, sizeof text, ns);
    assert_string_equal(text, expected);
}

TEST(few_digits)
{
    is_time(0, "0.00 ns");
    is_time(0.004, "0.00 ns");
    is_time(0.5, "0.50 ns");
    is_time(1, "1.00 ns");
    is_time(9.994, "9.99 ns");
    is_time(9.996, "10.0 ns");
    is_time(99.94, "99.9 ns");
    is_time(99.96, "100 ns");
    is_time(139, "139 ns");
}

TEST(units)
{
    is_time(999.4, "999 ns");
    is_time(999.6, "1.00 µs");
    is_time(9994, "9.99 µs");
    is_time(9996, "10.0 µs");
    is_time(99.96e3, "100 µs");
    is_time(999.4e3, "999 µs");
    is_time(999.6e3, "1.00 ms");
    is_time(40e6, "40.0 ms");
    is_time(999.6e6, "1.00 s");
    is_time(1e9, "1.00 s");
    is_time(3600e9, "3600 s"); /* there is no greater unit */
}

TEST(no_numbers)
{
    is_time((double)NAN, "");
    is_time((double)INFINITY, "");
    is_time(-(double)INFINITY, "");
}

static void is_quantity(double value, const char *expected)
{
    char text[32];
    cb_format_quantity(text, sizeof text, value, "J");
    assert_string_equal(text, expected);
}

TEST(quantities)
{
    is_quantity(0, "0.00 J");
    is_quantity(1, "1.00 J");
    is_quantity(0.0123, "12.3 mJ");
    is_quantity(0.99949, "999 mJ");
    is_quantity(0.99951, "1.00 J");
    is_quantity(999.6, "1.00 kJ");
    is_quantity(2.5e-7, "250 nJ");
    is_quantity(1e-12, "0.00 nJ");
    is_quantity(12.34e12, "12.3 TJ");
    is_quantity(5e15, "5000 TJ");
    is_quantity((double)NAN, "");
    is_quantity((double)INFINITY, "");
}

TEST(little_room)
{
    char text[8];
    memset(text, 'x', sizeof text);
    cb_format_time(text, 5, 139);
    assert_string_equal(text, "139 ");
    assert_int_equal(text[5], 'x');
}

TEST(durations)
{
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"90s", 90}, {"30m", 1800}, {"1.5h", 5400}, {"1d", 86400}, {".5s", 0.5}};
    static const char *const bad[] = {"",      "s",     "5",      "-1h",  "+1h",  " 1h",
                                      "1 h",   "1h30m", "0s",     "infs", "1e9d", "nanh",
                                      "0x1ph", "1.",    "1.2.3s", "9999d"};
    double seconds;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(cb_read_duration(good[i].text, &seconds));
        assert_float_equal(seconds, good[i].seconds, 1e-9);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(cb_read_duration(bad[i], &seconds));
}

TEST(whole_percent)
{
    assert_int_equal(cb_whole_percent(0.0878), 8);
    assert_int_equal(cb_whole_percent(0.29), 29);
    assert_int_equal(cb_whole_percent(0.9999), 99);
    assert_int_equal(cb_whole_percent(1), 100);
    assert_int_equal(cb_whole_percent(0), 0);
}

TEST(counts)
{
    static const struct {
        double n;
        const char *text;
    } rows[] = {{0, "0 colours"},
                {1, "1 colour"},
                {7, "7 colours"},
                {2679.5, "2679.5 colours"},
                {25769803770, "25769803770 colours"}};
    char text[64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cb_format_count(text, sizeof text, rows[i].n, "colour", "colours");
        assert_string_equal(text, rows[i].text);
    }
    cb_format_count(text, sizeof text, 3, NULL, NULL);
    assert_string_equal(text, "3");
}
