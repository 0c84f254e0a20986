/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs against baselines of one process each, and many cases.
 */
#include "compare_fixture.h"
#include "random_fixture.h"
#include "tests/unit/unit.h"

/* --- Single processes ------------------------------------------------------------------------- */

static cJSON *run_of_one_process(double median)
{
    return run_of_rounds(median, 0, 0);
}

/* Neither a change nor its absence, however clear the samples of the two are. */
TEST_WITH(one_process, setup, teardown)
{
    static const double medians[] = {100, 100.1, 200};
    for (size_t i = 0; i < CB_COUNTOF(medians); i++) {
        load(run_of_one_process(100));
        load(run_of_one_process(medians[i]));
        untested(CB_DOUBT_ONE_PROCESS);
        while (n_tables > 0)
            cb_run_table_free(&tables[--n_tables]);
    }
}

TEST_WITH(one_process_on_one_side, setup, teardown)
{
    load(run_of_rounds(100, 0.001, 10));
    load(run_of_one_process(110));
    untested(CB_DOUBT_ONE_PROCESS);
}

TEST_WITH(two_baselines_of_one_process, setup, teardown)
{
    load(run_of_one_process(100));
    load(run_of_one_process(101));
    load(run_of_one_process(200));
    untested(CB_DOUBT_ONE_PROCESS);
}

/* x = log(120 / 100) lies x / (s sqrt(4 / 3)) = 15.79 errors off, of 2 degrees of freedom. */
TEST_WITH(baselines_of_one_process, setup, teardown)
{
    load(run_of_one_process(99));
    load(run_of_one_process(100));
    load(run_of_one_process(101));
    load(run_of_one_process(120));
    const struct cb_comparison *row = only(CB_REGRESSION);
    assert_int_equal(row->method, CB_BY_RUNS);
    assert_int_equal(comparisons.decidable, 1);
    assert_true(fabs(row->evidence.change.estimate - 0.20004) < 1e-5);
    assert_true(fabs(row->p - cb_student_p(2, 15.79)) < 1e-5);
    double half = 4.3027 * 0.0100005 * sqrt(4 / 3.);
    assert_true(fabs(log1p(row->evidence.change.low) - (log(1.20004) - half)) < 1e-4);
}

/* If nothing has changed, the share of p <= 1 % is about 1 %, also between processes that differ by
 * 5 % and have samples that tell their own to 0.1 %. */
TEST_WITH(one_more_of_the_baselines, setup, teardown)
{
    struct cb_random random = {20160}; /* fixed: the same each time */
    int found = 0;
    const struct cb_compare_rules rules = {.alpha = 0.01};
    for (int k = 0; k < 2000; k++) {
        struct cb_measurement runs[6] = {0}, *bases[5];
        struct cb_comparison row = {0};
        for (int i = 0; i < 6; i++) {
            double median = 100 * exp(0.05 * random_normal(&random));
            runs[i].side = (struct cb_side){20, median, 0.999 * median, 1.001 * median, NULL};
            if (i < 5)
                bases[i] = &runs[i];
        }
        assert_true(cb_pool(&row, bases, 5, &runs[5], &rules));
        assert_int_equal(row.method, CB_BY_RUNS);
        found += row.p <= 0.01;
    }
    assert_in_range(found, 8, 34);
}

/* Rounds of one sitting do not tell what another will bring; baselines of several do. */
TEST_WITH(rounds_of_several_baselines, setup, teardown)
{
    load(run_of_rounds(100, 0.001, 10));
    load(run_of_rounds(108, 0.001, 10));
    load(run_of_rounds(112, 0.001, 10));
    const struct cb_comparison *row = only(CB_INCONCLUSIVE);
    assert_int_equal(row->method, CB_BY_ROUNDS);
    assert_int_equal(row->baselines, 2);
}

TEST_WITH(case_is_found_among_many, setup, teardown)
{
    cJSON *run = new_run("uuid:aa11", "1.0");
    char id[16];
    for (int i = 0; i < 500; i++) {
        snprintf(id, sizeof id, "f/%d", i);
        add_case(run, id, "ok");
    }
    const struct cb_run_table *t = load(run);
    assert_ptr_equal(cb_run_table_find(t, "f/321", "uuid:aa11"), &t->cases[321]);
    assert_null(cb_run_table_find(t, "f/321", "uuid:bb22"));
    assert_null(cb_run_table_find(t, "f/500", NULL));
}
