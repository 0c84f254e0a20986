/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/history.h"

#include <math.h>
#include <string.h>

#include "measure/text/json.h"

const char *cb_mark_name(enum cb_mark mark)
{
    static const char *const names[] = {[CB_MARK_NONE] = "",
                                        [CB_MARK_BETTER] = "better",
                                        [CB_MARK_WORSE] = "worse",
                                        [CB_MARK_CHANGED] = "changed",
                                        [CB_MARK_OTHER] = "other machine"};
    return names[mark];
}

static bool same_text(const cJSON *a, const cJSON *b, const char *key)
{
    return strcmp(cb_json_text(a, key, ""), cb_json_text(b, key, "")) == 0;
}

static bool same_machine(const struct cb_export_row *a, const struct cb_export_row *b)
{
    const cJSON *host_a = cJSON_GetObjectItemCaseSensitive(a->run, "host");
    const cJSON *host_b = cJSON_GetObjectItemCaseSensitive(b->run, "host");
    return same_text(a->item, b->item, "device") &&
           same_text(a->device, b->device, "driver_version") &&
           same_text(host_a, host_b, "hostname") && same_text(host_a, host_b, "cpu");
}

double cb_history_change(const struct cb_export_row *row)
{
    if (!row->before)
        return NAN;
    double before = cb_json_number(row->before->metric, "median");
    return before != 0 ? (cb_json_number(row->metric, "median") - before) / fabs(before) : NAN;
}

enum cb_mark cb_mark_of(const struct cb_export_row *row)
{
    double low, high, low_before, high_before, change = cb_history_change(row);
    if (!row->before)
        return CB_MARK_NONE;
    if (!same_machine(row, row->before))
        return CB_MARK_OTHER;
    if (!cb_export_interval(row->metric, &low, &high) ||
        !cb_export_interval(row->before->metric, &low_before, &high_before) ||
        !(fabs(change) > CB_MARK_SHARE) || (low <= high_before && low_before <= high))
        return CB_MARK_NONE;
    const char *better = cb_json_text(row->metric, "better", "none");
    if (strcmp(better, "lower") == 0)
        return change < 0 ? CB_MARK_BETTER : CB_MARK_WORSE;
    if (strcmp(better, "higher") == 0)
        return change > 0 ? CB_MARK_BETTER : CB_MARK_WORSE;
    return CB_MARK_CHANGED;
}
