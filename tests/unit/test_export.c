/* SPDX-License-Identifier: Apache-2.0 */

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/document.h"
#include "analysis/export/export.h"
#include "measure/text/json.h"
#include "measure/text/markup.h"
#include "runtime/host/files.h"
#include "tests/unit/unit.h"

#define FIXTURES COOPBENCH_TEST_DIR "/fixtures/export/"

static char *read_fixture(const char *name)
{
    char path[512], *text = NULL;
    struct cb_err err = {0};
    snprintf(path, sizeof path, FIXTURES "%s", name);
    if (cb_read_file(path, &cb_run_file, &text, &err) != CB_OK)
        fail_msg("%s", err.text);
    return text;
}

/* As commands read it, so that a golden file is what `coopbench export` writes of it. */
static cJSON *read_run(void)
{
    cJSON *run = NULL;
    struct cb_err err = {0};
    if (cb_run_document_read(FIXTURES "run.json", &run, &err) != CB_OK)
        fail_msg("%s", err.text);
    return run;
}

/* Exports some runs; the text is the caller's to free. */
static char *export_runs(const char *format, const char *better, const cJSON *const *runs, int n)
{
    char *text = NULL;
    size_t size = 0;
    struct cb_export e;
    assert_int_equal(cb_export_open(&e, runs, n, NULL), CB_OK);
    e.better = better;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_true(cb_export_find(format)->write(out, &e) > 0);
    fclose(out);
    cb_export_close(&e);
    return text;
}

/* A format has a golden file NAME.EXTENSION, or one of each direction, NAME-smaller.EXTENSION. */
TEST(golden_files)
{
    cJSON *run = read_run();
    const cJSON *runs[] = {run};
    for (const struct cb_export_format *f = cb_export_formats; f->name; f++) {
        char pattern[512];
        glob_t files;
        snprintf(pattern, sizeof pattern, FIXTURES "%s[-.]*", f->name);
        if (glob(pattern, 0, NULL, &files) != 0)
            fail_msg("there is no %s", pattern);
        for (size_t i = 0; i < files.gl_pathc; i++) {
            const char *name = strrchr(files.gl_pathv[i], '/') + 1;
            const char *better = !f->one_direction          ? NULL
                                 : strstr(name, "-smaller") ? "lower"
                                                            : "higher";
            char *expected = read_fixture(name), *text = export_runs(f->name, better, runs, 1);
            assert_string_equal(text, expected);
            free(expected);
            free(text);
        }
        globfree(&files);
        assert_ptr_equal(cb_export_find(f->name), f);
    }
    assert_null(cb_export_find("xml"));
    cJSON_Delete(run);
}

TEST(same_case_in_two_runs)
{
    cJSON *run = read_run();
    const cJSON *runs[] = {run, run};
    struct cb_export e;
    assert_int_equal(cb_export_open(&e, runs, 1, NULL), CB_OK);
    size_t alone = e.n_rows;
    assert_null(cb_export_duplicate(&e));
    cb_export_close(&e);
    assert_int_equal(cb_export_open(&e, runs, 2, NULL), CB_OK);
    assert_int_equal(e.n_rows, 2 * alone);
    assert_non_null(cb_export_duplicate(&e));
    assert_int_equal(e.rows[0].repetition, 0);
    assert_int_equal(e.rows[alone].repetition, 1);
    assert_int_equal(e.rows[alone].repetitions, 2);
    cb_export_close(&e);
    cJSON_Delete(run);
}

/* A null, or a number that JSON cannot hold, was not measured. */
TEST(no_value_is_no_row)
{
    cJSON *run = cJSON_Parse(
        "{\"cases\": [{\"id\": \"a/b\", \"status\": \"ok\", \"metrics\": ["
        "{\"name\": \"x\", \"unit\": \"ns\", \"better\": \"lower\", \"median\": null},"
        "{\"name\": \"y\", \"unit\": \"ns\", \"better\": \"lower\", \"median\": 1e999},"
        "{\"name\": \"z\", \"unit\": \"ns\", \"better\": \"lower\", \"median\": 2, \"ci95_low\": 1,"
        "\"ci95_high\": null}]}, {\"id\": 7, \"status\": \"ok\"}]}");
    const cJSON *runs[] = {run};
    struct cb_export e;
    assert_int_equal(cb_export_open(&e, runs, 1, NULL), CB_OK);
    assert_int_equal(e.n_rows, 1);
    assert_string_equal(e.rows[0].name, "device/a/b/z");
    cb_export_close(&e);
    char *text = export_runs("github", "lower", runs, 1);
    assert_null(strstr(text, "null"));
    assert_null(strstr(text, "range"));
    free(text);
    cJSON_Delete(run);
}

TEST(devices_of_one_name)
{
    char first[CB_SLUG_BYTES], second[CB_SLUG_BYTES], other[CB_SLUG_BYTES];
    cJSON *run = cJSON_Parse("{\"devices\": [{\"id\": \"uuid:1\", \"name\": \"A (TM)\"},"
                             "{\"id\": \"uuid:2\", \"name\": \"A (TM)\"},"
                             "{\"id\": \"uuid:3\", \"name\": \"B\"}]}");
    const cJSON *devices = cJSON_GetObjectItemCaseSensitive(run, "devices");
    cb_export_slug(run, cJSON_GetArrayItem(devices, 0), first);
    cb_export_slug(run, cJSON_GetArrayItem(devices, 1), second);
    cb_export_slug(run, cJSON_GetArrayItem(devices, 2), other);
    assert_string_not_equal(first, second);
    assert_memory_equal(first, "a-tm-", 5);
    assert_string_equal(other, "b");
    cJSON_Delete(run);
}

/* A run of one case with one metric, which is ok. */
static cJSON *small_run(const char *start, const char *host, const char *metric, double median)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"run_id\": \"r\", \"time\": {\"start\": \"%s\"}, \"host\": {\"hostname\": \"%s\"},"
        "\"devices\": [{\"id\": \"d\", \"name\": \"A\\\\\\\"\\n\", \"uuid\": \"0a\","
        "\"vendor\": \"NVIDIA Corporation\", \"pci\": \"0000:4f:00.0\"}],"
        "\"cases\": [{\"id\": \"a/b\", \"bench\": \"a\", \"device\": \"d\", \"status\": \"ok\","
        "\"metrics\": [{\"name\": \"%s\", \"unit\": \"ns\", \"better\": \"lower\","
        "\"median\": %g}]}]}",
        start, host, metric, median);
    cJSON *run = cJSON_Parse(text);
    assert_non_null(run);
    return run;
}

static enum cb_status check_runs(const char *format, const cJSON *const *runs, int n,
                                 size_t *left_out, struct cb_err *err)
{
    struct cb_export e;
    assert_int_equal(cb_export_open(&e, runs, n, NULL), CB_OK);
    enum cb_status status = cb_export_find(format)->check(&e, err);
    *left_out = e.left_out;
    cb_export_close(&e);
    return status;
}

#define DAY "2026-11-20T10:00:0"

TEST(openmetrics)
{
    cJSON *one = small_run(DAY "0Z", "h", "t", 5), *same = small_run(DAY "1Z", "h", "t", 6);
    cJSON *elsewhere = small_run(DAY "1Z", "i", "t", 6);
    const cJSON *alone[] = {one}, *twice[] = {one, same}, *hosts[] = {one, elsewhere};
    struct cb_err err = {0};
    size_t left_out;
    char *text = export_runs("openmetrics", NULL, alone, 1);
    assert_non_null(strstr(text, "\ncoopbench_a_t_seconds{UUID=\"GPU-0a\",pci_bus_id="
                                 "\"00000000:4F:00.0\",model_name=\"A\\\\\\\"\\n\",Hostname=\"h\","
                                 "case=\"a/b\"} 5e-09\n"));
    free(text);
    assert_int_equal(check_runs("openmetrics", alone, 1, &left_out, &err), CB_OK);
    assert_int_equal(check_runs("openmetrics", hosts, 2, &left_out, &err), CB_OK);
    assert_int_equal(check_runs("openmetrics", twice, 2, &left_out, &err), CB_USAGE);
    assert_non_null(strstr(err.text, "case=\"a/b\""));
    cJSON_Delete(one);
    cJSON_Delete(same);
    cJSON_Delete(elsewhere);
}

TEST(otava)
{
    cJSON *late = small_run(DAY "2Z", "h", "t", 6), *early = small_run(DAY "1Z", "h", "t", 5);
    cJSON *other = small_run(DAY "3Z", "h", "u", 7), *timeless = small_run("", "h", "t", 8);
    cJSON *failed = small_run(DAY "0Z", "h", "t", 9);
    cJSON_ReplaceItemInObject(cJSON_GetArrayItem(cJSON_GetObjectItem(failed, "cases"), 0), "status",
                              cJSON_CreateString("timeout"));
    const cJSON *runs[] = {late, failed, early}, *mixed[] = {late, other}, *bad[] = {timeless};
    struct cb_err err = {0};
    size_t left_out;
    assert_int_equal(check_runs("otava", runs, 3, &left_out, &err), CB_OK);
    assert_int_equal(left_out, 0);
    char *text = export_runs("otava", NULL, runs, 3);
    assert_string_equal(text,
                        "time,commit,run_id,host,a/a/b/t\n" DAY "1Z,,r,h,5\n" DAY "2Z,,r,h,6\n");
    free(text);
    assert_int_equal(check_runs("otava", mixed, 2, &left_out, &err), CB_USAGE);
    assert_non_null(strstr(err.text, "no metric in common"));
    assert_int_equal(left_out, 2);
    assert_int_equal(check_runs("otava", bad, 1, &left_out, &err), CB_USAGE);
    assert_non_null(strstr(err.text, "when it began"));
    cJSON *all[] = {late, early, other, timeless, failed};
    for (size_t i = 0; i < CB_COUNTOF(all); i++)
        cJSON_Delete(all[i]);
}

static void check_markup(void (*print)(FILE *out, const char *text), const char *text,
                         const char *expected)
{
    char buffer[256] = "";
    FILE *out = fmemopen(buffer, sizeof buffer, "w");
    assert_non_null(out);
    print(out, text);
    fclose(out);
    assert_string_equal(buffer, expected);
}

#define BAD "\xef\xbf\xbd"

TEST(markup)
{
    check_markup(cb_markup_text, "<a b=\"'\">&", "&lt;a b=&quot;&#39;&quot;&gt;&amp;");
    check_markup(cb_markup_text, "µ € 😀\t\n", "µ € 😀\t\n");
    check_markup(cb_markup_text, "\x01\x7f\x1b", BAD BAD BAD);
    check_markup(cb_markup_text, "\xc0\xbc|\xff|\xe2\x82|", BAD BAD "|" BAD "|" BAD BAD "|");
    check_markup(cb_markup_text, "\xed\xa0\x80|\xf5\x80\x80\x80|\xef\xbf\xbe",
                 BAD BAD BAD "|" BAD BAD BAD BAD "|" BAD BAD BAD);
    check_markup(cb_markup_text, "\xc2", BAD);
    check_markup(cb_markup_cell, "a|b`c`\n<i>", "a\\|b\\`c\\` &lt;i&gt;");
}
