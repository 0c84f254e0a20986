/* SPDX-License-Identifier: Apache-2.0
 *
 * The results folder of made-up rows.
 */
#include "results_fixture.h"
#include "tests/unit/unit.h"

/* --- Helpers ---------------------------------------------------------------------------------- */

static void holds(const char *name, const char *expected)
{
    char *text = text_of(name);
    assert_string_equal(text, expected);
    free(text);
}

/* --- The folder ------------------------------------------------------------------------------- */

TEST_WITH(files, setup, teardown)
{
    struct cb_results *results = open_run("r1");
    struct cb_err err;
    assert_string_equal(cb_results_folder(results), path_of("out/deep/r1"));
    assert_int_equal(add(results, 2, CB_ERROR, &err), CB_OK); /* not in the order of the plan */
    add_ok(results, 0);
    add_ok(results, 1);
    finish(results);
    cJSON *run = json_of("out/deep/r1/run.json");
    assert_string_equal(text_in(run, "schema"), "coopbench-run");
    assert_string_equal(text_in(run, "schema_version"), "2.2");
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
TEST_WITH(while_it_runs, setup, teardown)
{
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

TEST_WITH(csv_files, setup, teardown)
{
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

TEST_WITH(latest, setup, teardown)
{
    char target[64] = "";
    finish(open_run("r1"));
    assert_int_equal(readlink(path_of("out/deep/latest"), target, sizeof target), 2);
    assert_memory_equal(target, "r1", 2);
    finish(open_run("r2"));
    assert_int_equal(readlink(path_of("out/deep/latest"), target, sizeof target), 2);
    assert_memory_equal(target, "r2", 2);
}

TEST_WITH(run_id_is_taken, setup, teardown)
{
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

/* Kill -9 leaves these files before there is a document, one of them of a process with this one's
 * number. */
TEST_WITH(killed_at_its_start, setup, teardown)
{
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

/* A pattern in a shell is a name here. */
TEST_WITH(folders_of_any_name, setup, teardown)
{
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
TEST_WITH(replaced_files, setup, teardown)
{
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

TEST_WITH(made_run_ids, setup, teardown)
{
    setenv("COOPBENCH_HOSTNAME", "bench-host", 1);
    struct cb_results *first = open_run(NULL), *second = open_run(NULL);
    assert_string_not_equal(cb_results_folder(first), cb_results_folder(second));
    assert_non_null(strstr(cb_results_folder(first), "Z-bench-host-"));
    unsetenv("COOPBENCH_HOSTNAME");
    finish(first);
    finish(second);
}
