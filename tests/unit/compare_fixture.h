/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of comparisons: runs that are made up, and what comes out.
 */
#pragma once

#include "temp_folder.h"

#include <math.h>
#include <stdarg.h>

#include "analysis/compare/compare.h"
#include "analysis/compare/gate.h"
#include "analysis/compare/load.h"
#include "analysis/compare/mismatch.h"
#include "analysis/compare/pool.h"
#include "analysis/compare/rules.h"
#include "analysis/compare/student.h"
#include "measure/stats.h"

#define MAX_RUNS 4

static struct cb_run_table tables[MAX_RUNS]; /* the baselines, and last the run */
static int n_tables;
static struct cb_comparisons comparisons;
static cJSON *options;
static unsigned allowed;
static bool of_bests;

static inline int setup(void **state)
{
    n_tables = 0;
    allowed = 0;
    of_bests = false;
    options = cJSON_CreateObject();
    comparisons = (struct cb_comparisons){0};
    return make_folder(state);
}

static inline int teardown(void **state)
{
    cb_comparisons_free(&comparisons);
    for (int i = 0; i < n_tables; i++)
        cb_run_table_free(&tables[i]);
    cJSON_Delete(options);
    return remove_folder(state);
}

/* --- Runs ------------------------------------------------------------------------------------- */

static inline cJSON *new_run(const char *device, const char *driver)
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

static inline cJSON *add_case(cJSON *run, const char *id, const char *status)
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
static inline cJSON *new_list(cJSON *metric, const char *name)
{
    cJSON_DeleteItemFromObjectCaseSensitive(metric, name);
    return cJSON_AddArrayToObject(metric, name);
}

/* A metric whose median is known to 1 %, of ten rounds that agree to 0.2 %. */
static inline cJSON *add_metric(cJSON *c, const char *name, const char *better, double median)
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
static inline enum cb_status load_text(const char *text, struct cb_err *err)
{
    assert_true(n_tables < MAX_RUNS);
    write_text("run.json", text);
    enum cb_status status = cb_run_table_load(folder, NULL, &tables[n_tables], err);
    n_tables += status == CB_OK;
    return status;
}

static inline struct cb_run_table *load(cJSON *run)
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
static inline cJSON *run_of(double median)
{
    cJSON *run = new_run("uuid:aa11", "1.0");
    add_metric(add_case(run, "f/a", "ok"), "time", "lower", median);
    return run;
}

static inline struct cb_compare_choice_options choice_of_options(void)
{
    struct cb_compare_options read;
    cb_options_read(options, cb_compare_params, &read);
    return read.choice;
}

static inline enum cb_status try_compare(struct cb_err *err)
{
    static const struct cb_threshold thresholds[] = {{NULL, 0.05}, {"slack_*", 0.5}};
    struct cb_compare_rules rules = {.thresholds = thresholds,
                                     .n_thresholds = 2,
                                     .alpha = 0.01,
                                     .bests = of_bests,
                                     .choice = choice_of_options(),
                                     .allowed = allowed};
    *err = (struct cb_err){0};
    return cb_compare(tables, n_tables - 1, &tables[n_tables - 1], &rules, &comparisons, err);
}

/* Compares; the only row there has to be has this verdict. */
static inline const struct cb_comparison *only(enum cb_verdict verdict)
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

/* --- Samples ---------------------------------------------------------------------------------- */

/* A run whose median is known to 1 %, and n rounds whose medians differ by `spread`. */
static inline cJSON *run_of_rounds(double median, double spread, int n)
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

static inline void untested(enum cb_doubt doubt)
{
    const struct cb_comparison *row = only(CB_INCONCLUSIVE);
    char text[512];
    assert_int_equal(row->method, CB_UNTESTED);
    assert_int_equal(row->doubt, doubt);
    assert_int_equal(row->rounds, CB_ADVISED_ROUNDS);
    assert_true(isnan(row->p) && isnan(row->evidence.p));
    assert_true(isnan(row->evidence.change.low) && isnan(row->evidence.change.high));
    struct cb_compare_rules rules = {.choice = choice_of_options()};
    assert_true(cb_compare_gate_is_off(&comparisons, &rules, text, sizeof text));
    assert_non_null(strstr(text, "--rounds 10"));
    cb_comparisons_free(&comparisons);
}
