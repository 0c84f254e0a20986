/* SPDX-License-Identifier: Apache-2.0
 *
 * What cases that run an app have in common: parameters from options, and back.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/host/case.h"
#include "apps/host/run.h"
#include "temp_folder.h"
#include "tests/unit/unit.h"

static const struct cb_device cpu = {.type = "cpu", .index = "0:1"};
static const struct cb_device gpu = {.type = "gpu", .index = "2:0"};

static const struct cb_app app = {
    .id = "some", .gpu_wg_size = 256, .cpu_wg_size = 32, .summary = "For this test."};
static const struct cb_app offering = {.id = "offering", .offers = true, .gpu_wg_size = 64};

/* The parameters of cases that have all of an app's options, and of those that have none. */
struct params {
    struct cb_app_params app;
};

static const struct cb_field all[] = {CB_APP_NAME_FIELDS(struct params),
                                      CB_APP_KERNEL_FIELDS(struct params),
                                      CB_FIELD(struct params, "trace", app.trace),
                                      {0}};
static const struct cb_field few[] = {CB_APP_NAME_FIELDS(struct params), {0}};

/* The case's parameters must be `expected`. */
static void gives(const struct cb_field *fields, const struct cb_device *device,
                  const struct cb_app *of, const struct cb_app_options *options,
                  const char *barrier, const char *expected)
{
    struct params params;
    cJSON *object = cJSON_CreateObject();
    cb_fields_clear(all, &params);
    cb_app_params_name(&params.app, of, "grid:3x3", "grid");
    cb_app_params_take(&params.app, options, of, device, barrier);
    char *path = cb_app_trace_path(options->trace, "some-N/2:a", device, ".tsv");
    params.app.trace = path;
    cb_fields_write(object, fields, &params);
    char *text = cJSON_PrintUnformatted(object);
    assert_string_equal(text, expected);
    cJSON_free(text);
    cJSON_Delete(object);
    free(path);
}

TEST(parameters_from_options)
{
    static const struct cb_app_options none = {.barrier = "atomic", .channel = "auto"},
                                       given = {.barrier = "query",
                                                .wg_size = 8,
                                                .workgroups = 5,
                                                .channel = "svm",
                                                .trace = "a:b"};
    gives(all, &cpu, &app, &none, NULL,
          "{\"app\":\"some\",\"input\":\"grid:3x3\",\"input_name\":\"grid\",\"barrier\":\"atomic\","
          "\"wg-size\":32,\"channel\":\"auto\"}");
    gives(all, &gpu, &app, &none, "regular",
          "{\"app\":\"some\",\"input\":\"grid:3x3\",\"input_name\":\"grid\",\"barrier\":"
          "\"regular\",\"wg-size\":256,\"channel\":\"auto\"}");
    gives(all, &gpu, &app, &given, NULL,
          "{\"app\":\"some\",\"input\":\"grid:3x3\",\"input_name\":\"grid\",\"barrier\":\"query\","
          "\"wg-size\":8,\"workgroups\":5,\"channel\":\"svm\",\"trace\":\"a:b/"
          "some-N_2_a-2_0.tsv\"}");
}

TEST(what_a_benchmark_or_an_app_does_not_have)
{
    static const struct cb_app_options none = {.barrier = "atomic", .channel = "auto"};
    gives(few, &gpu, &app, &none, "regular",
          "{\"app\":\"some\",\"input\":\"grid:3x3\",\"input_name\":\"grid\"}");
    gives(all, &gpu, &offering, &none, "regular",
          "{\"app\":\"offering\",\"input\":\"grid:3x3\",\"input_name\":\"grid\","
          "\"barrier\":\"none\",\"wg-size\":64,\"channel\":\"auto\"}");
}

static cJSON *parse(const char *text)
{
    cJSON *params = cJSON_Parse(text);
    assert_non_null(params);
    return params;
}

TEST(values_in_a_worker)
{
    struct cb_app_case c;
    struct cb_err err;
    cJSON *params = parse("{\"app\":\"bfs\",\"input\":\"grid:3x3\",\"barrier\":\"regular\","
                          "\"wg-size\":8,\"workgroups\":5,\"channel\":\"queue\"}");
    assert_int_equal(cb_app_case_read(&c, params, &err), CB_OK);
    assert_ptr_equal(c.app, cb_app_find("bfs"));
    assert_string_equal(c.input, "grid:3x3");
    assert_int_equal(c.wg_size, 8);
    assert_int_equal(c.workgroups, 5);
    assert_string_equal(c.trace, "");
    struct cb_coop_config config = cb_app_case_config(&c, COOP_PORTABLE);
    assert_int_equal(config.mode, COOP_PORTABLE);
    assert_int_equal(config.resizing, COOP_REGULAR);
    assert_int_equal(config.wg_size, 8);
    assert_false(config.program_tasks);
    assert_null(config.arena);
    assert_string_equal(config.channel, "queue");
    cJSON_Delete(params);
    params = parse("{\"app\":\"nothing\"}");
    assert_int_equal(cb_app_case_read(&c, params, &err), CB_USAGE);
    cJSON_Delete(params);
}

TEST(not_more_workgroups_than_run_at_once)
{
    struct cb_err err;
    size_t workgroups = 0;
    struct cb_app_case c = {.workgroups = 0};
    assert_int_equal(cb_app_case_limit(&c, 7, "run at once", &workgroups, &err), CB_OK);
    assert_int_equal(workgroups, 7);
    c.workgroups = 7;
    assert_int_equal(cb_app_case_limit(&c, 7, "run at once", &workgroups, &err), CB_OK);
    assert_int_equal(workgroups, 7);
    c.workgroups = 8;
    assert_int_equal(cb_app_case_limit(&c, 7, "run at once", &workgroups, &err), CB_UNSUPPORTED);
    assert_string_equal(err.text, "8 workgroups asked for, but only 7 run at once");
}

TEST_WITH(trace_has_its_folder, make_folder, remove_folder)
{
    struct cb_err err;
    char path[128], wanted[128];
    snprintf(wanted, sizeof wanted, "%s/traces/of/bfs", folder);
    struct cb_app_case c = {.trace = wanted};
    assert_int_equal(cb_app_case_trace_path(&c, path, sizeof path, &err), CB_OK);
    assert_string_equal(path, wanted);
    assert_int_not_equal(access(path, F_OK), 0);
    *strrchr(path, '/') = '\0';
    assert_int_equal(access(path, F_OK), 0);
    c.trace = "";
    assert_int_equal(cb_app_case_trace_path(&c, path, sizeof path, &err), CB_OK);
    assert_string_equal(path, "");
}

/* A workgroup less on each of four units. */
TEST(fewer_groups)
{
    assert_int_equal(cb_app_fewer_groups(16, 4), 12);
    assert_int_equal(cb_app_fewer_groups(15, 4), 12); /* of 16, but the scheduler's */
    assert_int_equal(cb_app_fewer_groups(12, 4), 8);
    assert_int_equal(cb_app_fewer_groups(4, 4), 0);
    assert_int_equal(cb_app_fewer_groups(0, 4), 0);
}
