/* SPDX-License-Identifier: Apache-2.0
 *
 * The progress bar fits its line, whatever there is to tell.
 */

#include <math.h>
#include <string.h>

#include "measure/progress.h"
#include "tests/unit/unit.h"

static const struct cb_progress_bar eleventh = {
    .order = 10,
    .n_cases = 40,
    .id = "discover/ticket/wg=1024/delay=adaptive",
    .runs = 12,
    .of_runs = 50,
    .elapsed_s = 20,
    .left_s = 60,
};

static void assert_line(const struct cb_progress_bar *bar, int width, const char *expected)
{
    char line[256];
    cb_progress_format(bar, width, line, sizeof line);
    assert_string_equal(line, expected);
}

TEST(all_is_told_where_there_is_room)
{
    const char *whole = "[11/40] discover/ticket/wg=1024/delay=adaptive  run 12/50  20 s, "
                        "about 60 s left";
    assert_line(&eleventh, 1000, whole);
    assert_line(&eleventh, (int)strlen(whole), whole);
}

TEST(the_id_is_cut_in_the_middle)
{
    assert_line(&eleventh, 79,
                "[11/40] discover/ticket/w...24/delay=adaptive  run 12/50  20 s, about 60 s left");
}

TEST(then_the_time_that_passed_goes)
{
    assert_line(&eleventh, 60, "[11/40] discover/tick...delay=adaptive  run 12/50  60 s left");
    assert_line(&eleventh, 40, "[11/40] dis...tive  run 12/50  60 s left");
}

TEST(then_the_id_goes)
{
    assert_line(&eleventh, 32, "[11/40] run 12/50  60 s left");
    assert_line(&eleventh, 12, "[11/40] run ");
    assert_line(&eleventh, 0, "");
}

TEST(what_is_not_known_is_not_told)
{
    struct cb_progress_bar bar = {.n_cases = 3, .id = "bench/case", .elapsed_s = 4, .left_s = NAN};
    assert_line(&bar, 79, "[1/3] bench/case  run 0  4 s");
    bar.of_runs = 5;
    assert_line(&bar, 79, "[1/3] bench/case  run 0/5  4 s");
    assert_line(&bar, 20, "[1/3] run 0/5  4 s");
}

TEST(long_times_are_in_minutes_and_hours)
{
    struct cb_progress_bar bar = {.n_cases = 3, .id = "a", .elapsed_s = 4, .left_s = 100};
    assert_line(&bar, 79, "[1/3] a  run 0  4 s, about 2 min left");
    bar.left_s = 6000;
    assert_line(&bar, 79, "[1/3] a  run 0  4 s, about 2 h left");
}

TEST(what_takes_long_is_told_with_its_end)
{
    struct cb_progress_bar bar = eleventh;
    bar.doing = "running (--run-deadline)";
    bar.waited_s = 12;
    bar.deadline_s = 300;
    assert_line(&bar, 1000,
                "[11/40] discover/ticket/wg=1024/delay=adaptive  running (--run-deadline): 12 s, "
                "given up after 300 s");
    assert_line(&bar, 60, "[11/40] discov...aptive  running: 12 s, given up after 300 s");
}

TEST(no_width_is_exceeded)
{
    struct cb_progress_bar bar = eleventh;
    char line[128];
    for (bar.order = 0; bar.order < bar.n_cases; bar.order++)
        for (int width = 0; width < 120; width++) {
            cb_progress_format(&bar, width, line, sizeof line);
            assert_true(strlen(line) <= (size_t)width);
        }
    cb_progress_format(&eleventh, 1000, line, 10); /* nor is a buffer */
    assert_string_equal(line, "[11/40] d");
}
