/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions about the rows of a run document, and documents of schema 1.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/beside.h"
#include "analysis/documents/column.h"
#include "analysis/documents/document.h"
#include "analysis/documents/figure.h"
#include "analysis/documents/inputs.h"
#include "analysis/documents/old_schema.h"
#include "measure/text/json.h"
#include "runtime/host/error.h"
#include "tests/unit/unit.h"

static const char text[] =
    "{\"schema\": \"coopbench-run\", \"schema_version\": \"2.0\", \"devices\": [{\"id\": \"x\"}, "
    "{\"id\": \"y\"}], \"cases\": ["
    "{\"id\": \"1\", \"bench\": \"b\", \"device\": \"x\", \"status\": \"ok\", \"params\": "
    "{\"app\": \"bfs\", \"n\": 1}, \"notes\": [\"hot\"]},"
    "{\"id\": \"2\", \"bench\": \"b\", \"device\": \"x\", \"status\": \"error\", \"params\": "
    "{\"app\": \"bfs\", \"n\": 2, \"tune\": true}},"
    "{\"id\": \"3\", \"bench\": \"c\", \"device\": \"x\", \"status\": \"ok\", \"params\": {}},"
    "{\"id\": \"4\", \"bench\": \"b\", \"device\": \"y\", \"status\": \"error\", \"params\": "
    "{\"app\": \"bfs\", \"n\": 1}},"
    "{\"id\": \"5\", \"bench\": \"b\", \"device\": \"x\", \"status\": \"ok\", \"params\": "
    "{\"app\": \"mis\", \"n\": 1}, \"notes\": [\"hot\", \"odd\"], \"metrics\": "
    "[{\"name\": \"time\", \"median\": 5}]},"
    "{\"id\": \"6\", \"bench\": \"b\", \"device\": \"x\", \"status\": \"ok\"}]}";

/* The ids of the rows, one after the other. */
static const char *ids_of(const struct cb_rows *rows)
{
    static char ids[16];
    const cJSON **list;
    int n = cb_rows_list(rows, &list);
    ids[0] = '\0';
    for (int i = 0; i < n; i++)
        strcat(ids, cb_json_text(list[i], "id", ""));
    assert_int_equal(n, cb_rows_count(rows));
    free(list);
    return ids;
}

TEST(conditions)
{
    cJSON *run = cJSON_Parse(text);
    const struct cb_rows all = {.run = run, .bench = "b"};
    struct cb_rows rows = all;
    assert_string_equal(ids_of(&rows), "12456");
    rows.device = "x";
    assert_string_equal(ids_of(&rows), "1256");
    cb_rows_is(&rows, "app", "bfs");
    assert_string_equal(ids_of(&rows), "12");
    cb_rows_lack(&rows, "tune");
    assert_string_equal(ids_of(&rows), "1");
    rows = all;
    rows.ok = true;
    cb_rows_have(&rows, "n");
    assert_string_equal(ids_of(&rows), "15");
    rows = all;
    cb_rows_like(&rows, cJSON_GetArrayItem(cJSON_GetObjectItem(run, "cases"), 0), "n");
    assert_string_equal(ids_of(&rows), "145");
    rows = all;
    cb_rows_like(&rows, cJSON_GetArrayItem(cJSON_GetObjectItem(run, "cases"), 0), "tune");
    assert_string_equal(ids_of(&rows), "1456");
    rows = all;
    cb_rows_flag(&rows, "tune");
    assert_string_equal(ids_of(&rows), "2");
    rows = all;
    cb_rows_flag(&rows, "n"); /* which is a number */
    assert_string_equal(ids_of(&rows), "");
    rows = all;
    rows.metric = "time";
    assert_string_equal(ids_of(&rows), "5");
    cJSON_Delete(run);
}

TEST(combinations)
{
    static const char *const app[] = {"app", NULL}, *const both[] = {"app", "n", NULL};
    cJSON *run = cJSON_Parse(text);
    const struct cb_rows all = {.run = run, .bench = "b"};
    const cJSON **firsts;
    assert_int_equal(cb_rows_distinct(&all, app, &firsts), 3); /* bfs, mis, none */
    assert_string_equal(cb_row_text(firsts[1], "app"), "mis");
    free(firsts);
    assert_int_equal(cb_rows_distinct(&all, both, &firsts), 4);
    assert_true(cb_row_number(firsts[1], "n") == 2 && cb_row_flag(firsts[1], "tune"));
    free(firsts);
    cJSON_Delete(run);
}

/* Numbers go in the order of the rows, and so many rows as these take no time. */
TEST(numbers)
{
    static const char *const n[] = {"n", NULL};
    enum { ROWS = 100000 };
    static const cJSON *list[ROWS];
    static int number[ROWS];
    cJSON *rows = cJSON_CreateArray();
    for (int i = 0; i < ROWS; i++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddNumberToObject(cJSON_AddObjectToObject(row, "params"), "n", (ROWS - i) / 2);
        cJSON_AddItemToArray(rows, row);
        list[i] = row;
    }
    assert_int_equal(cb_rows_number(list, ROWS, n, number), ROWS / 2 + 1);
    for (int i = 0; i < ROWS; i++)
        assert_int_equal(number[i], (i + 1) / 2);
    assert_int_equal(cb_rows_keep_firsts(list, ROWS, n), ROWS / 2 + 1);
    assert_true(cb_row_number(list[1], "n") == ROWS / 2 - 1);
    cJSON_Delete(rows);
}

/* By what comes first, then by a metric, then as they were. */
TEST(order)
{
    static const char *const app[] = {"app", NULL};
    cJSON *run = cJSON_Parse(text);
    const struct cb_rows all = {.run = run, .bench = "b"};
    const cJSON **list;
    int n = cb_rows_list(&all, &list); /* 1, 2, 4: bfs; 5: mis; 6: none */
    const cJSON *first = list[0];
    list[0] = list[3];
    list[3] = first;
    cb_rows_sort(list, n, app, NULL);
    const char *const ids[] = {"5", "2", "4", "1", "6"};
    for (int i = 0; i < n; i++)
        assert_string_equal(cb_json_text(list[i], "id", ""), ids[i]);
    assert_true(cb_rows_same(list[1], list[3], app) && !cb_rows_same(list[0], list[1], app));
    for (int i = 1; i < 4; i++) {
        cJSON *metric = cJSON_CreateObject();
        cJSON_AddStringToObject(metric, "name", "time");
        cJSON_AddNumberToObject(metric, "median", i == 3 ? 1 : 2);
        cJSON_AddItemToArray(cJSON_AddArrayToObject((cJSON *)(uintptr_t)list[i], "metrics"),
                             metric);
    }
    cb_rows_sort(list, n, app, "time");
    const char *const sorted[] = {"5", "1", "2", "4", "6"};
    for (int i = 0; i < n; i++)
        assert_string_equal(cb_json_text(list[i], "id", ""), sorted[i]);
    const struct cb_stats stats = cb_rows_stats(list, n, "time", "median"); /* 5, 1, 2, 2 */
    assert_true(stats.n == 4 && stats.median == 2 && stats.max == 5);
    const struct cb_stats none = cb_rows_stats(list, n, "time", "p99");
    assert_true(none.n == 0 && isnan(none.median) && isnan(none.ci95_high));
    free(list);
    cJSON_Delete(run);
}

static void name_row(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    snprintf(cell, CB_CELL_BYTES, "%s of %s", cb_row_text(row, "app"), rows->bench);
}

/* Each once; those of a row with a name are told from those of others. */
TEST(notes)
{
    char *printed = NULL;
    size_t size;
    cJSON *run = cJSON_Parse(text);
    const struct cb_rows all = {.run = run, .bench = "b"}, none = {.run = run, .bench = "c"};
    FILE *out = open_memstream(&printed, &size);
    cb_rows_print_notes(out, &all, NULL);
    cb_rows_print_notes(out, &none, NULL);
    cb_rows_print_notes(out, &all, name_row);
    fclose(out);
    assert_string_equal(printed, "\n- hot\n- odd\n"
                                 "\n- bfs of b: hot\n- mis of b: hot\n- mis of b: odd\n");
    free(printed);
    cJSON_Delete(run);
}

/* A device whose rows have all failed is no place of a figure. */
TEST(places)
{
    cJSON *run = cJSON_Parse(text);
    cJSON *runs[] = {run, run};
    struct cb_run_device *list;
    assert_int_equal(cb_run_devices(runs, 2, "b", &list), 2);
    assert_string_equal(cb_json_text(list[1].device, "id", ""), "x");
    free(list);
    assert_int_equal(cb_run_devices(runs, 2, NULL, &list), 4);
    free(list);
    cJSON_Delete(run);
}

/* ---- Documents of schema 1 ------------------------------------------------------------------- */

static cJSON *document(const char *name)
{
    char path[512];
    cJSON *run = NULL;
    struct cb_err err = {0};
    snprintf(path, sizeof path, "%s/fixtures/%s", COOPBENCH_TEST_DIR, name);
    if (cb_run_document_read(path, &run, &err) != CB_OK)
        fail_msg("%s", err.text);
    return run;
}

TEST(old_schema)
{
    cJSON *old = document("run_schema_1.json"), *new = document("run_two_devices.json");
    assert_true(cJSON_Compare(old, new, true));
    cJSON_Delete(old);
    cJSON_Delete(new);
}

TEST(old_throttle)
{
    cJSON *run = cJSON_Parse("{\"schema_version\": \"1.3\", \"cases\": [{\"bench\": \"throttle\", "
                             "\"params\": {\"ride\": \"color/1\", \"hold\": 3}}]}");
    cb_run_renew(run);
    const cJSON *row = cJSON_GetObjectItem(run, "cases")->child;
    assert_string_equal(cb_row_text(row, "launch"), "color/1");
    assert_true(isnan(cb_row_number(row, "hold_s")) && cb_row_number(row, "hold") == 3);
    assert_string_equal(cb_json_text(run, "schema_version", ""), "2.0");
    cJSON_Delete(run);
}

TEST(row_with_id)
{
    cJSON *run = cJSON_Parse("{\"cases\": [{\"device\": \"a\", \"id\": \"m/x=1\"}, "
                             "{\"device\": \"b\", \"id\": \"m/x=1\"}, {\"id\": 1}]}");
    const cJSON *cases = cJSON_GetObjectItem(run, "cases");
    assert_ptr_equal(cb_row_with_id(run, "b", "m/x=%d", 1), cJSON_GetArrayItem(cases, 1));
    assert_null(cb_row_with_id(run, "b", "m/x=%d", 2));
    assert_null(cb_row_with_id(run, "c", "m/x=1"));
    assert_null(cb_row_with_id(NULL, "a", "m"));
    cJSON_Delete(run);
}

static void prints_inputs(const char *hash, const char *expected)
{
    char *printed = NULL, json[200];
    size_t size;
    snprintf(json, sizeof json,
             "{\"cases\": [{\"bench\": \"b\", \"params\": {\"kernel\": \"x.cl:x\"}, "
             "\"inputs\": {\"kernel\": {\"hash\": \"%s\", \"source\": \"1\"}}}]}",
             hash);
    cJSON *run = cJSON_Parse(json);
    FILE *out = open_memstream(&printed, &size);
    cb_inputs_print(out, run, "b");
    fclose(out);
    assert_string_equal(printed, expected);
    free(printed);
    cJSON_Delete(run);
}

/* A kernel without setup and build options reads nothing: FNV's beginning is the hash of that. */
TEST(inputs)
{
    prints_inputs("cbf29ce484222325", "");
    prints_inputs("12", "\nInputs (an undirected edge counts twice)\n\n"
                        "| input  | what was read |\n| ------ | ------------- |\n"
                        "| x.cl:x | hash 12       |\n");
}

/* What was beside a row stands behind its id: the row of that neighbour's part is meant. */
TEST(row_with_id_beside)
{
    cJSON *run = cJSON_Parse(
        "{\"cases\": [{\"device\": \"a\", \"id\": \"m/x\"}, "
        "{\"device\": \"a\", \"id\": \"m/x/beside=grid:groups=4\", \"beside\": \"grid:groups=4\"}, "
        "{\"device\": \"a\", \"id\": \"m/y/beside=bfs\"}]}");
    const cJSON *cases = cJSON_GetObjectItem(run, "cases");
    const char *const besides[] = {"", "grid:groups=4"};
    for (int i = 0; i < 2; i++) {
        cJSON *part = cb_run_beside(run, besides[i]);
        const cJSON *row = cb_row_with_id(part, "a", "m/%s", "x"),
                    *is = cJSON_GetArrayItem(cases, i);
        assert_string_equal(cb_json_text(row, "id", ""), cb_json_text(is, "id", "?"));
        assert_null(cb_row_with_id(part, "a", "m/y"));
        assert_null(cb_row_with_id(part, "a", "m/"));
        cJSON_Delete(part);
    }
    assert_non_null(cb_row_with_id(run, "a", "m/y/beside=bfs")); /* an app of the benchmark's own */
    cJSON_Delete(run);
}
