/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks that come with a period.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "apphost/pace.h"
#include "runtime/host/time.h"

#define MS 1e6

/* A late task does not move the time that the next is due. */
static void test_when_tasks_are_due(void **unused)
{
    (void)unused;
    double now = (double)cb_now_ns();
    struct cb_pace pace = cb_pace_begin(40 * MS, now - 100 * MS);
    assert_true(cb_pace_due(&pace) == now - 100 * MS);
    cb_pace_wait(&pace); /* it is due: no wait */
    cb_pace_answered(&pace);
    assert_true(cb_pace_due(&pace) == now - 60 * MS);
    assert_int_equal(pace.tasks, 1);
}

/* Of the tasks due 100, 60 and 20 ms ago, which are answered now, the last is in time. */
static void test_deadlines(void **unused)
{
    (void)unused;
    struct cb_pace pace = cb_pace_begin(40 * MS, (double)cb_now_ns() - 100 * MS);
    cb_pace_answered(&pace);
    assert_int_equal(pace.met, 0);
    cb_pace_answered(&pace);
    assert_int_equal(pace.met, 0);
    pace.begun_ns = (double)cb_now_ns() - 2 * 40 * MS - 1 * MS; /* however slow the machine is */
    cb_pace_answered(&pace);
    assert_int_equal(pace.tasks, 3);
    assert_int_equal(pace.met, 1);
    assert_true(cb_pace_met(&pace) == 1.0 / 3);
}

static void test_period(void **unused)
{
    (void)unused;
    struct cb_pace pace = {
        .period_ns = 40 * MS, .begun_ns = 0, .first_ns = 15 * MS, .last_ns = 135 * MS, .tasks = 3};
    assert_true(cb_pace_period(&pace) == 60 * MS);
    pace = (struct cb_pace){
        .period_ns = 40 * MS, .begun_ns = 0, .first_ns = 15 * MS, .last_ns = 15 * MS, .tasks = 1};
    assert_true(cb_pace_period(&pace) == 40 * MS);
    pace.last_ns = 90 * MS;
    assert_true(cb_pace_period(&pace) == 90 * MS);
}

static void test_waits(void **unused)
{
    (void)unused;
    double due = (double)cb_now_ns() + 5 * MS;
    struct cb_pace pace = cb_pace_begin(10 * MS, due);
    cb_pace_wait(&pace);
    assert_true((double)cb_now_ns() >= due);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_when_tasks_are_due),
        cmocka_unit_test(test_deadlines),
        cmocka_unit_test(test_period),
        cmocka_unit_test(test_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
