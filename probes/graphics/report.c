/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/report.h"

#include <math.h>
#include <string.h>

#include "analysis/documents/column.h"
#include "measure/text/json.h"
#include "measure/text/units.h"
#include "runtime/host/error.h"

/* "40.2 ms [40.1 ms, 40.3 ms]", without the interval where there is none. */
static void fill_interval(char cell[CB_CELL_BYTES], const cJSON *row, const char *metric)
{
    const struct cb_column column = {.metric = metric, .statistic = "median", .form = CB_FORM_TIME};
    char name[64], lower[24], upper[24];
    cb_column_cell(cell, row, &column);
    snprintf(name, sizeof name, "%s_lower", metric);
    cb_format_time(lower, sizeof lower, cb_json_metric(row, name, "median"));
    snprintf(name, sizeof name, "%s_upper", metric);
    cb_format_time(upper, sizeof upper, cb_json_metric(row, name, "median"));
    size_t n = strlen(cell);
    if (*lower && !isnan(cb_json_metric(row, metric, "median")))
        snprintf(cell + n, CB_CELL_BYTES - n, " [%s, %s]", lower, upper);
}

static void fill_period(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    fill_interval(cell, row, "period");
}

static void fill_duration(char cell[CB_CELL_BYTES], const struct cb_rows *rows, const cJSON *row)
{
    (void)rows;
    fill_interval(cell, row, "duration");
}

static const struct cb_column columns[] = {
    {.head = "scene", .param = "file"},
    {"t", "t", "median", CB_FORM_TIME},
    {.head = "P", .fill = fill_period},
    {.head = "E", .fill = fill_duration},
    {"frame p50", "frame_time_alone", "median", CB_FORM_TIME},
    {"with kernels", "frame_time_with", "median", CB_FORM_TIME},
    {"frame p99", "frame_time_alone", "p99", CB_FORM_TIME},
    {"with kernels", "frame_time_with", "p99", CB_FORM_TIME},
    {"late", "missed_alone", "median", CB_FORM_FINE_SHARE},
    {"with kernels", "missed_with", "median", CB_FORM_FINE_SHARE},
};

static void print_notes(FILE *out, const struct cb_rows *rows)
{
    const cJSON *note;
    fputc('\n', out);
    for (const cJSON *row = cb_rows_next(rows, NULL); row; row = cb_rows_next(rows, row))
        cJSON_ArrayForEach (note, cJSON_GetObjectItemCaseSensitive(row, "notes"))
            fprintf(out, "- %s: %s\n", cb_row_text(row, "file"), cb_json_item_text(note));
}

void cb_graphics_report(FILE *out, const cJSON *run)
{
    const cJSON *device;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        const struct cb_rows rows = {
            .run = run, .bench = "graphics", .device = cb_json_text(device, "id", "")};
        if (!cb_rows_next(&rows, NULL))
            continue;
        fprintf(out, "\n%s: a display needs it every P for E, if no kernel is longer than t\n\n",
                cb_json_text(device, "name", ""));
        cb_rows_print(out, &rows, columns, CB_COUNTOF(columns));
        print_notes(out, &rows);
    }
}
