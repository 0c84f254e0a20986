/* SPDX-License-Identifier: Apache-2.0
 *
 * How long a run may take: once it is known how long runs of its group take, not much longer.
 */
#include "checks.h"
#include "tests/unit/unit.h"

#include "measure/process/deadline.h"

static struct cb_case cases[4];

static int setup(void **state)
{
    (void)state;
    static const int groups[CB_COUNTOF(cases)] = {1, 1, 2, 0};
    for (size_t i = 0; i < CB_COUNTOF(cases); i++)
        cases[i] =
            (struct cb_case){.group = groups[i], .run_deadline_s = 300, .least_deadline_s = 30};
    return 0;
}

static void assert_deadline(const struct cb_known_runs *known, int i, double deadline_s)
{
    assert_float_equal(cb_known_runs_deadline(known, &cases[i]), deadline_s, 1e-9);
}

TEST_WITH(nothing_is_known, setup, NULL)
{
    struct cb_known_runs known = {0};
    for (int i = 0; i < 4; i++)
        assert_deadline(&known, i, 300);
}

TEST_WITH(runs_of_the_group_lower_it, setup, NULL)
{
    struct cb_known_runs known = {0};
    cb_known_runs_ended(&known, &cases[0], 0.002);
    assert_deadline(&known, 0, 30);
    assert_deadline(&known, 1, 30);
    assert_deadline(&known, 2, 300); /* of another group */
    assert_deadline(&known, 3, 300);
}

/* On a machine that is busy, runs are long, and so are deadlines. */
TEST_WITH(the_longest_run_counts, setup, NULL)
{
    struct cb_known_runs known = {0};
    cb_known_runs_ended(&known, &cases[0], 1.5);
    cb_known_runs_ended(&known, &cases[1], 0.5);
    assert_deadline(&known, 0, 150);
    cb_known_runs_ended(&known, &cases[0], 20);
    assert_deadline(&known, 1, 300); /* never longer than without */
}

TEST_WITH(another_group_begins_anew, setup, NULL)
{
    struct cb_known_runs known = {0};
    cb_known_runs_ended(&known, &cases[0], 1.5);
    cb_known_runs_ended(&known, &cases[2], 0.5);
    assert_deadline(&known, 2, 50);
    assert_deadline(&known, 0, 300);
    cb_known_runs_ended(&known, &cases[3], 0.6); /* on its own: the same case only */
    assert_deadline(&known, 3, 60);
    struct cb_case alone = cases[3];
    assert_float_equal(cb_known_runs_deadline(&known, &alone), 300, 0);
}

TEST_WITH(a_lost_run_lowers_that_of_others, setup, NULL)
{
    struct cb_known_runs known = {0};
    cb_known_runs_lost(&known, &cases[0], 300);
    assert_deadline(&known, 1, 60);
    assert_deadline(&known, 2, 300);
    cb_known_runs_ended(&known, &cases[1], 2.5); /* this counts more */
    assert_deadline(&known, 0, 250);
}

/* A deadline stays if --run-deadline gave it, or if a benchmark's runs are not alike. */
TEST_WITH(one_that_is_given_stays, setup, NULL)
{
    struct cb_known_runs known = {0};
    cases[0].least_deadline_s = 0;
    cb_known_runs_ended(&known, &cases[0], 0.002);
    assert_deadline(&known, 0, 300);
    assert_deadline(&known, 1, 30);
}
