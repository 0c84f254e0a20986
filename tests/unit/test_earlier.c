/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rows of an earlier run are kept, and which runs are not gone on with.
 */
#include "temp_folder.h"
#include "tests/unit/unit.h"

#include "analysis/documents/earlier.h"

static const struct cb_bench bench = {.id = "fake"};
static const struct cb_device device = {.id = "uuid:aa11"};
static struct cb_plan plan;
static struct cb_earlier earlier;

static int setup(void **state)
{
    plan = (struct cb_plan){.bench = &bench, .device = &device};
    earlier = (struct cb_earlier){.folder = strdup("results/r1"), .rows = cJSON_CreateArray()};
    return make_folder(state);
}

static int teardown(void **state)
{
    cb_plan_free(&plan);
    cb_earlier_free(&earlier);
    return remove_folder(state);
}

/* --- Rows ------------------------------------------------------------------------------------- */

static void add_row(const char *id, const char *status)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "id", id);
    cJSON_AddStringToObject(row, "device", device.id);
    cJSON_AddStringToObject(row, "status", status);
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(row, "params"), "wg-size", 64);
    cJSON_AddItemToArray(earlier.rows, row);
}

/* A case and, unless status is NULL, its row. */
static struct cb_case *add(const char *status)
{
    struct cb_case *c = cb_plan_add(&plan, "%d", plan.count);
    cJSON_AddNumberToObject(c->params, "wg-size", 64);
    if (status)
        add_row(c->id, status);
    return c;
}

/* kept: a letter for each case, k or - */
static void keeps(const char *kept)
{
    struct cb_err err = {CB_OK, ""};
    if (cb_earlier_keep(&earlier, &plan, &err) != CB_OK)
        fail_msg("%s", err.text);
    assert_int_equal(strlen(kept), plan.count);
    for (int i = 0; i < plan.count; i++)
        assert_true((plan.cases[i].kept != NULL) == (kept[i] == 'k'));
}

TEST_WITH(finished_cases_are_kept, setup, teardown)
{
    static const char *const statuses[] = {
        "ok",      "unsupported", "skipped",       "error",
        "crashed", "timeout",     "verify_failed", "interrupted"};
    for (size_t i = 0; i < CB_COUNTOF(statuses); i++)
        add(statuses[i]);
    add(NULL);
    keeps("kk-------");
}

TEST_WITH(the_last_row_of_a_case_counts, setup, teardown)
{
    add("ok");
    add("timeout");
    add_row("fake/0", "error");
    add_row("fake/1", "ok");
    keeps("-k");
}

TEST_WITH(groups_are_kept_whole, setup, teardown)
{
    static const char *const statuses[] = {"ok", "timeout", "ok", "ok", "ok", "ok"};
    for (int i = 0; i < 6; i++)
        add(statuses[i])->group = 1 + i / 2;
    add(NULL)->group = 3;
    keeps("--kk---");
}

/* A case that needs one which is measured again is measured again, too. */
TEST_WITH(what_is_needed_is_kept_first, setup, teardown)
{
    add("timeout");
    add("ok")->needs = 0;
    add("ok");
    add("ok")->needs = 2;
    add("timeout")->needs = 2;
    keeps("--kk-");
}

static void refuses(const char *text)
{
    struct cb_err err = {CB_OK, ""};
    assert_int_equal(cb_earlier_keep(&earlier, &plan, &err), CB_USAGE);
    assert_memory_equal(err.text, text, strlen(text));
}

TEST_WITH(rows_of_other_cases, setup, teardown)
{
    add("ok");
    add_row("fake/7", "ok");
    refuses("--resume: results/r1 has a case that is not planned now: fake/7");
}

TEST_WITH(rows_of_other_parameters, setup, teardown)
{
    struct cb_case *c = add("ok");
    cJSON_ReplaceItemInObject(c->params, "wg-size", cJSON_CreateNumber(32));
    refuses("--resume: fake/0 was {\"wg-size\":64} in results/r1 and is {\"wg-size\":32} now\n");
}

/* --- Documents -------------------------------------------------------------------------------- */

#define DOCUMENT                                                                                   \
    "{'tool': {'version': '1', 'git_sha': 'abc', 'git_dirty': false, 'kernels': '12'},"            \
    " 'invocation': {'argv': ['run', 'x.json'], 'seed': '7', 'environment': {'POCL': '8'},"        \
    "  'settings': {'runs': ['5'], 'output-dir': ['results']},"                                    \
    "  'entries': [{'bench': 'fake', 'options': {'tasks': ['3'], 'quick': ['true']}}]},"           \
    " 'devices': [{'id': 'uuid:1', 'name': 'H200', 'driver_version': '580', 'compute_units': "     \
    "132}]}"

static cJSON *document(void)
{
    char text[1024] = DOCUMENT;
    for (char *c = text; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    cJSON *parsed = cJSON_Parse(text);
    assert_non_null(parsed);
    return parsed;
}

/* The document with one text in the place of another, as of now. */
static void differs(const char *was, const char *is, const char *message)
{
    struct cb_err err = {CB_OK, ""};
    cJSON_Delete(earlier.document);
    earlier.document = document();
    char *before = cJSON_PrintUnformatted(earlier.document), now[1024];
    char *place = strstr(before, was);
    assert_non_null(place);
    snprintf(now, sizeof now, "%.*s%s%s", (int)(place - before), before, is, place + strlen(was));
    cJSON *changed = cJSON_Parse(now);
    assert_non_null(changed);
    assert_int_equal(cb_earlier_check(&earlier, changed, &err), message ? CB_USAGE : CB_OK);
    if (message) {
        err.text[strcspn(err.text, "\n")] = '\0';
        assert_string_equal(err.text, message);
    }
    cJSON_Delete(changed);
    free(before);
}

TEST_WITH(what_differs_is_said, setup, teardown)
{
    differs("\"version\":\"1\"", "\"version\":\"2\"",
            "--resume: the version of coopbench was \"1\" in results/r1 and is \"2\" now");
    differs("abc", "def",
            "--resume: the commit of coopbench was \"abc\" in results/r1 and is \"def\" now");
    differs("\"kernels\":\"12\"", "\"kernels\":\"13\"",
            "--resume: the digest of the kernels was \"12\" in results/r1 and is \"13\" now");
    differs("[\"3\"]", "[\"4\"]", "--resume: --tasks was [\"3\"] in results/r1 and is [\"4\"] now");
    differs(",\"quick\":[\"true\"]", "",
            "--resume: --quick was [\"true\"] in results/r1 and is not given now");
    differs("\"runs\":[\"5\"]", "\"runs\":[\"5\"],\"clock\":[\"none\"]",
            "--resume: --clock was not given in results/r1 and is [\"none\"] now");
    differs("\"seed\":\"7\"", "\"seed\":\"8\"",
            "--resume: --seed was \"7\" in results/r1 and is \"8\" now");
    differs("\"POCL\":\"8\"", "\"POCL\":\"9\"",
            "--resume: POCL was \"8\" in results/r1 and is \"9\" now");
    differs("580", "590",
            "--resume: driver_version of the device H200 was \"580\" in results/r1 and is \"590\" "
            "now");
    differs("132", "114",
            "--resume: compute_units of the device H200 was 132 in results/r1 and is 114 now");
    differs("uuid:1", "uuid:2",
            "--resume: the device was \"uuid:1\" in results/r1 and is \"uuid:2\" now");
}

TEST_WITH(what_changes_nothing_may_differ, setup, teardown)
{
    differs("x.json", "y.json", NULL);
    differs("\"results\"", "\"other\"", NULL);
    differs("\"runs\":[\"5\"]", "\"runs\":[\"5\"],\"resume\":[\"latest\"],\"quiet\":[\"true\"]",
            NULL);
}

/* --- Folders ---------------------------------------------------------------------------------- */

#define RUN(version)                                                                               \
    "{\"schema\": \"coopbench-run\", \"schema_version\": \"" version "\", \"cases\": []}"
#define ROW(id, rest) "{\"id\": \"" id "\", \"device\": \"d\", \"status\": \"ok\"" rest "}"
#define EMPTY(id)     ROW(id, ", \"metrics\": []")

TEST_WITH(a_row_that_was_cut_short_is_left_out, setup, teardown)
{
    char run[128], link[160];
    struct cb_err err = {CB_OK, ""};
    cb_earlier_free(&earlier);
    snprintf(run, sizeof run, "%s/r1", folder);
    snprintf(link, sizeof link, "%s/latest", folder);
    assert_int_equal(mkdir(run, 0777), 0);
    assert_int_equal(symlink("r1", link), 0);
    write_text("r1/run.json", RUN("1.0"));
    write_text("r1/events.jsonl", EMPTY("a") "\n" EMPTY("b") "\n" EMPTY("c"));
    assert_int_equal(cb_earlier_load(&earlier, folder, "latest", &err), CB_OK);
    assert_string_equal(earlier.folder, run);
    assert_int_equal(cJSON_GetArraySize(earlier.rows), 2);
    cb_earlier_free(&earlier);
    assert_int_equal(cb_earlier_load(&earlier, folder, "r2", &err), CB_USAGE);
    cb_earlier_free(&earlier);
    write_text("r1/run.json", "[");
    assert_int_equal(cb_earlier_load(&earlier, "elsewhere", link, &err), CB_USAGE);
}
