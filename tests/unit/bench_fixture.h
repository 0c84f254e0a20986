/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of what a bench plans, reports and draws. BENCH is its id ("discover"), defined before
 * this is included.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/bench.h"
#include "tests/unit/unit.h"

static inline const struct cb_bench *the_bench(void)
{
    const struct cb_bench *bench = cb_bench_find(BENCH);
    assert_non_null(bench);
    return bench;
}

static uint64_t plan_seed; /* --seed of the plans below */

/* settings: "name=value name=value", as on the command line, or "quick=true", without --full; the
 * rest is defaults. */
static inline enum cb_status plan_of(const struct cb_device *device, const char *settings,
                                     struct cb_plan *plan, struct cb_err *err)
{
    const struct cb_bench *bench = the_bench();
    char text[1024], *rest = text;
    const char *quick = "false";
    cJSON *options = cJSON_CreateObject();
    assert_true(strlen(settings) < sizeof text);
    strcpy(text, settings);
    for (char *setting; (setting = strsep(&rest, " ")) && *setting;) {
        char *value = strchr(setting, '=');
        assert_non_null(value);
        *value++ = '\0';
        if (strcmp(setting, CB_QUICK) == 0) {
            quick = value;
            continue;
        }
        const struct cb_param *param = cb_param_find(bench->params, setting);
        assert_non_null(param);
        if (cb_options_set(options, param, value, err) != CB_OK)
            fail_msg("%s: %s", setting, err->text);
    }
    cJSON_AddItemToObject(options, CB_QUICK, cJSON_CreateStringArray(&quick, 1));
    cb_options_complete(options, bench->params);
    *plan = (struct cb_plan){.seed = plan_seed};
    *err = (struct cb_err){CB_OK, ""};
    enum cb_status status = cb_plan_bench(plan, bench, device, options, err);
    cJSON_Delete(options);
    return status;
}

static inline struct cb_plan plans(const struct cb_device *device, const char *settings)
{
    struct cb_plan plan;
    struct cb_err err;
    if (plan_of(device, settings, &plan, &err) != CB_OK)
        fail_msg("%s: %s", settings, err.text);
    return plan;
}

/* ids: one per line, without the bench's. */
static inline void plans_ids(const struct cb_device *device, const char *settings, const char *ids)
{
    struct cb_plan plan = plans(device, settings);
    const size_t n = strlen(BENCH);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (int i = 0; i < plan.count; i++) {
        assert_int_equal(strncmp(plan.cases[i].id, BENCH, n), 0);
        assert_int_equal(plan.cases[i].id[n], '/');
        fprintf(out, "%s\n", plan.cases[i].id + n + 1);
    }
    fclose(out);
    assert_string_equal(text, ids);
    free(text);
    cb_plan_free(&plan);
}

static inline void refuses(const struct cb_device *device, const char *settings, const char *text)
{
    struct cb_plan plan;
    struct cb_err err;
    if (plan_of(device, settings, &plan, &err) != CB_USAGE)
        fail_msg("\"%s\" was taken", settings);
    assert_string_equal(err.text, text);
    cb_plan_free(&plan);
}

static inline const struct cb_case *case_of(const struct cb_plan *plan, const char *id)
{
    for (int i = 0; i < plan->count; i++)
        if (strcmp(plan->cases[i].id, id) == 0)
            return &plan->cases[i];
    fail_msg("no case %s", id);
    return NULL;
}

static inline void has_params(const struct cb_device *device, const char *settings, const char *id,
                              const char *params)
{
    struct cb_plan plan = plans(device, settings);
    char *text = cJSON_PrintUnformatted(case_of(&plan, id)->params);
    assert_string_equal(text, params);
    free(text);
    cb_plan_free(&plan);
}

/* The data of the figure called id; *points is what the figure says it wrote. */
static inline char *data_of(const char *id, cJSON *const *runs, int n, int *points)
{
    char *data = NULL;
    size_t size = 0;
    for (const struct cb_figure *figure = the_bench()->figures; figure->id; figure++) {
        if (strcmp(figure->id, id) != 0)
            continue;
        FILE *out = open_memstream(&data, &size);
        assert_non_null(out);
        *points = figure->write_data(out, runs, n);
        fclose(out);
        return data;
    }
    fail_msg("no figure %s", id);
    return NULL;
}

/* Checks that one below its header, and frees the runs. */
static inline void assert_figure(const char *id, const char *header, cJSON *const *runs, int n,
                                 int points, const char *expected)
{
    int written = -1;
    char *data = data_of(id, runs, n, &written);
    assert_int_equal(strncmp(data, header, strlen(header)), 0);
    assert_string_equal(data + strlen(header), expected);
    assert_int_equal(written, points);
    free(data);
    for (int i = 0; i < n; i++)
        cJSON_Delete(runs[i]);
}

/* The tables of a run, which is deleted; the text is the caller's to free. */
static inline char *report_of(cJSON *run)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(run);
    assert_non_null(out);
    the_bench()->report(out, run);
    fclose(out);
    cJSON_Delete(run);
    return text;
}

/* Checks the tables of a run, and frees it. */
static inline void assert_report(cJSON *run, const char *expected)
{
    char *text = report_of(run);
    assert_string_equal(text, expected);
    free(text);
}

/* A value that the bench's table of parameters refuses, and the error's text. */
struct wrong_value {
    const char *name, *value, *text;
};

static inline void refuses_values(const struct wrong_value *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct cb_err err = {CB_OK, ""};
        cJSON *options = cJSON_CreateObject();
        const struct cb_param *param = cb_param_find(the_bench()->params, rows[i].name);
        assert_non_null(param);
        assert_int_equal(cb_options_set(options, param, rows[i].value, &err), CB_USAGE);
        if (!strstr(err.text, rows[i].text))
            fail_msg("missing \"%s\" in \"%s\"", rows[i].text, err.text);
        cJSON_Delete(options);
    }
}
