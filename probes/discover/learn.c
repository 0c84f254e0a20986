/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/learn.h"

#include <stdlib.h>

#include "analysis/documents/beside.h"
#include "analysis/documents/rows.h"
#include "measure/safe_groups.h"
#include "measure/text/json.h"

static struct cb_safe_groups safe_groups_of(const cJSON *row)
{
    return (struct cb_safe_groups){
        .share = cb_row_number(row, "headroom"),
        .beside = cb_row_beside(row),
        .wg_size = cb_row_number(row, "wg-size"),
        .local_bytes = cb_row_number(row, "local_bytes"),
        .groups_safe = cb_json_metric(row, "groups_safe", "median"),
        .groups_most = cb_json_metric(row, "groups_found", "max"),
        .launches = cb_json_metric(row, "groups_found", "n"),
    };
}

bool cb_discover_learn(const cJSON *run, const char *device_id, cJSON *profile)
{
    struct cb_rows rows = {
        .run = run, .bench = "discover", .device = device_id, .ok = true, .metric = "groups_safe"};
    cb_rows_have(&rows, "headroom");
    cb_rows_have(&rows, "wg-size");
    cb_rows_lack(&rows, "dimensions");
    struct cb_safe_groups *list = calloc((size_t)cb_rows_count(&rows) + 1, sizeof *list);
    int n = 0;
    for (const cJSON *row = cb_rows_next(&rows, NULL); list && row;
         row = cb_rows_next(&rows, row)) {
        list[n] = safe_groups_of(row);
        n += cb_safe_groups_tells(&list[n]);
    }
    if (n > 0)
        cb_safe_groups_keep(profile, list, n);
    free(list);
    return n > 0;
}
