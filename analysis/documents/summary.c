/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/summary.h"

#include <string.h>

#include "analysis/documents/disturbed.h"
#include "measure/text/json.h"
#include "runtime/host/error.h"

void cb_summary_update(cJSON *document)
{
    static const enum cb_status counted[] = {
        CB_OK,      CB_UNSUPPORTED,   CB_SKIPPED,     CB_ERROR, CB_CRASHED,
        CB_TIMEOUT, CB_VERIFY_FAILED, CB_INTERRUPTED, CB_USAGE};
    cJSON *summary = cJSON_CreateObject();
    const cJSON *c, *cases = cJSON_GetObjectItemCaseSensitive(document, "cases");
    cJSON_AddNumberToObject(summary, "cases", cJSON_GetArraySize(cases));
    for (size_t i = 0; i < CB_COUNTOF(counted); i++) {
        int n = 0;
        cJSON_ArrayForEach (c, cases)
            n += cb_status_from_name(cb_json_text(c, "status", NULL)) == counted[i];
        cJSON_AddNumberToObject(summary, cb_status_name(counted[i]), n);
    }
    cb_json_put(document, "summary", summary);
    cb_disturbed_mark(document);
}

/* Whether others used a device of a run that was not to share it. */
static bool was_refused(const cJSON *document)
{
    const cJSON *row;
    const char *shared = cb_json_text(document, "shared", "");
    if (strcmp(shared, "wait") != 0 && strcmp(shared, "refuse") != 0)
        return false;
    cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(document, "cases"))
        if (cb_row_is_disturbed(row))
            return true;
    return false;
}

int cb_summary_exit_code(const cJSON *document, int signal_number)
{
    const cJSON *summary = cJSON_GetObjectItemCaseSensitive(document, "summary");
    /* by precedence: a wrong answer says more than a hang, a hang more than an error */
    static const struct {
        enum cb_status status;
        int code;
    } codes[] = {
        {CB_VERIFY_FAILED, 3}, {CB_TIMEOUT, 4}, {CB_CRASHED, 1}, {CB_ERROR, 1}, {CB_USAGE, 2}};
    if (signal_number)
        return 128 + signal_number;
    for (size_t i = 0; i < CB_COUNTOF(codes); i++)
        if (cb_json_number(summary, cb_status_name(codes[i].status)) > 0)
            return codes[i].code;
    if (was_refused(document))
        return 7;
    return cb_json_number(summary, "ok") > 0 ? 0 : 77;
}
