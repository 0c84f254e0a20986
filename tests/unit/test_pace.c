/* SPDX-License-Identifier: Apache-2.0
 *
 * When tasks come.
 */

#include "apps/host/pace.h"
#include "runtime/host/time.h"
#include "tests/unit/unit.h"

#define MS 1e6

static struct cb_pace begin(double period_ns, double first_ns)
{
    const struct cb_arrivals arrivals = {.period_ns = period_ns};
    return cb_pace_begin(&arrivals, first_ns);
}

/* A late task does not move the time that the next is due. */
TEST(when_tasks_are_due)
{
    double now = (double)cb_now_ns();
    struct cb_pace pace = begin(40 * MS, now - 100 * MS);
    assert_true(cb_pace_due(&pace) == now - 100 * MS);
    cb_pace_wait(&pace); /* it is due: no wait */
    cb_pace_answered(&pace);
    assert_true(cb_pace_due(&pace) == now - 60 * MS);
    assert_int_equal(pace.tasks, 1);
}

/* Tasks were due 100, 60 and 20 ms ago and are answered now: the last is in time. */
TEST(deadlines)
{
    struct cb_pace pace = begin(40 * MS, (double)cb_now_ns() - 100 * MS);
    cb_pace_answered(&pace);
    assert_int_equal(pace.met, 0);
    cb_pace_answered(&pace);
    assert_int_equal(pace.met, 0);
    pace.due_ns = (double)cb_now_ns() - 1 * MS; /* however slow the machine is */
    cb_pace_answered(&pace);
    assert_int_equal(pace.tasks, 3);
    assert_int_equal(pace.met, 1);
    assert_true(cb_pace_met(&pace) == 1.0 / 3);
}

TEST(period)
{
    struct cb_pace pace = begin(40 * MS, 0);
    pace.first_ns = 15 * MS;
    pace.last_ns = 135 * MS;
    pace.tasks = 3;
    assert_true(cb_pace_period(&pace) == 60 * MS);
    pace.last_ns = 15 * MS;
    pace.tasks = 1;
    assert_true(cb_pace_period(&pace) == 40 * MS);
    pace.last_ns = 90 * MS;
    assert_true(cb_pace_period(&pace) == 90 * MS);
}

/* Independent of each other: a third and more of the distances are shorter than a half of their
 * mean, a tenth and more longer than twice that. */
TEST(poisson)
{
    const unsigned n = 2000;
    unsigned is_short = 0, is_long = 0;
    const struct cb_arrivals arrivals = {.kind = CB_ARRIVALS_POISSON, .period_ns = 3 * MS};
    struct cb_pace pace = cb_pace_begin(&arrivals, 0);
    for (unsigned i = 0; i < n; i++) {
        double before = cb_pace_due(&pace);
        cb_pace_answered(&pace);
        double distance = cb_pace_due(&pace) - before;
        is_short += distance < 1.5 * MS;
        is_long += distance > 6 * MS;
    }
    assert_true(cb_pace_due(&pace) > 0.9 * n * 3 * MS && cb_pace_due(&pace) < 1.1 * n * 3 * MS);
    assert_in_range(is_short, n / 3, n / 2);
    assert_in_range(is_long, n / 10, n / 5);
}

TEST(closed)
{
    const struct cb_arrivals arrivals = {
        .kind = CB_ARRIVALS_CLOSED, .period_ns = 5 * MS, .deadline_ns = 1e15};
    struct cb_pace pace = cb_pace_begin(&arrivals, 0);
    cb_pace_answered(&pace);
    assert_true(cb_pace_due(&pace) == pace.last_ns + 5 * MS);
    assert_int_equal(pace.met, 1);
}

TEST(times)
{
    const double times_ns[] = {2 * MS, 3 * MS, 9 * MS};
    const struct cb_arrivals arrivals = {
        .kind = CB_ARRIVALS_TIMES, .period_ns = 4 * MS, .times_ns = times_ns, .n_times = 3};
    const double due[] = {100, 101, 107, 111, 112, 118, 122};
    struct cb_pace pace = cb_pace_begin(&arrivals, 100 * MS);
    for (int i = 0; i < 7; i++) {
        assert_true(cb_pace_due(&pace) == due[i] * MS);
        cb_pace_answered(&pace);
    }
}

TEST(waits)
{
    double due = (double)cb_now_ns() + 5 * MS;
    struct cb_pace pace = begin(10 * MS, due);
    cb_pace_wait(&pace);
    assert_true((double)cb_now_ns() >= due);
}
