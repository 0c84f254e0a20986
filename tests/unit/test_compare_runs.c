/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs against baselines: what belongs together, what is comparable, and what broken files do.
 */
#include "temp_folder.h"

#include <math.h>
#include <stdarg.h>

#include "measure/compare/compare.h"
#include "measure/compare/gate.h"
#include "measure/compare/load.h"
#include "measure/compare/mismatch.h"
#include "measure/compare/pool.h"
#include "measure/compare/student.h"
#include "measure/stats.h"

#define MAX_RUNS 4

static struct cb_run_table tables[MAX_RUNS]; /* the baselines, and last the run */
static int n_tables;
static struct cb_comparisons comparisons;
static cJSON *options;
static unsigned allowed;
static bool of_bests;

static int setup(void **state)
{
    n_tables = 0;
    allowed = 0;
    of_bests = false;
    options = cJSON_CreateObject();
    comparisons = (struct cb_comparisons){0};
    return make_folder(state);
}

static int teardown(void **state)
{
    cb_comparisons_free(&comparisons);
    for (int i = 0; i < n_tables; i++)
        cb_run_table_free(&tables[i]);
    cJSON_Delete(options);
    return remove_folder(state);
}

/* --- Runs ------------------------------------------------------------------------------------- */

static cJSON *new_run(const char *device, const char *driver)
{
    cJSON *run = cJSON_CreateObject(), *d = cJSON_CreateObject();
    cJSON_AddStringToObject(run, "schema", "coopbench-run");
    cJSON_AddStringToObject(run, "schema_version", "1.2");
    cJSON_AddStringToObject(run, "run_id", "r");
    cJSON_AddTrueToObject(run, "complete");
    cJSON_AddStringToObject(cJSON_AddObjectToObject(run, "host"), "cpu", "a processor");
    cJSON_AddStringToObject(d, "id", device);
    cJSON_AddStringToObject(d, "driver_version", driver);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(run, "devices"), d);
    cJSON_AddArrayToObject(run, "cases");
    return run;
}

static cJSON *add_case(cJSON *run, const char *id, const char *status)
{
    cJSON *c = cJSON_CreateObject();
    const cJSON *device = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(run, "devices"), 0);
    cJSON_AddStringToObject(c, "id", id);
    cJSON_AddStringToObject(c, "bench", "fake");
    cJSON_AddItemToObject(c, "device",
                          cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(device, "id"), true));
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(c, "params"), "wg-size", 64);
    cJSON_AddStringToObject(c, "status", status);
    cJSON_AddArrayToObject(c, "metrics");
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(run, "cases"), c);
    return c;
}

/* The list of this name, empty: one value of each round. */
static cJSON *new_list(cJSON *metric, const char *name)
{
    cJSON_DeleteItemFromObjectCaseSensitive(metric, name);
    return cJSON_AddArrayToObject(metric, name);
}

/* A metric whose median is known to 1 %, of ten rounds that agree to 0.2 %. */
static cJSON *add_metric(cJSON *c, const char *name, const char *better, double median)
{
    cJSON *m = cJSON_CreateObject();
    cJSON_AddStringToObject(m, "name", name);
    cJSON_AddStringToObject(m, "unit", "ns");
    cJSON_AddStringToObject(m, "better", better);
    cJSON_AddNumberToObject(m, "n", 20);
    cJSON_AddNumberToObject(m, "median", median);
    cJSON_AddNumberToObject(m, "ci95_low", median * 0.99);
    cJSON_AddNumberToObject(m, "ci95_high", median * 1.01);
    cJSON *rounds = new_list(m, "round_medians");
    for (int i = 0; i < 10; i++)
        cJSON_AddItemToArray(rounds, cJSON_CreateNumber(median * (0.999 + 0.002 * (i % 2))));
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(c, "metrics"), m);
    return m;
}

/* Loads run.json of the test's folder as the next table. */
static enum cb_status load_text(const char *text, struct cb_err *err)
{
    assert_true(n_tables < MAX_RUNS);
    write_text("run.json", text);
    enum cb_status status = cb_run_table_load(folder, NULL, &tables[n_tables], err);
    n_tables += status == CB_OK;
    return status;
}

static struct cb_run_table *load(cJSON *run)
{
    struct cb_err err = {CB_OK, ""};
    char *text = cJSON_Print(run);
    if (load_text(text, &err) != CB_OK)
        fail_msg("%s", err.text);
    free(text);
    cJSON_Delete(run);
    return &tables[n_tables - 1];
}

/* A run with one case, f/a, of one time. */
static cJSON *run_of(double median)
{
    cJSON *run = new_run("uuid:aa11", "1.0");
    add_metric(add_case(run, "f/a", "ok"), "time", "lower", median);
    return run;
}

static enum cb_status try_compare(struct cb_err *err)
{
    static const struct cb_threshold thresholds[] = {{NULL, 0.05}, {"slack_*", 0.5}};
    struct cb_compare_rules rules = {.thresholds = thresholds,
                                     .n_thresholds = 2,
                                     .alpha = 0.01,
                                     .bests = of_bests,
                                     .options = options,
                                     .allowed = allowed};
    *err = (struct cb_err){0};
    return cb_compare(tables, n_tables - 1, &tables[n_tables - 1], &rules, &comparisons, err);
}

/* Compares; the only row there has to be has this verdict. */
static const struct cb_comparison *only(enum cb_verdict verdict)
{
    struct cb_err err;
    if (try_compare(&err) != CB_OK)
        fail_msg("%s", err.text);
    assert_int_equal(comparisons.count, 1);
    if (comparisons.rows[0].verdict != verdict)
        fail_msg("%s instead of %s", cb_verdict_name(comparisons.rows[0].verdict),
                 cb_verdict_name(verdict));
    return &comparisons.rows[0];
}

static void refused(const char *expected)
{
    struct cb_err err;
    assert_int_equal(try_compare(&err), CB_USAGE);
    if (!strstr(err.text, expected))
        fail_msg("\"%s\" is not in \"%s\"", expected, err.text);
}

/* --- Verdicts --------------------------------------------------------------------------------- */

static void test_regression(void **unused)
{
    (void)unused;
    load(run_of(100));
    load(run_of(110));
    const struct cb_comparison *row = only(CB_REGRESSION);
    assert_int_equal(row->method, CB_BY_ROUNDS);
    assert_true(fabs(row->evidence.change.estimate - 0.1) < 1e-9);
    assert_true(row->evidence.p < 0.01);
}

static void test_same(void **unused)
{
    (void)unused;
    load(run_of(100));
    load(run_of(101));
    only(CB_SAME);
}

static void test_threshold_of_a_metric(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        cJSON *run = new_run("uuid:aa11", "1.0");
        add_metric(add_case(run, "f/a", "ok"), "slack_time", "lower", i ? 130 : 100);
        load(run);
    }
    only(CB_SAME);
}

static void test_undirected_metrics_are_left_out(void **unused)
{
    (void)unused;
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
static void test_derived_metrics_are_left_out(void **unused)
{
    (void)unused;
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

static void test_statuses(void **unused)
{
    (void)unused;
    static const struct {
        const char *before, *now; /* NULL: no such case */
        enum cb_verdict verdict;
    } rows[] = {
        {"ok", NULL, CB_MISSING},          {NULL, "ok", CB_NEW},
        {"ok", "timeout", CB_FAILED},      {"ok", "verify_failed", CB_FAILED},
        {"ok", "crashed", CB_FAILED},      {"ok", "error", CB_FAILED},
        {"ok", "unsupported", CB_MISSING}, {"ok", "interrupted", CB_MISSING},
        {"timeout", "ok", CB_NEW},         {"timeout", "timeout", CB_UNMEASURED},
        {"error", NULL, CB_UNMEASURED},
    };
    cJSON *runs[] = {run_of(100), run_of(100)};
    char id[16];
    for (size_t i = 0; i < CB_COUNTOF(rows); i++)
        for (int k = 0; k < 2; k++) {
            const char *status = k ? rows[i].now : rows[i].before;
            snprintf(id, sizeof id, "s/%zu", i);
            cJSON *c = status ? add_case(runs[k], id, status) : NULL;
            if (c && strcmp(status, "ok") == 0)
                add_metric(c, "time", "lower", 100);
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

static void test_a_metric_that_is_gone(void **unused)
{
    (void)unused;
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

static void test_baselines_that_agree(void **unused)
{
    (void)unused;
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
static void test_the_spread_of_baselines_is_the_floor(void **unused)
{
    (void)unused;
    load(run_of(90));
    load(run_of(100));
    load(run_of(110));
    load(run_of(120));
    only(CB_INCONCLUSIVE);
}

static void test_a_baseline_of_another_driver_is_left_out(void **unused)
{
    (void)unused;
    cJSON *other = new_run("uuid:aa11", "0.9");
    add_metric(add_case(other, "f/a", "ok"), "time", "lower", 300);
    load(other);
    load(run_of(100));
    load(run_of(101));
    assert_int_equal(only(CB_SAME)->baselines, 1);
}

/* --- Mismatches ------------------------------------------------------------------------------- */

static void load_other(const char *device, const char *driver, const char *cpu, int wg)
{
    cJSON *run = new_run(device, driver), *c = add_case(run, "f/a", "ok");
    add_metric(c, "time", "lower", 100);
    cJSON_ReplaceItemInObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(run, "host"), "cpu",
                                           cJSON_CreateString(cpu));
    cJSON_ReplaceItemInObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(c, "params"), "wg-size",
                                           cJSON_CreateNumber(wg));
    load(run);
}

/* The run is of uuid:aa11, driver 1.0, a processor, wg 64. */
static void check_mismatch(const char *text, unsigned bit)
{
    load(run_of(100));
    const struct cb_comparison *row = only(CB_INCOMPARABLE);
    if (!row->detail || !strstr(row->detail, text))
        fail_msg("\"%s\" is not in \"%s\"", text, row->detail ? row->detail : "");
    cb_comparisons_free(&comparisons);
    allowed = bit;
    only(CB_SAME);
}

static void test_another_device(void **unused)
{
    (void)unused;
    load_other("uuid:bb22", "1.0", "a processor", 64);
    check_mismatch("--allow-mismatch device)", CB_MISMATCH_DEVICE);
}

static void test_another_driver(void **unused)
{
    (void)unused;
    load_other("uuid:aa11", "0.9", "a processor", 64);
    check_mismatch("driver_version of the device was \"0.9\", is \"1.0\"", CB_MISMATCH_DRIVER);
}

static void test_another_host(void **unused)
{
    (void)unused;
    load_other("uuid:aa11", "1.0", "another", 64);
    check_mismatch("cpu of the host was \"another\"", CB_MISMATCH_HOST);
}

static void test_other_parameters(void **unused)
{
    (void)unused;
    load_other("uuid:aa11", "1.0", "a processor", 32);
    check_mismatch("parameter wg-size was 32, is 64", CB_MISMATCH_PARAMS);
}

static void test_another_unit(void **unused)
{
    (void)unused;
    load(run_of(100));
    cJSON *run = new_run("uuid:aa11", "1.0");
    cJSON *m = add_metric(add_case(run, "f/a", "ok"), "time", "lower", 100);
    cJSON_ReplaceItemInObjectCaseSensitive(m, "unit", cJSON_CreateString("s"));
    load(run);
    assert_string_equal(only(CB_INCOMPARABLE)->detail, "the unit was ns, is s");
}

/* --- Bad input -------------------------------------------------------------------------------- */

static void test_nothing_in_common(void **unused)
{
    (void)unused;
    cJSON *other = new_run("uuid:aa11", "1.0");
    add_metric(add_case(other, "g/b", "ok"), "time", "lower", 100);
    load(other);
    load(run_of(100));
    refused("no case in common: r has g/b");
}

static void test_a_filter_that_fits_nothing(void **unused)
{
    (void)unused;
    load(run_of(100));
    load(run_of(100));
    cJSON_AddItemToArray(cJSON_AddArrayToObject(options, "filter"), cJSON_CreateString("x*"));
    refused("--filter");
}

static void check_refused(const char *text, const char *expected)
{
    struct cb_err err = {CB_OK, ""};
    assert_int_equal(load_text(text, &err), CB_USAGE);
    if (!strstr(err.text, expected))
        fail_msg("\"%s\" is not in \"%s\"", expected, err.text);
}

static void test_broken_documents(void **unused)
{
    (void)unused;
    check_refused("", "not valid JSON");
    check_refused("{\"schema\":\"coopbench-run\",\n\"cases\":[{\"id\"", "run.json:2:");
    check_refused("{\"schema\":\"coopbench-run\",\"cases\":[NaN]}", "not valid JSON");
    check_refused("{\"schema\":\"coopbench-config\"}", "not a run");
    check_refused("[]", "not a run");
    check_refused("{\"schema\":\"coopbench-run\",\"schema_version\":\"0.9\",\"cases\":[]}",
                  "schema_version \"0.9\"; this program reads 1.x");
    check_refused("{\"schema\":\"coopbench-run\",\"schema_version\":\"1.2\",\"cases\":5}",
                  "\"cases\" is not an array");
    check_refused("{\"schema\":\"coopbench-run\",\"schema_version\":\"1.2\",\"cases\":[{}]}",
                  "cases[0] has no \"id\"");
    check_refused("{\"schema\":\"coopbench-run\",\"schema_version\":\"1.2\",\"cases\":[{\"id\":"
                  "\"a\"},{\"id\":\"a\"}]}",
                  "the case a is there twice");
}

/* Every key of a metric in turn as something that it must not be: never a number in the end. */
static void test_numbers_that_mean_nothing(void **unused)
{
    (void)unused;
    static const struct {
        const char *key, *value;
    } rows[] = {{"median", "null"},  {"median", "1e999"}, {"median", "\"5\""},
                {"n", "0"},          {"n", "-3"},         {"n", "2.5"},
                {"ci95_low", "500"}, {"ci95_high", "1"},  {"ci95_low", "null"}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        load(run_of(100));
        cJSON *run = run_of(100);
        cJSON *m = cJSON_GetObjectItemCaseSensitive(
                       cJSON_GetObjectItemCaseSensitive(run, "cases")->child, "metrics")
                       ->child;
        cJSON_ReplaceItemInObjectCaseSensitive(m, rows[i].key, cJSON_CreateRaw(rows[i].value));
        load(run);
        assert_non_null(only(CB_INCOMPARABLE)->detail);
        cb_comparisons_free(&comparisons);
        while (n_tables > 0)
            cb_run_table_free(&tables[--n_tables]);
    }
}

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

static void test_samples_from_csv(void **unused)
{
    (void)unused;
    write_samples(1, 20);
    struct cb_run_table *t = load(run_of_samples(1));
    assert_string_equal(t->samples_from, "samples.csv");
    assert_int_equal(t->n_with, 1);
    assert_true(t->cases->metrics->side.samples[19] == 20);
    write_samples(10, 20);
    load(run_of_samples(10));
    only(CB_REGRESSION);
}

static void test_samples_from_events(void **unused)
{
    (void)unused;
    write_text("events.jsonl",
               "{\"id\":\"f/a,\\\"b\\\"\",\"device\":\"uuid:aa11\",\"samples\":{\"time\":[9]}}\n"
               "{\"id\":\"f/a,\\\"b\\\"\",\"device\":\"uuid:aa11\",\"samples\":{\"time\":"
               "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]}}\n"
               "{\"id\":\"f/a,\\\"b\\\"\",\"device\":\"uuid:a");
    struct cb_run_table *t = load(run_of_samples(1));
    assert_string_equal(t->samples_from, "events.jsonl");
    assert_int_equal(t->n_with, 1);
}

static void test_samples_of_something_else(void **unused)
{
    (void)unused;
    static const struct {
        double f;
        int n;
    } rows[] = {{2, 20}, {1, 19}, {1, 21}, {NAN, 20}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        write_samples(rows[i].f, rows[i].n);
        assert_int_equal(load(run_of_samples(1))->n_with, 0);
    }
}

/* A run whose median is known to 1 %, and n rounds whose medians differ by `spread`. */
static cJSON *run_of_rounds(double median, double spread, int n)
{
    cJSON *run = new_run("uuid:aa11", "1.0");
    cJSON *metric = add_metric(add_case(run, "f/a", "ok"), "time", "lower", median);
    cJSON *medians = new_list(metric, "round_medians");
    cJSON_AddItemToArray(medians, cJSON_CreateNull()); /* a round that had none */
    for (int i = 0; i < n; i++)
        cJSON_AddItemToArray(medians,
                             cJSON_CreateNumber(median * (1 + spread * (i - (n - 1) / 2.0))));
    return run;
}

static void test_rounds(void **unused)
{
    (void)unused;
    load(run_of_rounds(100, 0.001, 10));
    load(run_of_rounds(110, 0.001, 10));
    const struct cb_comparison *row = only(CB_REGRESSION);
    assert_int_equal(row->method, CB_BY_ROUNDS);
    assert_int_equal(row->evidence.rounds, 10);
    assert_true(fabs(row->evidence.change.estimate - 0.1) < 1e-3);
}

/* The intervals of the samples are apart; processes that differ so much show no change. */
static void test_rounds_that_differ(void **unused)
{
    (void)unused;
    load(run_of_rounds(100, 0.1, 7));
    load(run_of_rounds(110, 0.1, 7));
    const struct cb_comparison *row = only(CB_INCONCLUSIVE);
    assert_int_equal(row->method, CB_BY_ROUNDS);
    assert_int_equal(row->doubt, CB_DOUBT_INTERVAL);
    assert_true(row->rounds > 7);
}

/* Medians that a busy machine spoilt say nothing; the best samples do. */
static void test_best_of_rounds(void **unused)
{
    (void)unused;
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

static void test_no_bests(void **unused)
{
    (void)unused;
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

static void test_speed_of_the_cores(void **unused)
{
    (void)unused;
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

static void test_speed_of_samples(void **unused)
{
    (void)unused;
    struct cb_run_table *t = load(run_of_mixed_rounds(100));
    const struct cb_measurement *m = cb_run_case_metric(&t->cases[0], "time");
    assert_non_null(m->sizes);
    assert_true(m->n_rounds == 8 && m->sizes[7] == 3 && m->core_speed->samples);
    load(run_of_mixed_rounds(103));
    const struct cb_comparison *row = only(CB_SAME);
    assert_int_equal(row->method, CB_BY_ADJUSTED_ROUNDS);
    assert_true(fabs(row->evidence.change.estimate - 0.03) < 0.002);
}

/* As different as the cores were, but at one speed all the same. */
static void test_speed_of_several_baselines(void **unused)
{
    (void)unused;
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
static void test_speed_of_one_side(void **unused)
{
    (void)unused;
    load(run_of_rounds(100, 0.001, 10));
    load(run_of_speeds(110, 5));
    assert_int_equal(only(CB_INCONCLUSIVE)->method, CB_BY_ROUNDS);
}

static void untested(enum cb_doubt doubt)
{
    const struct cb_comparison *row = only(CB_INCONCLUSIVE);
    char text[512];
    assert_int_equal(row->method, CB_UNTESTED);
    assert_int_equal(row->doubt, doubt);
    assert_int_equal(row->rounds, CB_ADVISED_ROUNDS);
    assert_true(isnan(row->p) && isnan(row->evidence.p));
    assert_true(isnan(row->evidence.change.low) && isnan(row->evidence.change.high));
    struct cb_compare_rules rules = {.options = options};
    assert_true(cb_compare_gate_is_off(&comparisons, &rules, text, sizeof text));
    assert_non_null(strstr(text, "--rounds 10"));
    cb_comparisons_free(&comparisons);
}

static void test_too_few_rounds(void **unused)
{
    (void)unused;
    load(run_of_rounds(100, 0.1, 7));
    load(run_of_rounds(110, 0.1, 4));
    untested(CB_DOUBT_FEW_ROUNDS);
}

/* --- Single processes ------------------------------------------------------------------------- */

static cJSON *run_of_one_process(double median)
{
    return run_of_rounds(median, 0, 0);
}

/* Neither a change nor its absence, however clear the samples of the two are. */
static void test_one_process(void **unused)
{
    (void)unused;
    static const double medians[] = {100, 100.1, 200};
    for (size_t i = 0; i < CB_COUNTOF(medians); i++) {
        load(run_of_one_process(100));
        load(run_of_one_process(medians[i]));
        untested(CB_DOUBT_ONE_PROCESS);
        while (n_tables > 0)
            cb_run_table_free(&tables[--n_tables]);
    }
}

static void test_one_process_on_one_side(void **unused)
{
    (void)unused;
    load(run_of_rounds(100, 0.001, 10));
    load(run_of_one_process(110));
    untested(CB_DOUBT_ONE_PROCESS);
}

static void test_two_baselines_of_one_process(void **unused)
{
    (void)unused;
    load(run_of_one_process(100));
    load(run_of_one_process(101));
    load(run_of_one_process(200));
    untested(CB_DOUBT_ONE_PROCESS);
}

/* x = log(120 / 100) lies x / (s sqrt(4 / 3)) = 15.79 errors off, of 2 degrees of freedom. */
static void test_baselines_of_one_process(void **unused)
{
    (void)unused;
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

/* Of nothing that has changed, between processes that differ by 5 % and samples that tell their own
 * to 0.1 %, the share of p <= 1 % is about 1 %. */
static void test_one_more_of_the_baselines(void **unused)
{
    (void)unused;
    unsigned seed = 20160; /* fixed: the same each time */
    int found = 0;
    const struct cb_compare_rules rules = {.alpha = 0.01};
    for (int k = 0; k < 2000; k++) {
        struct cb_measurement runs[6] = {0}, *bases[5];
        struct cb_comparison row = {0};
        for (int i = 0; i < 6; i++) {
            double sum = -6;
            for (int j = 0; j < 12; j++)
                sum += rand_r(&seed) / (double)RAND_MAX;
            double median = 100 * exp(0.05 * sum);
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
static void test_rounds_of_several_baselines(void **unused)
{
    (void)unused;
    load(run_of_rounds(100, 0.001, 10));
    load(run_of_rounds(108, 0.001, 10));
    load(run_of_rounds(112, 0.001, 10));
    const struct cb_comparison *row = only(CB_INCONCLUSIVE);
    assert_int_equal(row->method, CB_BY_ROUNDS);
    assert_int_equal(row->baselines, 2);
}

static void test_case_is_found_among_many(void **unused)
{
    (void)unused;
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_regression),
        TEST(test_same),
        TEST(test_threshold_of_a_metric),
        TEST(test_undirected_metrics_are_left_out),
        TEST(test_derived_metrics_are_left_out),
        TEST(test_statuses),
        TEST(test_a_metric_that_is_gone),
        TEST(test_baselines_that_agree),
        TEST(test_the_spread_of_baselines_is_the_floor),
        TEST(test_a_baseline_of_another_driver_is_left_out),
        TEST(test_another_device),
        TEST(test_another_driver),
        TEST(test_another_host),
        TEST(test_other_parameters),
        TEST(test_another_unit),
        TEST(test_nothing_in_common),
        TEST(test_a_filter_that_fits_nothing),
        TEST(test_broken_documents),
        TEST(test_numbers_that_mean_nothing),
        TEST(test_samples_from_csv),
        TEST(test_samples_from_events),
        TEST(test_samples_of_something_else),
        TEST(test_rounds),
        TEST(test_rounds_that_differ),
        TEST(test_best_of_rounds),
        TEST(test_no_bests),
        TEST(test_speed_of_the_cores),
        TEST(test_speed_of_samples),
        TEST(test_speed_of_several_baselines),
        TEST(test_speed_of_one_side),
        TEST(test_too_few_rounds),
        TEST(test_one_process),
        TEST(test_one_process_on_one_side),
        TEST(test_two_baselines_of_one_process),
        TEST(test_baselines_of_one_process),
        TEST(test_one_more_of_the_baselines),
        TEST(test_rounds_of_several_baselines),
        TEST(test_case_is_found_among_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
