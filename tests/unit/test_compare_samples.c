/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs against baselines: samples, rounds, and the speed of cores.
 */
#include "compare_fixture.h"
#include "tests/unit/unit.h"

/* --- Samples ---------------------------------------------------------------------------------- */

/* A run whose median is 10.5 times f, of 20 samples, 1 f to 20 f. */
static cJSON *run_of_samples(double f)
{
    cJSON *run = new_run("uuid:aa11", "1.0");
    cJSON *m = add_metric(add_case(run, "f/a,\"b\"", "ok"), "time", "lower", 10.5 * f);
    cJSON_ReplaceItemInObjectCaseSensitive(m, "ci95_low", cJSON_CreateNumber(6 * f));
    cJSON_ReplaceItemInObjectCaseSensitive(m, "ci95_high", cJSON_CreateNumber(15 * f));
    return run;
}

static void write_samples(double f, int n)
{
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "case_id,device_id,metric,index,value\n");
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "\"f/a,\"\"b\"\"\",uuid:aa11,time,%d,%.17g\n", i, (i + 1) * f);
    write_text("samples.csv", text);
}

TEST_WITH(samples_from_csv, setup, teardown)
{
    write_samples(1, 20);
    struct cb_run_table *t = load(run_of_samples(1));
    assert_string_equal(t->samples_from, "samples.csv");
    assert_int_equal(t->n_with, 1);
    assert_true(t->cases->metrics->side.samples[19] == 20);
    write_samples(10, 20);
    load(run_of_samples(10));
    only(CB_REGRESSION);
}

TEST_WITH(samples_from_events, setup, teardown)
{
    write_text("events.jsonl",
               "{\"id\":\"f/a,\\\"b\\\"\",\"device\":\"uuid:aa11\",\"samples\":{\"time\":[9]}}\n"
               "{\"id\":\"f/a,\\\"b\\\"\",\"device\":\"uuid:aa11\",\"samples\":{\"time\":"
               "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]}}\n"
               "{\"id\":\"f/a,\\\"b\\\"\",\"device\":\"uuid:a");
    struct cb_run_table *t = load(run_of_samples(1));
    assert_string_equal(t->samples_from, "events.jsonl");
    assert_int_equal(t->n_with, 1);
}

TEST_WITH(samples_of_something_else, setup, teardown)
{
    static const struct {
        double f;
        int n;
    } rows[] = {{2, 20}, {1, 19}, {1, 21}, {NAN, 20}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        write_samples(rows[i].f, rows[i].n);
        assert_int_equal(load(run_of_samples(1))->n_with, 0);
    }
}

TEST_WITH(rounds, setup, teardown)
{
    load(run_of_rounds(100, 0.001, 10));
    load(run_of_rounds(110, 0.001, 10));
    const struct cb_comparison *row = only(CB_REGRESSION);
    assert_int_equal(row->method, CB_BY_ROUNDS);
    assert_int_equal(row->evidence.rounds, 10);
    assert_true(fabs(row->evidence.change.estimate - 0.1) < 1e-3);
}

/* The intervals of the samples are apart; processes that differ so much show no change. */
TEST_WITH(rounds_that_differ, setup, teardown)
{
    load(run_of_rounds(100, 0.1, 7));
    load(run_of_rounds(110, 0.1, 7));
    const struct cb_comparison *row = only(CB_INCONCLUSIVE);
    assert_int_equal(row->method, CB_BY_ROUNDS);
    assert_int_equal(row->doubt, CB_DOUBT_INTERVAL);
    assert_true(row->rounds > 7);
}

/* Medians that a busy machine spoilt say nothing; the best samples do. */
TEST_WITH(best_of_rounds, setup, teardown)
{
    of_bests = true;
    for (int side = 0; side < 2; side++) {
        cJSON *run = run_of_rounds(side ? 110 : 100, 0.1, 7);
        cJSON *c = cJSON_GetArrayItem(cJSON_GetObjectItem(run, "cases"), 0);
        cJSON *metric = cJSON_GetArrayItem(cJSON_GetObjectItem(c, "metrics"), 0);
        cJSON *bests = cJSON_AddArrayToObject(metric, "round_bests");
        for (int i = 0; i < 7; i++)
            cJSON_AddItemToArray(bests, cJSON_CreateNumber((side ? 88 : 80) + 0.1 * i));
        load(run);
    }
    const struct cb_comparison *row = only(CB_REGRESSION);
    assert_int_equal(row->method, CB_BY_BESTS);
    assert_int_equal(row->evidence.rounds, 7);
    assert_true(fabs(row->evidence.change.estimate - 0.1) < 1e-3);
}

TEST_WITH(no_bests, setup, teardown)
{
    of_bests = true; /* runs of an older program */
    load(run_of_rounds(100, 0.001, 10));
    load(run_of_rounds(110, 0.001, 10));
    assert_int_equal(only(CB_REGRESSION)->method, CB_BY_ROUNDS);
}

/* Rounds on cores of two speeds, and a time that follows them. */
static cJSON *run_of_speeds(double median, int fast)
{
    cJSON *run = new_run("uuid:aa11", "1.0"), *c = add_case(run, "f/a", "ok");
    cJSON *times = new_list(add_metric(c, "time", "lower", median), "round_medians");
    cJSON *speeds = new_list(add_metric(c, "core_speed", "neither", 2e8), "round_medians");
    for (int i = 0; i < 8; i++) {
        double speed = i < fast ? 1.5 : 1;
        cJSON_AddItemToArray(times, cJSON_CreateNumber(median / speed * (1 + 0.002 * (i % 3))));
        cJSON_AddItemToArray(speeds, cJSON_CreateNumber(speed * 2e8));
    }
    return run;
}

TEST_WITH(speed_of_the_cores, setup, teardown)
{
    load(run_of_speeds(100, 2));
    load(run_of_speeds(110, 5));
    const struct cb_comparison *row = only(CB_REGRESSION);
    assert_int_equal(row->method, CB_BY_ADJUSTED_ROUNDS);
    assert_int_equal(row->evidence.rounds, 8);
    assert_true(fabs(row->evidence.change.estimate - 0.1) < 0.005);
}

/* Each round has samples of both speeds, so that only they tell: their medians do not follow. */
static cJSON *run_of_mixed_rounds(double median)
{
    char text[8000] = "case_id,device_id,metric,index,value\n";
    cJSON *run = new_run("uuid:aa11", "1.0"), *c = add_case(run, "f/a", "ok");
    for (int metric = 0; metric < 2; metric++) {
        double all[24];
        cJSON *m = add_metric(c, metric ? "core_speed" : "time", metric ? "none" : "lower", median);
        cJSON *medians = new_list(m, "round_medians");
        cJSON *sizes = cJSON_AddArrayToObject(m, "round_sizes");
        for (int i = 0; i < 24; i++) {
            double speed = (i % 3 == 0) + (i % 2 == 0) ? 1.5 : 1;
            all[i] = metric ? 2e8 * speed : median / speed * (1 + 0.004 * (i % 5));
            snprintf(text + strlen(text), sizeof text - strlen(text), "f/a,%s,%s,%d,%.17g\n",
                     "uuid:aa11", metric ? "core_speed" : "time", i, all[i]);
        }
        for (int round = 0; round < 8; round++) {
            cJSON_AddItemToArray(medians,
                                 cJSON_CreateNumber(cb_stats_of(all + 3 * round, 3).median));
            cJSON_AddItemToArray(sizes, cJSON_CreateNumber(3));
        }
        cJSON_SetNumberValue(cJSON_GetObjectItem(m, "n"), 24);
        cJSON_SetNumberValue(cJSON_GetObjectItem(m, "median"), cb_stats_of(all, 24).median);
        cJSON_SetNumberValue(cJSON_GetObjectItem(m, "ci95_low"), 0.9 * cb_stats_of(all, 24).median);
        cJSON_SetNumberValue(cJSON_GetObjectItem(m, "ci95_high"),
                             1.1 * cb_stats_of(all, 24).median);
    }
    write_text("samples.csv", text);
    return run;
}

TEST_WITH(speed_of_samples, setup, teardown)
{
    struct cb_run_table *t = load(run_of_mixed_rounds(100));
    const struct cb_measurement *m = cb_run_case_metric(&t->cases[0], "time");
    assert_non_null(m->sizes);
    assert_true(m->n_rounds == 8 && m->sizes[7] == 3 && m->core_speed->samples);
    load(run_of_mixed_rounds(103));
    const struct cb_comparison *row = only(CB_SAME);
    assert_int_equal(row->method, CB_BY_ADJUSTED_ROUNDS);
    assert_true(fabs(row->evidence.change.estimate - 0.03) < 0.002);
}

/* Baselines differ as much as the cores did, but all are measured at one speed. */
TEST_WITH(speed_of_several_baselines, setup, teardown)
{
    load(run_of_speeds(100, 1));
    load(run_of_speeds(100, 8));
    load(run_of_speeds(101, 2));
    load(run_of_speeds(110, 5));
    const struct cb_comparison *row = only(CB_REGRESSION);
    assert_int_equal(row->method, CB_BY_ADJUSTED_ROUNDS);
    assert_int_equal(row->baselines, 3);
    assert_true(row->evidence.spread > 0.02 && row->evidence.spread < 0.08);
}

/* A baseline of an older program does not tell it. */
TEST_WITH(speed_of_one_side, setup, teardown)
{
    load(run_of_rounds(100, 0.001, 10));
    load(run_of_speeds(110, 5));
    assert_int_equal(only(CB_INCONCLUSIVE)->method, CB_BY_ROUNDS);
}

TEST_WITH(too_few_rounds, setup, teardown)
{
    load(run_of_rounds(100, 0.1, 7));
    load(run_of_rounds(110, 0.1, 4));
    untested(CB_DOUBT_FEW_ROUNDS);
}
