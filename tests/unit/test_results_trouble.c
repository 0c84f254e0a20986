/* SPDX-License-Identifier: Apache-2.0
 *
 * The results folder of runs that are resumed, or in trouble, and their exit codes.
 */
#include "results_fixture.h"
#include "tests/unit/unit.h"

#include "analysis/documents/summary.h"

/* --- Resuming --------------------------------------------------------------------------------- */

static struct cb_earlier locked_run(const char *id)
{
    struct cb_earlier earlier;
    struct cb_err err;
    if (cb_earlier_lock(&earlier, path_of("out/deep"), id, &err) != CB_OK ||
        cb_earlier_keep(&earlier, &plan, &err) != CB_OK)
        fail_msg("%s", err.text);
    return earlier;
}

static void locked_by_somebody(const char *id)
{
    struct cb_earlier earlier;
    struct cb_err err;
    assert_int_equal(cb_earlier_lock(&earlier, path_of("out/deep"), id, &err), CB_USAGE);
    assert_non_null(strstr(err.text, "/out/deep/r1 is being measured by another process"));
    cb_earlier_free(&earlier);
}

/* A run in which a case is missing and one has failed; as if it had begun in the future. */
static void make_interrupted_run(void)
{
    struct cb_results *results = open_run("r1");
    struct cb_err err;
    add_ok(results, 2);
    assert_int_equal(add(results, 0, CB_TIMEOUT, &err), CB_OK);
    cJSON *time = cJSON_GetObjectItem(cb_results_document(results), "time");
    cJSON_ReplaceItemInObject(time, "start", cJSON_CreateString("2999-01-01T00:00:00Z"));
    finish(results);
}

TEST_WITH(resumed, setup, teardown)
{
    struct cb_results *results;
    struct cb_err err;
    make_interrupted_run();
    struct cb_earlier earlier = locked_run("r1");
    locked_by_somebody("r1"); /* from when it is read */
    write_text("out/deep/r1/samples.csv.1.tmp", "");
    if (cb_results_resume(&results, &earlier, &plan, &err) != CB_OK)
        fail_msg("%s", err.text);
    locked_by_somebody("r1"); /* by the new file, too, */
    cb_earlier_free(&earlier);
    locked_by_somebody("r1"); /* without the old one */
    assert_int_equal(access(path_of("out/deep/r1/samples.csv.1.tmp"), F_OK), -1);
    assert_int_equal(access(path_of("out/deep/r1/events.jsonl.new"), F_OK), -1);
    add_ok(results, 1);
    add_ok(results, 0);
    finish(results);
    cJSON *run = json_of("out/deep/r1/run.json"), *time = cJSON_GetObjectItem(run, "time");
    check_cases(run, 3);
    assert_true(number_in(cJSON_GetObjectItem(run, "summary"), "ok") == 3);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(time, "resumed")), 1);
    assert_true(number_in(time, "wall_s") >= 0 && number_in(time, "wall_s") < 1000);
    cJSON_Delete(run);
    earlier = locked_run("r1"); /* nobody has it any more */
    assert_int_equal(cJSON_GetArraySize(earlier.rows), 3);
    cb_earlier_free(&earlier);
}

/* A lock on a file that another process has replaced does not lock the run. */
TEST_WITH(replaced_since, setup, teardown)
{
    struct cb_err err;
    make_interrupted_run();
    FILE *old = fopen(path_of("out/deep/r1/events.jsonl"), "r+");
    assert_non_null(old);
    write_text("new", "");
    char from[256];
    strcpy(from, path_of("new"));
    assert_int_equal(rename(from, path_of("out/deep/r1/events.jsonl")), 0);
    assert_int_equal(cb_run_lock(old, path_of("out/deep/r1/events.jsonl"), "r1", &err), CB_USAGE);
    assert_string_equal(err.text, "r1 is being measured by another process");
    fclose(old);
}

TEST_WITH(resumed_without_rows, setup, teardown)
{
    struct cb_earlier earlier;
    struct cb_err err;
    make_interrupted_run();
    assert_int_equal(unlink(path_of("out/deep/r1/events.jsonl")), 0);
    assert_int_equal(cb_earlier_lock(&earlier, path_of("out/deep"), "r1", &err), CB_USAGE);
    assert_memory_equal(err.text, "--resume needs the run's samples: ", 34);
    cb_earlier_free(&earlier);
}

/* --- Trouble ---------------------------------------------------------------------------------- */

TEST_WITH(folder_cannot_be_made, setup, teardown)
{
    struct cb_results *results;
    struct cb_err err;
    FILE *file = fopen(path_of("file"), "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(cb_results_open(&results, path_of("file/out"), "r1",
                                     cb_results_begin(cJSON_CreateObject(), NULL), &err),
                     CB_ERROR);
    char expected[256];
    snprintf(expected, sizeof expected,
             "no results folder (choose another with --output-dir): cannot create the folder "
             "%s/file: Not a directory",
             folder);
    assert_string_equal(err.text, expected);
    cb_results_free(results);
}

/* A run of two cases whose folder vanishes; what finishing it says. */
static struct cb_err finish_without_folder(void)
{
    struct cb_results *results = open_run("r1");
    struct cb_err err;
    add_ok(results, 1);
    add_ok(results, 0);
    remove_tree(path_of("out/deep/r1"));
    assert_int_equal(cb_results_finish(results, true, 0, devices(), &err), CB_ERROR);
    cb_results_free(results);
    return err;
}

TEST_WITH(rescue, setup, teardown)
{
    char expected[512];
    setenv("TMPDIR", folder, 1);
    struct cb_err err = finish_without_folder();
    snprintf(expected, sizeof expected,
             "cannot write %s/out/deep/r1/run.json: No such file or directory\n"
             "  All finished cases are in %s/coopbench-r1.json",
             folder, folder);
    assert_string_equal(err.text, expected);
    cJSON *run = json_of("coopbench-r1.json");
    check_cases(run, 2);
    cJSON_Delete(run);
}

TEST_WITH(last_rescue, setup, teardown)
{
    setenv("TMPDIR", path_of("nowhere"), 1);
    int kept = dup(STDERR_FILENO);
    int file = open(path_of("stderr"), O_WRONLY | O_CREAT, 0600);
    dup2(file, STDERR_FILENO);
    struct cb_err err = finish_without_folder();
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(file);
    assert_non_null(strstr(err.text, "All finished cases were printed above"));
    cJSON *run = json_of("stderr");
    check_cases(run, 2);
    cJSON_Delete(run);
}

/* --- Exit codes ------------------------------------------------------------------------------- */

TEST(exit_codes)
{
    static const struct {
        const char *summary;
        int signal_number, code;
    } rows[] = {
        {"{\"ok\": 3}", 0, 0},
        {"{\"ok\": 1, \"unsupported\": 5, \"skipped\": 2}", 0, 0},
        {"{\"ok\": 3, \"error\": 1}", 0, 1},
        {"{\"ok\": 3, \"crashed\": 1}", 0, 1},
        {"{\"ok\": 3, \"timeout\": 1, \"error\": 1, \"crashed\": 1}", 0, 4},
        {"{\"ok\": 3, \"timeout\": 1, \"error\": 1, \"verify_failed\": 1}", 0, 3},
        {"{\"ok\": 0, \"error\": 1, \"unsupported\": 1}", 0, 1},
        {"{\"ok\": 3, \"usage\": 1}", 0, 2},
        {"{\"ok\": 3, \"usage\": 1, \"error\": 1}", 0, 1},
        {"{\"ok\": 0, \"unsupported\": 4}", 0, 77},
        {"{\"ok\": 0, \"skipped\": 1}", 0, 77},
        {"{\"ok\": 0}", 0, 77},
        {"{\"ok\": 3, \"interrupted\": 1}", 2, 130},
        {"{\"ok\": 3, \"verify_failed\": 1, \"interrupted\": 1}", 15, 143},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        cJSON *document = cJSON_CreateObject();
        cJSON_AddItemToObject(document, "summary", cJSON_Parse(rows[i].summary));
        int code = cb_summary_exit_code(document, rows[i].signal_number);
        if (code != rows[i].code)
            fail_msg("%s: got %d, expected %d", rows[i].summary, code, rows[i].code);
        cJSON_Delete(document);
    }
}
