/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rows of a run neighbours have disturbed, and what the run's exit code is then.
 */
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#include "analysis/documents/disturbed.h"
#include "analysis/documents/summary.h"
#include "measure/text/json.h"
#include "runtime/neighbours/neighbours.h"

#define S  1e9
#define MS 1e6

/* ---- Rows ------------------------------------------------------------------------------------ */

static void note(cJSON *document, double begin_s, double end_s, const char *sign, double share)
{
    const struct cb_look look = {.begin_ns = (uint64_t)(S + begin_s * S),
                                 .end_ns = (uint64_t)(S + end_s * S),
                                 .sign = sign,
                                 .share = share,
                                 .longest_ns = sign ? 2.5 * MS : 0,
                                 .processes = sign ? 2 : 1,
                                 .bytes = 5};
    cJSON *object = cb_look_to_json(&look);
    cb_disturbed_note(document, "uuid:1", object, (uint64_t)S);
    cJSON_Delete(object);
}

static cJSON *new_row(cJSON *document, double begin_s, double end_s)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "device", "uuid:1");
    cJSON_AddNumberToObject(row, "begin_s", begin_s);
    cJSON_AddNumberToObject(row, "end_s", end_s);
    cJSON_AddItemToArray(cJSON_GetObjectItem(document, "cases"), row);
    return row;
}

static cJSON *new_document(void)
{
    cJSON *document = cJSON_CreateObject();
    cJSON_AddArrayToObject(document, "cases");
    return document;
}

static const cJSON *new_marked_row(cJSON *document, double begin_s, double end_s)
{
    cJSON *row = new_row(document, begin_s, end_s);
    cb_disturbed_mark_row(document, row);
    return row;
}

TEST(rows)
{
    cJSON *document = new_document();
    cJSON *before = new_row(document, 0.2, 0.9), *across = new_row(document, 0.8, 1.2);
    cJSON *within = new_row(document, 2.1, 2.2), *after = new_row(document, 3.5, 4);
    cJSON *elsewhere = new_row(document, 2.1, 2.2);
    cJSON_ReplaceItemInObject(elsewhere, "device", cJSON_CreateString("uuid:2"));
    note(document, 0, 1, NULL, 0);
    note(document, 1, 2, CB_SIGN_NVML, 0.2);
    note(document, 2, 3, CB_SIGN_NVML, 0.6);
    note(document, 3, 4, NULL, 0);
    cb_disturbed_mark(document);
    assert_false(cb_row_is_disturbed(before));
    assert_true(cb_row_is_disturbed(across));
    assert_true(cb_row_is_disturbed(within));
    assert_false(cb_row_is_disturbed(after));
    assert_false(cb_row_is_disturbed(elsewhere));
    const cJSON *mark = cJSON_GetObjectItem(within, "disturbed");
    assert_string_equal(cb_json_text(mark, "sign", ""), CB_SIGN_NVML);
    assert_true(cb_json_number(mark, "share") == 0.6); /* of its own time */
    mark = cJSON_GetObjectItem(across, "disturbed");
    assert_true(cb_json_number(mark, "share") == 0.2);
    mark = cJSON_GetObjectItem(new_marked_row(document, 1.5, 2.5), "disturbed");
    assert_true(fabs(cb_json_number(mark, "share") - 0.4) < 1e-6); /* the mean */
    assert_true(cb_json_number(mark, "longest_ns") == 2.5 * MS);
    const cJSON *device = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "neighbours"), 0);
    assert_true(cb_json_number(device, "looks") == 4);
    assert_true(cb_json_number(device, "processes") == 2);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(device, "spells")), 4);
    cJSON_Delete(document);
}

/* What a sample has seen may last until the next one, or two seconds. */
TEST(rows_between_samples)
{
    cJSON *document = new_document();
    cJSON *row = new_row(document, 2.1, 2.2), *later = new_row(document, 4.1, 4.2);
    note(document, 0, 1, NULL, 0);
    note(document, 1, 2, CB_SIGN_GAPS, 0.5);
    cb_disturbed_mark(document);
    assert_true(cb_row_is_disturbed(row));
    assert_false(cb_row_is_disturbed(later)); /* nobody has looked for so long */
    cJSON *between = new_row(document, 4.9, 4.95);
    note(document, 4.8, 5, NULL, 0);
    note(document, 5, 6, NULL, 0);
    cb_disturbed_mark(document);
    assert_true(cb_row_is_disturbed(row));
    assert_true(cb_row_is_disturbed(later)); /* it ended before somebody saw that all is quiet */
    assert_true(cb_row_is_disturbed(between));
    assert_false(cb_row_is_disturbed(new_marked_row(document, 5.1, 5.2)));
    cJSON_Delete(document);
}

/* What is known of a row is not forgotten with the looks: a run that is resumed may lack them. */
TEST(rows_that_are_marked)
{
    cJSON *document = new_document(), *row = new_row(document, 1.2, 1.5);
    cJSON_AddStringToObject(cJSON_AddObjectToObject(row, "disturbed"), "sign", CB_SIGN_CORES);
    note(document, 1, 2, NULL, 0);
    cb_disturbed_mark(document);
    assert_true(cb_row_is_disturbed(row));
    cJSON_Delete(document);
}

/* Rows are marked before the exit code is made of them. */
TEST(exit_codes_of_disturbed_runs)
{
    static const struct {
        const char *shared;
        int code;
    } rows[] = {{"warn", 0}, {"wait", 7}, {"refuse", 7}, {"ignore", 0}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        cJSON *document = new_document();
        cJSON_AddStringToObject(document, "shared", rows[i].shared);
        cJSON_AddStringToObject(new_row(document, 1.2, 1.5), "status", "ok");
        note(document, 1, 2, CB_SIGN_NVML, 0.2);
        cb_summary_update(document);
        assert_int_equal(cb_summary_exit_code(document, 0), rows[i].code);
        cJSON_Delete(document);
    }
}

/* Rows of documents that have no times are left as they are. */
TEST(rows_without_times)
{
    cJSON *document = new_document(), *row = new_row(document, 1, 2);
    cJSON_DeleteItemFromObject(row, "end_s");
    cJSON_AddObjectToObject(row, "disturbed");
    cb_disturbed_mark(document);
    assert_true(cb_row_is_disturbed(row));
    cJSON_Delete(document);
}
