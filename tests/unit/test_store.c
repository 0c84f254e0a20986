/* SPDX-License-Identifier: Apache-2.0
 *
 * What a history reads of a run, whatever its document holds.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/history/history.h"
#include "analysis/store/stored_run.h"
#include "measure/text/json.h"
#include "tests/unit/unit.h"

#define MOST 8 /* runs of a test */

static struct cb_layouts layouts;
static struct cb_stored_run runs[MOST];
static int n_runs;

static int setup(void **unused)
{
    (void)unused;
    layouts = (struct cb_layouts){0};
    n_runs = 0;
    return 0;
}

static int teardown(void **unused)
{
    (void)unused;
    for (int i = 0; i < n_runs; i++)
        cb_stored_run_free(&runs[i]);
    cb_layouts_free(&layouts);
    return 0;
}

static cJSON *make_document(double median)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "{\"schema\": \"coopbench-run\", \"schema_version\": \"2.0\", \"run_id\": \"one\","
        "\"time\": {\"start\": \"2026-11-20T07:10:33Z\"}, \"tool\": {\"git_sha\": \"abc\"},"
        "\"host\": {\"hostname\": \"h%g\", \"cpu\": \"c\", \"load_avg\": [%g]},"
        "\"devices\": [{\"id\": \"d\", \"name\": \"D\", \"driver_version\": \"1\","
        "\"ns_per_tick\": %g}], \"findings\": [], \"cases\": ["
        "{\"id\": \"f/0\", \"bench\": \"f\", \"device\": \"d\", \"status\": \"ok\","
        "\"params\": {\"a\": 1, \"b\": {\"c\": [2]}}, \"metrics\": [{\"name\": \"time\","
        "\"unit\": \"ns\", \"better\": \"lower\", \"n\": 9, \"median\": %g, \"ci95_low\": 1,"
        "\"ci95_high\": 99, \"round_medians\": [1, 2]}, {\"name\": \"core_speed\", \"unit\":"
        "\"1\", \"better\": \"none\", \"n\": 9, \"median\": 0.5, \"round_medians\": [3, 4]}]},"
        "{\"id\": \"f/1\", \"device\": \"d\", \"status\": \"timeout\", \"metrics\": [{\"name\":"
        "\"time\", \"n\": 9, \"median\": 7}]},"
        "{\"id\": \"f/2\", \"device\": \"d\", \"status\": \"ok\", \"metrics\": [{\"name\":"
        "\"time\", \"n\": 1, \"median\": 7}]}]}",
        median, median, median, median);
    cJSON *document = cJSON_Parse(text);
    assert_non_null(document);
    return document;
}

/* Takes the document. */
static enum cb_status add(cJSON *tree)
{
    struct cb_run_document document = {.tree = tree, .file = "one/run.json"};
    struct cb_err err;
    assert_true(n_runs < MOST);
    runs[n_runs] = (struct cb_stored_run){0};
    const enum cb_status status = cb_stored_run_make(&document, &layouts, &runs[n_runs++], &err);
    cJSON_Delete(tree);
    return status;
}

TEST_WITH(levels, setup, teardown)
{
    assert_int_equal(add(make_document(5)), CB_OK);
    const struct cb_stored_run *run = &runs[0];
    assert_string_equal(run->id, "one");
    assert_string_equal(cb_stored_run_start(run), "2026-11-20T07:10:33Z");
    assert_null(cJSON_GetObjectItemCaseSensitive(run->head, "cases"));
    assert_null(cJSON_GetObjectItemCaseSensitive(run->head, "devices"));
    assert_int_equal(run->layout->n_metrics, 4);
    assert_true(run->levels[0].median == 5 && run->levels[0].speed == 0.5);
    assert_true(run->levels[1].median == 0.5 && isnan(run->levels[1].speed));
    assert_true(isnan(run->levels[2].median)); /* the case failed */
    assert_true(run->levels[3].median == 7);
    assert_string_equal(run->layout->table.cases[1].id, "f/1");
}

/* Numbers, and what is not compared of a host and a device, are not in the layout. */
TEST_WITH(layouts, setup, teardown)
{
    cJSON *other = make_document(6);
    assert_int_equal(add(make_document(5)), CB_OK);
    assert_int_equal(add(make_document(6)), CB_OK);
    assert_ptr_equal(runs[0].layout, runs[1].layout);
    cJSON_ReplaceItemInObject(cJSON_GetObjectItem(other, "devices")->child, "driver_version",
                              cJSON_CreateString("2"));
    assert_int_equal(add(other), CB_OK);
    assert_int_equal(layouts.n, 2);
    assert_ptr_equal(cb_layouts_find(&layouts, runs[2].layout->hash), runs[2].layout);
    assert_null(cb_layouts_find(&layouts, runs[2].layout->hash + 1));

    struct cb_layouts kept = {0};
    const struct cb_layout *layout;
    struct cb_err err;
    assert_int_equal(cb_layouts_add(&kept, runs[0].layout->text, "file", &layout, &err), CB_OK);
    assert_true(layout->hash == runs[0].layout->hash && layout->n_metrics == 4);
    assert_int_equal(cb_layouts_add(&kept, "{", "file", &layout, &err), CB_USAGE);
    assert_int_equal(kept.n, 1);
    cb_layouts_free(&kept);
}

TEST_WITH(a_case_twice, setup, teardown)
{
    cJSON *document = make_document(5), *cases = cJSON_GetObjectItem(document, "cases");
    cJSON_AddItemToArray(cases, cJSON_Duplicate(cases->child, true));
    assert_int_equal(add(document), CB_USAGE);
    assert_int_equal(layouts.n, 0);
}

/* The item at this place, the tree being 0, its first child 1; NULL: there are fewer. */
static cJSON *item_at(cJSON *tree, int *place)
{
    if ((*place)-- == 0)
        return tree;
    cJSON *child, *found = NULL;
    for (child = tree->child; child && !found; child = child->next)
        found = item_at(child, place);
    return found;
}

/* Makes an item one of another type, under the same name. */
static void turn_into(cJSON *item, const char *text)
{
    cJSON *other = cJSON_Parse(text), *child = item->child;
    assert_non_null(other);
    if (cJSON_IsString(item))
        cJSON_free(item->valuestring);
    item->type = other->type;
    item->child = other->child;
    item->valuestring = other->valuestring;
    item->valuedouble = other->valuedouble;
    item->valueint = other->valueint;
    other->child = NULL;
    other->valuestring = NULL;
    other->type = cJSON_NULL;
    cJSON_Delete(other);
    cJSON_Delete(child);
}

/* Any type anywhere: a run with it, between two without, has a history, or is refused. */
TEST_WITH(any_type_anywhere, setup, teardown)
{
    static const char *const others[] = {"null", "true", "-1e300", "\"\"",
                                         "[]",   "{}",   "[[7]]",  "{\"id\": {\"name\": 1}}"};
    const struct cb_history_rules rules = {.points = cb_change_rules};
    int tried = 0, ok = 0;
    for (size_t i = 0; i < CB_COUNTOF(others); i++)
        for (int place = 1;; place++) {
            cJSON *document = make_document(5);
            int left = place;
            cJSON *item = item_at(document, &left);
            if (!item) {
                cJSON_Delete(document);
                break;
            }
            turn_into(item, others[i]);
            assert_int_equal(add(make_document(4)), CB_OK);
            const enum cb_status status = add(document);
            assert_int_equal(add(make_document(6)), CB_OK);
            struct cb_history history;
            struct cb_err err;
            if (status == CB_OK) {
                assert_int_equal(cb_history_find(runs, n_runs, &rules, &history, &err), CB_OK);
                cb_history_free(&history);
            } else {
                assert_int_equal(status, CB_USAGE);
            }
            tried++;
            ok += status == CB_OK;
            teardown(NULL);
            setup(NULL);
        }
    assert_true(tried > 400 && ok > tried / 2 && ok < tried);
}

/* What others disturbed has no level, and is no failure. */
TEST_WITH(disturbed_cases, setup, teardown)
{
    cJSON *document = make_document(5);
    cJSON *c = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "cases"), 0);
    cJSON_AddStringToObject(cJSON_AddObjectToObject(c, "disturbed"), "sign", "nvml");
    assert_int_equal(add(document), CB_OK);
    assert_int_equal(add(make_document(5)), CB_OK);
    assert_true(isnan(runs[0].levels[0].median));
    assert_true(runs[1].levels[0].median == 5);
    assert_int_equal(cb_stored_run_disturbed(&runs[0]), 1);
    assert_int_equal(cb_stored_run_disturbed(&runs[1]), 0);
    assert_int_equal(cJSON_GetArraySize(cb_stored_run_failures(&runs[0])), 1); /* f/1 */
}
