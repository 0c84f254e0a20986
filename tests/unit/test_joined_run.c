/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounds that become one run.
 */
#include "temp_folder.h"
#include "tests/unit/unit.h"

#include "analysis/documents/document.h"
#include "analysis/documents/joined_run.h"
#include "analysis/documents/summary.h"
#include "measure/text/json.h"

#define TEXT_BYTES 8192

static struct cb_joined_run run;
static cJSON *argv, *loaded;

static int setup(void **state)
{
    make_folder(state);
    argv = cJSON_Parse("[\"run\", \"--rounds\", \"2\"]");
    run = (struct cb_joined_run){.output_dir = folder, .id = "joined", .argv = argv};
    loaded = NULL;
    return 0;
}

static int teardown(void **state)
{
    cb_joined_run_free(&run);
    cJSON_Delete(argv);
    cJSON_Delete(loaded);
    return remove_folder(state);
}

static void write_file(const char *round, const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", round, name);
    write_text(path, text);
}

static int count_commas(const char *text)
{
    int n = 0;
    while ((text = strchr(text, ',')) != NULL)
        text++, n++;
    return n;
}

/* A row of f/<name> in the order of execution; samples "": it failed. */
static void add_row(char *rows, const char *name, const char *samples, double median)
{
    char metrics[128] = "";
    if (*samples)
        snprintf(metrics, sizeof metrics,
                 "{\"name\": \"time\", \"unit\": \"ns\", \"better\": \"lower\", \"primary\": true, "
                 "\"n\": %d, \"median\": %g}",
                 1 + count_commas(samples), median);
    snprintf(rows + strlen(rows), TEXT_BYTES - strlen(rows),
             "{\"id\": \"f/%s\", \"device\": \"d\", \"status\": \"%s\", \"reason\": %s, "
             "\"duration_s\": 2, \"begin_s\": 1, \"end_s\": 3, \"sampling\": {\"warmup\": 1, "
             "\"runs\": 3}, \"notes\": [\"n\"], "
             "\"metrics\": [%s], \"samples\": {%s%s}}\n",
             name, *samples ? "ok" : "timeout", *samples ? "null" : "\"waited\"", metrics,
             *samples ? "\"time\": " : "", samples);
}

/* The run in folder `round` with these rows, whose document lists f/1 and f/0, in this order. */
static void write_round(const char *round, const char *rows)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, round);
    assert_int_equal(mkdir(path, 0777), 0);
    write_file(round, "events.jsonl", rows);
    write_file(round, "run.json",
               "{\"schema\": \"coopbench-run\", \"schema_version\": \"1.3\", \"run_id\": \"1\", "
               "\"complete\": true, "
               "\"tool\": {\"version\": \"of the other build\"}, \"host\": {\"cpu\": \"c\"}, "
               "\"invocation\": {\"argv\": [\"run\"], \"seed\": \"7\"}, "
               "\"time\": {\"start\": \"2026-11-20T07:10:33Z\", \"wall_s\": 1.5}, "
               "\"devices\": [{\"id\": \"d\"}], "
               "\"cases\": [{\"id\": \"f/1\", \"device\": \"d\"}, {\"id\": \"f/0\", \"device\": "
               "\"d\"}]}");
}

static enum cb_status add(const char *round, struct cb_err *err)
{
    char path[128];
    *err = (struct cb_err){0};
    snprintf(path, sizeof path, "%s/%s", folder, round);
    return cb_joined_run_add(&run, path, err);
}

static void added(const char *round)
{
    struct cb_err err;
    if (add(round, &err) != CB_OK)
        fail_msg("%s", err.text);
}

/* Reads the document that is on disk now. */
static const cJSON *reload(void)
{
    struct cb_run_document document;
    struct cb_err err = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/joined", folder);
    if (cb_run_document_load(path, NULL, &document, &err) != CB_OK)
        fail_msg("%s", err.text);
    cJSON_Delete(loaded);
    return loaded = document.tree;
}

static const cJSON *get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const cJSON *case_of(const cJSON *document, int i)
{
    return cJSON_GetArrayItem(get(document, "cases"), i);
}

static const cJSON *find_case(const cJSON *document, const char *id)
{
    const cJSON *c;
    cJSON_ArrayForEach (c, get(document, "cases"))
        if (strcmp(cb_json_text(c, "id", ""), id) == 0)
            return c;
    return NULL;
}

static void check_list(const cJSON *c, const char *name, const char *expected)
{
    char *text = cJSON_PrintUnformatted(get(cJSON_GetArrayItem(get(c, "metrics"), 0), name));
    assert_string_equal(text, expected);
    free(text);
}

static void check_medians(const cJSON *c, const char *expected)
{
    check_list(c, "round_medians", expected);
}

static void two_rounds(void)
{
    char rows[TEXT_BYTES] = "";
    add_row(rows, "0", "[1, 2, 3]", 2);
    add_row(rows, "1", "[10, 20, 30]", 20);
    write_round("1", rows);
    rows[0] = '\0';
    add_row(rows, "1", "[50, 40, 60]", 50);
    add_row(rows, "0", "[5, 4, 6]", 5);
    write_round("2", rows);
}

/* One of two rounds was disturbed, which its document knows, and its row, as it ended, did not. */
TEST_WITH(disturbed_rounds, setup, teardown)
{
    two_rounds();
    write_file("2", "run.json",
               "{\"schema\": \"coopbench-run\", \"schema_version\": \"2.2\", \"run_id\": \"1\", "
               "\"complete\": true, \"shared\": \"wait\", \"devices\": [{\"id\": \"d\"}], "
               "\"cases\": [{\"id\": \"f/0\", \"device\": \"d\", \"disturbed\": {\"sign\": "
               "\"gaps\", \"share\": 0.5, \"longest_ns\": 3}}, {\"id\": \"f/1\", \"device\": "
               "\"d\"}]}");
    added("2"); /* in the place of the first round */
    added("1");
    const cJSON *document = reload(), *mark = get(find_case(document, "f/0"), "disturbed");
    assert_string_equal(cb_json_text(document, "shared", ""), "wait");
    assert_true(cb_json_number(mark, "share") == 0.5 && cb_json_number(mark, "longest_ns") == 3);
    assert_null(get(find_case(document, "f/1"), "disturbed"));
    assert_null(get(find_case(document, "f/0"), "begin_s"));
    assert_int_equal(cb_summary_exit_code(document, 0), 7);
}

TEST_WITH(two_rounds, setup, teardown)
{
    two_rounds();
    added("1");
    const cJSON *document = reload(); /* it can be read while others are measured */
    assert_false(cJSON_IsTrue(get(document, "complete")));
    assert_true(cJSON_IsNull(get(document, "exit_code")));
    check_medians(case_of(document, 1), "[2]");
    added("2");
    document = reload();
    assert_true(cb_json_number(document, "rounds") == 2);
    assert_string_equal(cb_json_text(document, "run_id", ""), "joined");
    assert_string_equal(cb_json_text(get(document, "tool"), "version", ""), "of the other build");
    assert_int_equal(cJSON_GetArraySize(get(get(document, "invocation"), "argv")), 3);
    assert_true(cb_json_number(get(document, "time"), "wall_s") == 3);
    const cJSON *c = case_of(document, 0); /* in the order of the plan */
    assert_string_equal(cb_json_text(c, "id", ""), "f/1");
    assert_true(cb_json_metric(c, "time", "n") == 6);
    assert_true(cb_json_metric(c, "time", "median") == 35);
    assert_true(cb_json_metric(c, "time", "max") == 60);
    check_medians(c, "[20,50]");
    check_list(c, "round_sizes", "[3,3]");
    assert_true(cb_json_number(get(c, "sampling"), "runs") == 6);
    assert_true(cb_json_number(get(c, "sampling"), "warmup") == 2);
    assert_true(cb_json_number(c, "duration_s") == 4);
    assert_int_equal(cJSON_GetArraySize(get(c, "notes")), 1); /* said twice */
    assert_true(cb_json_number(get(document, "summary"), "ok") == 2);
}

TEST_WITH(files, setup, teardown)
{
    char path[128], text[TEXT_BYTES];
    struct cb_err err = {0};
    two_rounds();
    added("1");
    added("2");
    assert_int_equal(cb_joined_run_finish(&run, true, 0, &err), CB_OK);
    const cJSON *document = reload();
    assert_true(cJSON_IsTrue(get(document, "complete")));
    assert_true(cb_json_number(document, "exit_code") == 0);
    static const struct {
        const char *name, *line;
    } files[] = {{"samples.csv", "\nf/1,d,time,5,60\n"},
                 {"summary.csv", ",f/0,ok,time,ns,lower,6,3.5,"},
                 {"events.jsonl", "{\"time\":[1,2,3,5,4,6]}"}};
    for (size_t i = 0; i < CB_COUNTOF(files); i++) {
        snprintf(path, sizeof path, "%s/joined/%s", folder, files[i].name);
        FILE *in = fopen(path, "r");
        assert_non_null(in);
        text[fread(text, 1, sizeof text - 1, in)] = '\0';
        fclose(in);
        if (!strstr(text, files[i].line))
            fail_msg("%s lacks %s:\n%s", files[i].name, files[i].line, text);
    }
}

/* A case that failed in one round failed; that it was ok in others does not help. */
TEST_WITH(a_round_that_failed, setup, teardown)
{
    char rows[TEXT_BYTES] = "";
    two_rounds();
    add_row(rows, "0", "", 0);
    add_row(rows, "1", "[70]", 70);
    write_round("3", rows);
    added("1");
    added("3");
    added("2");
    const cJSON *document = reload();
    check_medians(case_of(document, 0), "[20,70,50]");
    assert_string_equal(cb_json_text(case_of(document, 1), "status", ""), "timeout");
    assert_string_equal(cb_json_text(case_of(document, 1), "reason", ""), "waited");
    assert_int_equal(cJSON_GetArraySize(get(case_of(document, 1), "metrics")), 0);
    assert_true(cb_json_number(get(document, "summary"), "timeout") == 1);
}

/* What a round does not have is null, so that the place tells the round. */
TEST_WITH(a_case_that_a_round_lacks, setup, teardown)
{
    char rows[TEXT_BYTES] = "";
    two_rounds();
    add_row(rows, "0", "[7]", 7);
    write_round("3", rows);
    added("1");
    added("3");
    added("2");
    check_medians(case_of(reload(), 0), "[20,null,50]");
    check_medians(case_of(reload(), 1), "[2,7,5]");
}

TEST_WITH(what_is_no_run, setup, teardown)
{
    struct cb_err err;
    two_rounds();
    assert_int_equal(add("4", &err), CB_USAGE);
    write_file("2", "run.json",
               "{\"schema\": \"coopbench-run\", \"schema_version\": \"1.3\", \"cases\": [], "
               "\"complete\": false}");
    assert_int_equal(add("2", &err), CB_ERROR);
    assert_non_null(strstr(err.text, "2 is not complete"));
    write_file("1", "run.json", "{\"schema\": \"coopbench-run\", \"schema_version\": \"9.0\"}");
    assert_int_equal(add("1", &err), CB_USAGE);
    assert_non_null(strstr(err.text, "this program reads 1.x and 2.x"));
    assert_int_equal(cb_joined_run_finish(&run, false, 2, &err), CB_OK); /* nothing to write */
}

/* Samples of a list have no names. A row without metrics has nothing else that tells. */
TEST_WITH(samples_without_names, setup, teardown)
{
    struct cb_err err;
    two_rounds();
    added("1");
    write_file("2", "events.jsonl",
               "{\"id\": \"f/0\", \"device\": \"d\", \"status\": \"ok\", \"metrics\": [], "
               "\"samples\": [[7, 8]]}\n");
    assert_int_equal(add("2", &err), CB_USAGE);
    assert_non_null(strstr(err.text, "its samples are no object"));
}
