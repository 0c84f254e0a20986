/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs against baselines: verdicts.
 */
#include "compare_fixture.h"
#include "tests/unit/unit.h"

/* --- Verdicts --------------------------------------------------------------------------------- */

TEST_WITH(regression, setup, teardown)
{
    load(run_of(100));
    load(run_of(110));
    const struct cb_comparison *row = only(CB_REGRESSION);
    assert_int_equal(row->method, CB_BY_ROUNDS);
    assert_true(fabs(row->evidence.change.estimate - 0.1) < 1e-9);
    assert_true(row->evidence.p < 0.01);
}

TEST_WITH(same, setup, teardown)
{
    load(run_of(100));
    load(run_of(101));
    only(CB_SAME);
}

TEST_WITH(threshold_of_a_metric, setup, teardown)
{
    for (int i = 0; i < 2; i++) {
        cJSON *run = new_run("uuid:aa11", "1.0");
        add_metric(add_case(run, "f/a", "ok"), "slack_time", "lower", i ? 130 : 100);
        load(run);
    }
    only(CB_SAME);
}

TEST_WITH(undirected_metrics_are_left_out, setup, teardown)
{
    for (int i = 0; i < 2; i++) {
        cJSON *run = run_of(100);
        cJSON *c = cJSON_GetObjectItemCaseSensitive(run, "cases")->child;
        add_metric(c, "workers", "none", i ? 7 : 70);
        load(run);
    }
    only(CB_SAME);
    assert_int_equal(comparisons.undirected, 1);
}

/* access_time is time in another unit: the change is listed once, unless it is asked for. */
TEST_WITH(derived_metrics_are_left_out, setup, teardown)
{
    for (int i = 0; i < 2; i++) {
        cJSON *run = run_of(i ? 110 : 100);
        cJSON *c = cJSON_GetObjectItemCaseSensitive(run, "cases")->child;
        cJSON_ReplaceItemInObjectCaseSensitive(c, "bench", cJSON_CreateString("memory"));
        add_metric(c, "access_time", "lower", i ? 11 : 10);
        load(run);
    }
    assert_string_equal(only(CB_REGRESSION)->m->name, "time");
    assert_int_equal(comparisons.derived, 1);
    cb_comparisons_free(&comparisons);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(options, "metric"),
                         cJSON_CreateString("access_time"));
    assert_string_equal(only(CB_REGRESSION)->m->name, "access_time");
}

#define DISTURBED "disturbed" /* ok, beside others */

TEST_WITH(statuses, setup, teardown)
{
    static const struct {
        const char *before, *now; /* NULL: no such case */
        enum cb_verdict verdict;
    } rows[] = {
        {"ok", NULL, CB_MISSING},          {NULL, "ok", CB_NEW},
        {"ok", "timeout", CB_FAILED},      {"ok", "verify_failed", CB_FAILED},
        {"ok", "crashed", CB_FAILED},      {"ok", "error", CB_FAILED},
        {"ok", "unsupported", CB_MISSING}, {"ok", "interrupted", CB_MISSING},
        {"timeout", "ok", CB_NEW},         {"timeout", "timeout", CB_UNMEASURED},
        {"error", NULL, CB_UNMEASURED},    {"ok", DISTURBED, CB_DISTURBED},
        {DISTURBED, "ok", CB_DISTURBED},   {DISTURBED, DISTURBED, CB_DISTURBED},
        {DISTURBED, NULL, CB_DISTURBED},   {DISTURBED, "crashed", CB_FAILED},
    };
    cJSON *runs[] = {run_of(100), run_of(100)};
    char id[16];
    for (size_t i = 0; i < CB_COUNTOF(rows); i++)
        for (int k = 0; k < 2; k++) {
            const char *status = k ? rows[i].now : rows[i].before;
            snprintf(id, sizeof id, "s/%zu", i);
            const bool disturbed = status && strcmp(status, DISTURBED) == 0;
            cJSON *c = status ? add_case(runs[k], id, disturbed ? "ok" : status) : NULL;
            if (c && (disturbed || strcmp(status, "ok") == 0))
                add_metric(c, "time", "lower", disturbed ? 300 : 100);
            if (disturbed)
                cJSON_AddStringToObject(cJSON_AddObjectToObject(c, "disturbed"), "sign", "cores");
        }
    load(runs[0]);
    load(runs[1]);
    struct cb_err err;
    assert_int_equal(try_compare(&err), CB_OK);
    assert_int_equal(comparisons.count, CB_COUNTOF(rows) + 1);
    for (int i = 0; i < comparisons.count; i++) {
        unsigned k;
        if (sscanf(comparisons.rows[i].c->id, "s/%u", &k) == 1 &&
            comparisons.rows[i].verdict != rows[k].verdict)
            fail_msg("row %u: %s", k, cb_verdict_name(comparisons.rows[i].verdict));
    }
}

TEST_WITH(a_metric_that_is_gone, setup, teardown)
{
    cJSON *before = run_of(100);
    add_metric(cJSON_GetObjectItemCaseSensitive(before, "cases")->child, "rate", "higher", 1);
    load(before);
    load(run_of(100));
    struct cb_err err;
    assert_int_equal(try_compare(&err), CB_OK);
    assert_int_equal(comparisons.count, 2);
    assert_int_equal(comparisons.rows[1].verdict, CB_MISSING);
    assert_string_equal(comparisons.rows[1].m->name, "rate");
}

/* --- Several baselines ------------------------------------------------------------------------ */

TEST_WITH(baselines_that_agree, setup, teardown)
{
    load(run_of(99));
    load(run_of(100));
    load(run_of(101));
    load(run_of(120));
    const struct cb_comparison *row = only(CB_REGRESSION);
    assert_int_equal(row->baselines, 3);
    assert_int_equal(row->base.n, 60);
    /* t of 2 and 1 %, times the standard deviation of the logarithms, times the root of 1 + 1/3 */
    assert_true(fabs(log1p(row->evidence.spread) - 9.9248 * 0.01 * sqrt(4 / 3.)) < 1e-4);
}

/* 20 % more than the middle, but the baselines differ by 20 % among each other */
TEST_WITH(the_spread_of_baselines_is_the_floor, setup, teardown)
{
    load(run_of(90));
    load(run_of(100));
    load(run_of(110));
    load(run_of(120));
    only(CB_INCONCLUSIVE);
}

TEST_WITH(a_baseline_of_another_driver_is_left_out, setup, teardown)
{
    cJSON *other = new_run("uuid:aa11", "0.9");
    add_metric(add_case(other, "f/a", "ok"), "time", "lower", 300);
    load(other);
    load(run_of(100));
    load(run_of(101));
    assert_int_equal(only(CB_SAME)->baselines, 1);
}

/* A disturbed baseline is none, beside others that are quiet. */
TEST_WITH(a_disturbed_baseline_is_left_out, setup, teardown)
{
    struct cb_err err;
    cJSON *disturbed = run_of(300);
    cJSON *c = cJSON_GetArrayItem(cJSON_GetObjectItem(disturbed, "cases"), 0);
    cJSON_AddStringToObject(cJSON_AddObjectToObject(c, "disturbed"), "sign", "gaps");
    load(disturbed);
    load(run_of(100));
    load(run_of(100));
    assert_int_equal(try_compare(&err), CB_OK);
    assert_int_equal(comparisons.count, 1);
    assert_int_equal(comparisons.rows[0].verdict, CB_SAME);
    assert_int_equal(comparisons.rows[0].baselines, 1);
}

/* Of rows that were all disturbed nothing is told, and a gate says that it is off. */
TEST_WITH(a_gate_of_disturbed_runs_is_off, setup, teardown)
{
    struct cb_err err;
    char text[1024];
    for (int i = 0; i < 2; i++) {
        cJSON *run = run_of(i ? 300 : 100);
        cJSON *c = cJSON_GetArrayItem(cJSON_GetObjectItem(run, "cases"), 0);
        if (i)
            cJSON_AddStringToObject(cJSON_AddObjectToObject(c, "disturbed"), "sign", "gaps");
        load(run);
    }
    assert_int_equal(try_compare(&err), CB_OK);
    const struct cb_compare_rules rules = {0};
    assert_true(cb_compare_gate_is_off(&comparisons, &rules, text, sizeof text));
    assert_non_null(strstr(text, "another program used the device during 1 of 1 case."));
}
