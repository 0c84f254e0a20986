/* SPDX-License-Identifier: Apache-2.0
 *
 * The output of graphics for a run: the table, the pictures' data, and the workloads that it saves.
 */
#include "temp_folder.h"
#include "tests/unit/unit.h"

#define BENCH  "graphics"
#define SPREAD 0.5
#include "run_fixture.h"
#include "table_fixture.h"

#include "apps/host/workload.h"

/* --- Made-up runs ----------------------------------------------------------------------------- */

static cJSON *add_scene(cJSON *run, const char *scene)
{
    return add_case(run, "d", scene, "scene=%s file=%s fps=50", scene, scene);
}

static cJSON *add_sized(cJSON *run, const char *scene)
{
    cJSON *item = add_scene(run, scene);
    add_metric(item, "t", 30e6);
    add_metric(item, "period", 40.0001234e6);
    add_metric(item, "period_lower", 39.9e6);
    add_metric(item, "period_upper", 40.1e6);
    add_metric(item, "duration", 10e6);
    set_statistic(add_metric(item, "frame_time_alone", 8e6), "p99", 9e6);
    set_statistic(add_metric(item, "frame_time_with", 8.1e6), "p99", 9.2e6);
    add_metric(item, "missed_alone", 0.003);
    add_metric(item, "missed_with", 0.012);
    add_note(item, "rendered by hand");
    return item;
}

/* --- Tables ----------------------------------------------------------------------------------- */

TEST(report)
{
    cJSON *run = new_run();
    add_sized(run, "heavy");
    make_failed(add_scene(run, "light"), "crashed");
    char *text = report_of(run);
    const char *table = after(text, "GPU: a display needs it every P for E");
    assert_row(table, "heavy", "t", "30.0 ms", "P", "40.0 ms [39.9 ms, 40.1 ms]", "E", "10.0 ms",
               "frame p50", "8.00 ms", "frame p50 > with kernels", "8.10 ms", "frame p99",
               "9.00 ms", "frame p99 > with kernels", "9.20 ms", "late", "0.3 %",
               "late > with kernels", "1.2 %");
    assert_row(table, "light", "t", "crashed");
    after(table, "- heavy: rendered by hand\n");
    free(text);
}

/* --- Workloads -------------------------------------------------------------------------------- */

TEST_WITH(workload_files, make_folder, remove_folder)
{
    char path[128];
    struct cb_err err;
    struct cb_workload workload;
    cJSON *run = new_run(), *names = cJSON_CreateArray();
    add_sized(run, "heavy");
    make_failed(add_scene(run, "light"), "timeout");
    add_metric(add_scene(run, "medium"), "frame_time_alone", 8e6); /* there is no t */
    assert_int_equal(the_bench()->artefacts(run, folder, names, &err), CB_OK);
    assert_int_equal(cJSON_GetArraySize(names), 1);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(names, 0)), "heavy.json");
    snprintf(path, sizeof path, "%s/heavy.json", folder);
    assert_int_equal(cb_workload_find(path, &workload, &err), CB_OK);
    assert_string_equal(workload.name, "sized-heavy");
    assert_true(fabs(workload.period_ns - 40000123) < 1);
    assert_true(fabs(workload.duration_ns - 10e6) < 1);
    assert_int_equal(the_bench()->artefacts(run, "/nowhere/at/all", names, &err), CB_ERROR);
    assert_non_null(strstr(err.text, "/nowhere/at/all/heavy.json"));
    cJSON_Delete(names);
    cJSON_Delete(run);
}

/* --- Pictures --------------------------------------------------------------------------------- */

static void add_samples(cJSON *item, const char *samples)
{
    cJSON *tree = cJSON_Parse(samples);
    assert_non_null(tree);
    cJSON_AddItemToObject(item, "samples", tree);
}

TEST(search_data)
{
    int points;
    cJSON *run = new_run();
    add_samples(add_sized(run, "heavy"),
                "{\"tried_t\": [100, 400], \"tried_median\": [8, 9], \"tried_p99\": [10, 20],"
                " \"tried_limit\": [11, 12], \"tried_seen\": [0, 1]}");
    add_samples(make_failed(add_scene(run, "light"), "error"), "{}");
    add_sized(run, "medium"); /* its samples are not there */
    char *data = data_of("graphics_search", &run, 1, &points);
    assert_int_equal(points, 2);
    assert_string_equal(
        data, "# number\tdevice\tscene\tchosen_ns\tperiod_ns\tt_ns\tmedian_ns\tp99_ns\tlimit_ns"
              "\tseen\n"
              "1\t\"GPU\"\t\"heavy\"\t3e+07\t2e+07\t100\t8\t10\t11\t0\n"
              "1\t\"GPU\"\t\"heavy\"\t3e+07\t2e+07\t400\t9\t20\t12\t1\n");
    free(data);
    cJSON_Delete(run);
}

TEST(ecdf_data)
{
    int points;
    cJSON *run = new_run(), *item = add_scene(run, "light");
    add_samples(item, "{\"frame_time_alone\": [9, 7], \"frame_time_with\": [8]}");
    char *data = data_of("graphics_ecdf", &run, 1, &points);
    assert_int_equal(points, 3);
    assert_string_equal(data,
                        "# number\tdevice\tscene\tchosen_ns\tperiod_ns\twith\ttime_ns\tshare\n"
                        "1\t\"GPU\"\t\"light\"\tNaN\t2e+07\t0\t7\t0.5\n"
                        "1\t\"GPU\"\t\"light\"\tNaN\t2e+07\t0\t9\t1\n"
                        "\n\n"
                        "1\t\"GPU\"\t\"light\"\tNaN\t2e+07\t1\t8\t1\n");
    free(data);
    cJSON_Delete(run);
}

/* Thousands of frames make a curve of a few hundred points, and the last is drawn. */
TEST(ecdf_is_thinned)
{
    int points;
    double times[5003];
    for (int i = 0; i < 5003; i++)
        times[i] = 5003 - i;
    cJSON *run = new_run(), *item = add_scene(run, "light"), *samples = cJSON_CreateObject();
    cJSON_AddItemToObject(samples, "frame_time_alone", cJSON_CreateDoubleArray(times, 5003));
    cJSON_AddItemToObject(samples, "frame_time_with", cJSON_CreateDoubleArray(times, 1));
    cJSON_AddItemToObject(item, "samples", samples);
    char *data = data_of("graphics_ecdf", &run, 1, &points);
    assert_in_range(points, 100, 203);
    assert_non_null(strstr(data, "\t0\t5003\t1\n"));
    free(data);
    cJSON_Delete(run);
}
