/* SPDX-License-Identifier: Apache-2.0 */

#include <math.h>
#include <stdio.h>

#include "analysis/documents/history.h"
#include "tests/unit/unit.h"

/* A run with one metric; half: of its interval, negative for none. */
static cJSON *make_run(double median, double half, const char *better, const char *driver)
{
    char text[1024], interval[128] = "";
    if (half >= 0)
        snprintf(interval, sizeof interval, ", \"ci95_low\": %g, \"ci95_high\": %g", median - half,
                 median + half);
    snprintf(text, sizeof text,
             "{\"host\": {\"hostname\": \"h\"}, \"devices\": [{\"id\": \"name:d\", \"name\": \"D\","
             "\"driver_version\": \"%s\"}], \"cases\": [{\"id\": \"a/b\", \"device\": \"name:d\","
             "\"status\": \"ok\", \"metrics\": [{\"name\": \"t\", \"unit\": \"ns\","
             "\"better\": \"%s\", \"n\": 20, \"median\": %g%s}]}]}",
             driver, better, median, interval);
    cJSON *run = cJSON_Parse(text);
    assert_non_null(run);
    return run;
}

static void check(cJSON *before, cJSON *after, enum cb_mark expected)
{
    const cJSON *runs[] = {before, after};
    struct cb_export e;
    assert_int_equal(cb_export_open(&e, runs, 2, NULL), CB_OK);
    assert_int_equal(e.n_rows, 2);
    assert_int_equal(cb_mark_of(&e.rows[0]), CB_MARK_NONE);
    assert_true(isnan(cb_history_change(&e.rows[0])));
    assert_int_equal(cb_mark_of(&e.rows[1]), expected);
    cb_export_close(&e);
    cJSON_Delete(before);
    cJSON_Delete(after);
}

TEST(marks)
{
    check(make_run(100, 1, "lower", "1"), make_run(110, 1, "lower", "1"), CB_MARK_WORSE);
    check(make_run(100, 1, "lower", "1"), make_run(90, 1, "lower", "1"), CB_MARK_BETTER);
    check(make_run(100, 1, "higher", "1"), make_run(110, 1, "higher", "1"), CB_MARK_BETTER);
    check(make_run(100, 1, "higher", "1"), make_run(90, 1, "higher", "1"), CB_MARK_WORSE);
    check(make_run(100, 1, "none", "1"), make_run(90, 1, "none", "1"), CB_MARK_CHANGED);
}

TEST(no_marks)
{
    /* small, within the noise, without intervals, from zero, on another driver */
    check(make_run(100, 1, "lower", "1"), make_run(104, 1, "lower", "1"), CB_MARK_NONE);
    check(make_run(100, 9, "lower", "1"), make_run(110, 9, "lower", "1"), CB_MARK_NONE);
    check(make_run(100, -1, "lower", "1"), make_run(200, 1, "lower", "1"), CB_MARK_NONE);
    check(make_run(100, 1, "lower", "1"), make_run(200, -1, "lower", "1"), CB_MARK_NONE);
    check(make_run(0, 0, "lower", "1"), make_run(200, 1, "lower", "1"), CB_MARK_NONE);
    check(make_run(100, 1, "lower", "1"), make_run(200, 1, "lower", "2"), CB_MARK_OTHER);
}
