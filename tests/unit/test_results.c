/* SPDX-License-Identifier: Apache-2.0
 *
 * The results folder of made-up rows.
 */
#include "temp_folder.h"

#include <dirent.h>
#include <fcntl.h>

#include "measure/run/document.h"
#include "measure/run/folder.h"
#include "measure/run/results.h"
#include "runtime/host/files.h"

static const struct cb_metric metrics[] = {{"time", "ns", CB_LOWER, true, "x"}, {0}};
static const struct cb_bench bench = {.id = "fake", .metrics = metrics};
static const struct cb_device device = {.id = "uuid:aa11", .name = "H200, NVL"};
static struct cb_plan plan;

static int setup(void **state)
{
    for (int i = 0; i < 3; i++) {
        int added = cb_plan_add(&plan, &bench, &device, "fake/%d", i);
        cJSON_AddNumberToObject(plan.cases[added].params, "wg-size", 64 << i);
    }
    return make_folder(state);
}

static int teardown(void **state)
{
    unsetenv("TMPDIR");
    cb_plan_free(&plan);
    return remove_folder(state);
}

/* --- Helpers ---------------------------------------------------------------------------------- */

static char *text_of(const char *name)
{
    char *text = NULL;
    struct cb_err err;
    if (cb_read_file(path_of(name), &cb_run_file, &text, &err) != CB_OK)
        fail_msg("%s", err.text);
    return text;
}

static cJSON *json_of(const char *name)
{
    char *text = text_of(name);
    cJSON *document = cJSON_Parse(text);
    free(text);
    assert_non_null(document);
    return document;
}

static void holds(const char *name, const char *expected)
{
    char *text = text_of(name);
    assert_string_equal(text, expected);
    free(text);
}

static struct cb_results *open_run(const char *id)
{
    struct cb_results *results;
    struct cb_err err;
    if (cb_results_open(&results, path_of("out/deep"), id,
                        cb_results_begin(cJSON_CreateObject(), NULL), &err) != CB_OK)
        fail_msg("%s", err.text);
    return results;
}

/* Adds the row of case `index`: two samples if status is ok, else a reason. */
static enum cb_status add(struct cb_results *results, int index, enum cb_status status,
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

static void add_ok(struct cb_results *results, int index)
{
    struct cb_err err;
    if (add(results, index, CB_OK, &err) != CB_OK)
        fail_msg("%s", err.text);
}

static cJSON *devices(void)
{
    cJSON *list = cJSON_CreateArray();
    cJSON_AddItemToArray(list, cb_device_to_json(&device));
    return list;
}

static void finish(struct cb_results *results)
{
    struct cb_err err;
    if (cb_results_finish(results, true, 1, devices(), &err) != CB_OK)
        fail_msg("%s", err.text);
    cb_results_free(results);
}

static const char *text_in(const cJSON *object, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

static double number_in(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* Checks the cases of a run document: those of the plan from 0 on, without samples. */
static void check_cases(const cJSON *document, int n)
{
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(document, "cases");
    assert_int_equal(cJSON_GetArraySize(cases), n);
    for (int i = 0; i < n; i++) {
        const cJSON *c = cJSON_GetArrayItem(cases, i);
        assert_string_equal(text_in(c, "id"), plan.cases[i].id);
        assert_false(cJSON_HasObjectItem(c, "samples"));
    }
}

/* --- The folder ------------------------------------------------------------------------------- */

static void test_files(void **unused)
{
    (void)unused;
    struct cb_results *results = open_run("r1");
    struct cb_err err;
    assert_string_equal(cb_results_folder(results), path_of("out/deep/r1"));
    assert_int_equal(add(results, 2, CB_ERROR, &err), CB_OK); /* not in the order of the plan */
    add_ok(results, 0);
    add_ok(results, 1);
    finish(results);
    cJSON *run = json_of("out/deep/r1/run.json");
    assert_string_equal(text_in(run, "schema"), "coopbench-run");
    assert_string_equal(text_in(run, "schema_version"), "2.0");
    assert_string_equal(text_in(run, "run_id"), "r1");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(run, "complete")));
    assert_true(number_in(run, "exit_code") == 1);
    assert_true(number_in(cJSON_GetObjectItem(run, "time"), "wall_s") >= 0);
    const cJSON *summary = cJSON_GetObjectItem(run, "summary");
    assert_true(number_in(summary, "cases") == 3);
    assert_true(number_in(summary, "ok") == 2);
    assert_true(number_in(summary, "error") == 1);
    assert_true(number_in(summary, "timeout") == 0);
    check_cases(run, 3);
    cJSON_Delete(run);
    DIR *dir = opendir(path_of("out/deep/r1"));
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        assert_null(strstr(entry->d_name, "tmp")); /* nothing half-written is left */
    closedir(dir);
}

/* Readers of a run that goes on, or was killed, find what is done. */
static void test_while_it_runs(void **unused)
{
    (void)unused;
    struct cb_results *results = open_run("r1");
    add_ok(results, 1);
    char *events = text_of("out/deep/r1/events.jsonl");
    cJSON *first = cJSON_Parse(events);
    assert_string_equal(text_in(first, "id"), "fake/1");
    const cJSON *samples = cJSON_GetObjectItem(cJSON_GetObjectItem(first, "samples"), "time");
    assert_int_equal(cJSON_GetArraySize(samples), 2);
    cJSON_Delete(first);
    cJSON *run = json_of("out/deep/r1/run.json");
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(run, "complete")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(run, "exit_code")));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(run, "cases")), 1);
    cJSON_Delete(run);
    add_ok(results, 0);
    char *more = text_of("out/deep/r1/events.jsonl");
    assert_memory_equal(more, events, strlen(events)); /* events are in the order of execution */
    const char *second = more + strlen(events);
    assert_int_equal(second[-1], '\n');
    assert_non_null(strstr(second, "\"fake/0\""));
    assert_ptr_equal(strchr(second, '\n'), second + strlen(second) - 1);
    free(events);
    free(more);
    finish(results);
}

static void test_csv_files(void **unused)
{
    (void)unused;
    struct cb_results *results = open_run("r1");
    struct cb_err err;
    add_ok(results, 1);
    assert_int_equal(add(results, 0, CB_ERROR, &err), CB_OK);
    finish(results);
    holds("out/deep/r1/summary.csv",
          "run_id,device_id,device_name,bench,case_id,status,wg-size,metric,unit,better,n,median,"
          "ci95_low,ci95_high,mean,stddev,mad,min,q1,q3,p95,p99,max,reason\n"
          "r1,uuid:aa11,\"H200, NVL\",fake,fake/0,error,64,,,,,,,,,,,,,,,,,"
          "\"it said \"\"no\"\",\ntwice\"\n"
          "r1,uuid:aa11,\"H200, NVL\",fake,fake/1,ok,128,time,ns,lower,2,2.25,,,2.25,"
          "0.35355339059327379,0.25,2,2.125,2.375,,,2.5,\n");
    holds("out/deep/r1/samples.csv", "case_id,device_id,metric,index,value\n"
                                     "fake/1,uuid:aa11,time,0,2\n"
                                     "fake/1,uuid:aa11,time,1,2.5\n");
}

static void test_latest(void **unused)
{
    (void)unused;
    char target[64] = "";
    finish(open_run("r1"));
    assert_int_equal(readlink(path_of("out/deep/latest"), target, sizeof target), 2);
    assert_memory_equal(target, "r1", 2);
    finish(open_run("r2"));
    assert_int_equal(readlink(path_of("out/deep/latest"), target, sizeof target), 2);
    assert_memory_equal(target, "r2", 2);
}

static void test_run_id_is_taken(void **unused)
{
    (void)unused;
    struct cb_results *first = open_run("r1"), *second;
    struct cb_err err;
    add_ok(first, 0);
    finish(first);
    char *before = text_of("out/deep/r1/run.json"), expected[256];
    assert_int_equal(cb_results_open(&second, path_of("out/deep"), "r1",
                                     cb_results_begin(cJSON_CreateObject(), NULL), &err),
                     CB_ERROR);
    snprintf(expected, sizeof expected,
             "%s/out/deep/r1 holds a run already; choose another --run-id, or "
             "complete it with --resume",
             folder);
    assert_string_equal(err.text, expected);
    cb_results_free(second);
    holds("out/deep/r1/run.json", before);
    free(before);
}

/* What kill -9 leaves before there is a document, and of a process with this one's number. */
static void test_killed_at_its_start(void **unused)
{
    (void)unused;
    char link[64], target[64] = "";
    struct cb_err err;
    assert_int_equal(cb_make_folders(path_of("out/deep/r1"), &err), CB_OK);
    write_text("out/deep/r1/events.jsonl", "");
    write_text("out/deep/r1/run.json.1.tmp", "{");
    snprintf(link, sizeof link, "out/deep/.latest-%d", (int)getpid());
    assert_int_equal(symlink("gone", path_of(link)), 0);
    struct cb_results *results = open_run("r1");
    add_ok(results, 0);
    finish(results);
    assert_int_equal(access(path_of("out/deep/r1/run.json.1.tmp"), F_OK), -1);
    assert_int_equal(readlink(path_of("out/deep/latest"), target, sizeof target), 2);
    cJSON *document = json_of("out/deep/r1/run.json");
    check_cases(document, 1);
    cJSON_Delete(document);
}

/* What is a pattern in a shell is a name here. */
static void test_folders_of_any_name(void **unused)
{
    (void)unused;
    static const char *const names[] = {"a[b]", "with space", "a*", "-n", "{x}?\\"};
    for (size_t i = 0; i < CB_COUNTOF(names); i++) {
        char output[128], file[96];
        struct cb_results *results;
        struct cb_err err;
        snprintf(output, sizeof output, "%s/%s", folder, names[i]);
        snprintf(file, sizeof file, "%s/r1/run.json.1.tmp", names[i]);
        *strrchr(file, '/') = '\0';
        assert_int_equal(cb_make_folders(path_of(file), &err), CB_OK);
        file[strlen(file)] = '/';
        write_text(file, "{");
        assert_int_equal(cb_results_open(&results, output, "r1",
                                         cb_results_begin(cJSON_CreateObject(), NULL), &err),
                         CB_OK);
        add_ok(results, 0);
        finish(results);
        assert_int_equal(access(path_of(file), F_OK), -1);
        snprintf(file, sizeof file, "%s/r1/run.json", names[i]);
        cJSON_Delete(json_of(file));
    }
}

static void count_files(FILE *out, const cJSON *document)
{
    fprintf(out, "%d\n", cJSON_GetArraySize(document));
}

/* A path need not have a folder, nor be one that can be read. */
static void test_replaced_files(void **unused)
{
    (void)unused;
    char here[1024];
    struct cb_err err;
    cJSON *document = cJSON_CreateArray();
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(cb_replace_file("plain", count_files, document, &err), CB_OK);
    assert_int_equal(cb_replace_file("./plain", count_files, document, &err), CB_OK);
    assert_int_equal(chdir(here), 0);
    cb_sync_folder_of(path_of("gone/file"));
    holds("plain", "0\n");
    cJSON_Delete(document);
}

static void test_made_run_ids(void **unused)
{
    (void)unused;
    setenv("COOPBENCH_HOSTNAME", "bench-host", 1);
    struct cb_results *first = open_run(NULL), *second = open_run(NULL);
    assert_string_not_equal(cb_results_folder(first), cb_results_folder(second));
    assert_non_null(strstr(cb_results_folder(first), "Z-bench-host-"));
    unsetenv("COOPBENCH_HOSTNAME");
    finish(first);
    finish(second);
}

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

static void test_resumed(void **unused)
{
    (void)unused;
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

/* Whoever has opened the rows before another process replaced them has not locked the run. */
static void test_replaced_since(void **unused)
{
    (void)unused;
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

static void test_resumed_without_rows(void **unused)
{
    (void)unused;
    struct cb_earlier earlier;
    struct cb_err err;
    make_interrupted_run();
    assert_int_equal(unlink(path_of("out/deep/r1/events.jsonl")), 0);
    assert_int_equal(cb_earlier_lock(&earlier, path_of("out/deep"), "r1", &err), CB_USAGE);
    assert_memory_equal(err.text, "--resume needs the run's samples: ", 34);
    cb_earlier_free(&earlier);
}

/* --- Trouble ---------------------------------------------------------------------------------- */

static void test_folder_cannot_be_made(void **unused)
{
    (void)unused;
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

static void test_rescue(void **unused)
{
    (void)unused;
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

static void test_last_rescue(void **unused)
{
    (void)unused;
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

static void test_exit_codes(void **unused)
{
    (void)unused;
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
        int code = cb_results_exit_code(document, rows[i].signal_number);
        if (code != rows[i].code)
            fail_msg("%s: got %d, expected %d", rows[i].summary, code, rows[i].code);
        cJSON_Delete(document);
    }
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_resumed),
        TEST(test_replaced_since),
        TEST(test_resumed_without_rows),
        TEST(test_files),
        TEST(test_while_it_runs),
        TEST(test_csv_files),
        TEST(test_latest),
        TEST(test_run_id_is_taken),
        TEST(test_killed_at_its_start),
        TEST(test_folders_of_any_name),
        TEST(test_replaced_files),
        TEST(test_made_run_ids),
        TEST(test_folder_cannot_be_made),
        TEST(test_rescue),
        TEST(test_last_rescue),
        cmocka_unit_test(test_exit_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
