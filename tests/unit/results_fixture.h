/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the results folder: rows that are made up.
 */
#pragma once

#include "temp_folder.h"

#include <dirent.h>
#include <fcntl.h>

#include "analysis/documents/document.h"
#include "analysis/documents/folder.h"
#include "analysis/documents/results.h"
#include "runtime/host/files.h"

static const struct cb_metric metrics[] = {{"time", "ns", CB_LOWER, true, "x"}, {0}};
static const struct cb_bench bench = {.id = "fake", .metrics = metrics};
static const struct cb_device device = {.id = "uuid:aa11", .name = "H200, NVL"};
static struct cb_plan plan;

static inline int setup(void **state)
{
    plan = (struct cb_plan){.bench = &bench, .device = &device};
    for (int i = 0; i < 3; i++) {
        struct cb_case *added = cb_plan_add(&plan, "%d", i);
        cJSON_AddNumberToObject(added->params, "wg-size", 64 << i);
    }
    return make_folder(state);
}

static inline int teardown(void **state)
{
    unsetenv("TMPDIR");
    cb_plan_free(&plan);
    return remove_folder(state);
}

/* --- Helpers ---------------------------------------------------------------------------------- */

static inline char *text_of(const char *name)
{
    char *text = NULL;
    struct cb_err err;
    if (cb_read_file(path_of(name), &cb_run_file, &text, &err) != CB_OK)
        fail_msg("%s", err.text);
    return text;
}

static inline cJSON *json_of(const char *name)
{
    char *text = text_of(name);
    cJSON *document = cJSON_Parse(text);
    free(text);
    assert_non_null(document);
    return document;
}

static inline struct cb_results *open_run(const char *id)
{
    struct cb_results *results;
    struct cb_err err;
    if (cb_results_open(&results, path_of("out/deep"), id,
                        cb_results_begin(cJSON_CreateObject(), NULL), &err) != CB_OK)
        fail_msg("%s", err.text);
    return results;
}

/* Adds the row of case `index`: two samples if status is ok, else a reason. */
static inline enum cb_status add(struct cb_results *results, int index, enum cb_status status,
                                 struct cb_err *err)
{
    double values[] = {index + 1, index + 1.5};
    struct cb_series series = {.metric = metrics, .values = values};
    struct cb_row row = {.c = &plan.cases[index],
                         .index = index,
                         .status = status,
                         .series = &series,
                         .n_series = 1};
    if (status == CB_OK) {
        series.n = 2;
        series.stats = cb_stats_of(values, 2);
    } else {
        snprintf(row.reason, sizeof row.reason, "it said \"no\",\ntwice");
    }
    return cb_results_add(results, &row, err);
}

static inline void add_ok(struct cb_results *results, int index)
{
    struct cb_err err;
    if (add(results, index, CB_OK, &err) != CB_OK)
        fail_msg("%s", err.text);
}

static inline cJSON *devices(void)
{
    cJSON *list = cJSON_CreateArray();
    cJSON_AddItemToArray(list, cb_device_to_json(&device));
    return list;
}

static inline void finish(struct cb_results *results)
{
    struct cb_err err;
    if (cb_results_finish(results, true, 1, devices(), &err) != CB_OK)
        fail_msg("%s", err.text);
    cb_results_free(results);
}

static inline const char *text_in(const cJSON *object, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

static inline double number_in(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* Checks the cases of a run document: those of the plan from 0 on, without samples. */
static inline void check_cases(const cJSON *document, int n)
{
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(document, "cases");
    assert_int_equal(cJSON_GetArraySize(cases), n);
    for (int i = 0; i < n; i++) {
        const cJSON *c = cJSON_GetArrayItem(cases, i);
        assert_string_equal(text_in(c, "id"), plan.cases[i].id);
        assert_false(cJSON_HasObjectItem(c, "samples"));
    }
}
