/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/migrate/report.h"

#include "analysis/documents/column.h"
#include "measure/text/json.h"
#include "runtime/device.h"
#include "runtime/host/error.h"
#include "runtime/host/text.h"

/* "bfs [road]", "color (paper) [circuit]" */
static void label_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    const char *variant = cb_row_text(row, "variant");
    (void)rows;
    snprintf(cell, CB_CELL_BYTES, "%.40s%s%.20s%s [%.40s]", cb_row_text(row, "app"),
             *variant ? " (" : "", variant, *variant ? ")" : "", cb_row_text(row, "input_name"));
}

/* "131, 131" */
static void workers_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    if (cb_row_is_ok(row))
        snprintf(cell, CB_CELL_BYTES, "%.0f, %.0f", cb_json_metric(row, "workers", "median"),
                 cb_json_metric(row, "workers_there", "median"));
    else
        snprintf(cell, CB_CELL_BYTES, "-");
}

static void bytes_cell(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    const double bytes = cb_json_metric(row, "copied", "median");
    (void)rows;
    if (bytes > 0)
        cb_device_bytes((uint64_t)bytes, cell, CB_CELL_BYTES);
    else
        snprintf(cell, CB_CELL_BYTES, "-");
}

static const struct cb_column columns[] = {
    {.head = "app [input]", .fill = label_cell, .left = true},
    {.head = "workgroups here, there", .fill = workers_cell},
    {"moves", "moves", "median", CB_FORM_COUNT},
    {"within a run", "in_run", "mean", CB_FORM_SHARE},
    {"all gone", "gone_time", "median", CB_FORM_TIME},
    {.head = "buffers", .fill = bytes_cell},
    {"all copied", "copied_time", "median", CB_FORM_TIME},
    {"first phase there", "move_time", "median", CB_FORM_TIME},
    {"p95", "move_time", "p95", CB_FORM_TIME},
    {"and back", "back_time", "median", CB_FORM_TIME},
};

void cb_migrate_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        const struct cb_rows rows = {
            .run = run, .bench = "migrate", .device = cb_json_text(device, "id", "")};
        if (!cb_rows_next(&rows, NULL))
            continue;
        fprintf(out, "\n%s: moves to another device, times from the host's wish on\n\n",
                cb_json_text(device, "name", ""));
        cb_rows_print(out, &rows, columns, CB_COUNTOF(columns));
        cb_rows_print_notes(out, &rows, label_cell);
    }
}
