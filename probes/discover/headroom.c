/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/headroom.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/documents/column.h"
#include "measure/safe_groups.h"
#include "measure/text/json.h"
#include "runtime/host/text.h"

#define LEAST_LAUNCHES 1000

unsigned cb_headroom_launches(double share)
{
    return (unsigned)fmax(LEAST_LAUNCHES, cb_safe_groups_launches(share));
}

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum cb_status cb_headroom_add(struct cb_sample *sample, double share, struct cb_err *err)
{
    const cJSON *value, *values = cJSON_GetObjectItemCaseSensitive(sample->values, "groups_found");
    const size_t room = (size_t)cJSON_GetArraySize(values);
    double *found = calloc(room + 1, sizeof *found);
    size_t n = 0;
    if (!found)
        return cb_no_memory(err);
    cJSON_ArrayForEach (value, values)
        found[n++] = cJSON_GetNumberValue(value);
    qsort(found, n, sizeof *found, by_number);
    if (n > 0)
        cb_sample_add(sample, "groups_safe", found[(size_t)floor((1 - share) * (double)n + 1e-6)]);
    free(found);
    return CB_OK;
}

/* ---- The table ------------------------------------------------------------------------------- */

static void size_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    snprintf(cell, CB_CELL_BYTES, "%.0f%s", cb_row_number(row, "wg-size"),
             cb_row_number(row, "local_bytes") > 1 ? ", all local memory" : "");
}

static void share_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    snprintf(cell, CB_CELL_BYTES, "%.6g %% of %.0f", 100 * cb_row_number(row, "headroom"),
             cb_json_metric(row, "groups_found", "n"));
}

static void found_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    snprintf(cell, CB_CELL_BYTES, "%.0f to %.0f, median %.0f",
             cb_json_metric(row, "groups_found", "min"), cb_json_metric(row, "groups_found", "max"),
             cb_json_metric(row, "groups_found", "median"));
}

static void safe_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    snprintf(cell, CB_CELL_BYTES, "%.0f", cb_json_metric(row, "groups_safe", "median"));
}

void cb_headroom_report(FILE *out, const cJSON *run, const char *device_id)
{
    static const struct cb_column columns[] = {
        {.head = "work-items", .fill = size_cell},
        {.head = "launches", .fill = share_cell},
        {.head = "found", .fill = found_cell},
        {.head = "safe", .fill = safe_cell},
    };
    struct cb_rows rows = {.run = run, .bench = "discover", .device = device_id, .ok = true};
    cb_rows_have(&rows, "headroom");
    if (!cb_rows_next(&rows, NULL))
        return;
    fputs("\nWorkgroups that run at once in a share of all launches (" CB_HEADROOM_PROTOCOL
          "):\n\n",
          out);
    cb_rows_print(out, &rows, columns, CB_COUNTOF(columns));
}

void cb_headroom_findings(struct cb_findings *f)
{
    struct cb_rows rows = cb_findings_rows(f);
    cb_rows_have(&rows, "headroom");
    for (const cJSON *row = cb_rows_next(&rows, NULL); row; row = cb_rows_next(&rows, row)) {
        const double safe = cb_json_metric(row, "groups_safe", "median");
        const double bound = cb_json_metric(row, "groups_bound", "median");
        if (isnan(safe) || safe >= bound)
            continue;
        cb_finding_add(f, "headroom",
                       "In %.6g %% of %.0f launches at least %.0f workgroup%s of %.0f work-item%s "
                       "ran at once, where %.0f can: a kernel that waits for more of them will "
                       "wait in vain now and then.",
                       100 * cb_row_number(row, "headroom"),
                       cb_json_metric(row, "groups_found", "n"), safe, CB_PLURAL(safe),
                       cb_row_number(row, "wg-size"), CB_PLURAL(cb_row_number(row, "wg-size")),
                       bound);
    }
}
