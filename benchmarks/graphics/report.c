/* SPDX-License-Identifier: Apache-2.0 */
#include "benchmarks/graphics/report.h"

#include <math.h>
#include <string.h>

#include "measure/text/json.h"
#include "measure/text/table.h"
#include "measure/text/units.h"
#include "runtime/host/error.h"

enum form { TEXT, TIME, INTERVAL, SHARE };

static const struct column {
    const char *head, *metric, *statistic;
    enum form form;
} columns[] = {
    {"scene", "", "", TEXT},
    {"t", "t", "median", TIME},
    {"P", "period", "median", INTERVAL},
    {"E", "duration", "median", INTERVAL},
    {"frame p50", "frame_time_alone", "median", TIME},
    {"with kernels", "frame_time_with", "median", TIME},
    {"frame p99", "frame_time_alone", "p99", TIME},
    {"with kernels", "frame_time_with", "p99", TIME},
    {"late", "missed_alone", "median", SHARE},
    {"with kernels", "missed_with", "median", SHARE},
};

static bool is_ours(const cJSON *item, const char *device)
{
    return strcmp(cb_json_text(item, "bench", ""), "graphics") == 0 &&
           strcmp(cb_json_text(item, "device", ""), device) == 0;
}

/* "40.2 ms [40.1 ms, 40.3 ms]", without the interval where there is none. */
static void format_interval(char cell[CB_CELL_BYTES], const cJSON *item, const char *metric)
{
    static const char *const ends[] = {"", "_lower", "_upper"};
    char name[64], texts[3][24];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", metric, ends[i]);
        cb_format_time(texts[i], sizeof texts[i], cb_json_metric(item, name, "median"));
    }
    snprintf(cell, CB_CELL_BYTES, texts[1][0] ? "%s [%s, %s]" : "%s", texts[0], texts[1], texts[2]);
}

static void format(char cell[CB_CELL_BYTES], const cJSON *item, const struct column *c)
{
    const char *status = cb_json_text(item, "status", "");
    double value = cb_json_metric(item, c->metric, c->statistic);
    if (c->form == TEXT)
        snprintf(cell, CB_CELL_BYTES, "%s", cb_json_text(cb_json_params(item), "file", ""));
    else if (isnan(value))
        snprintf(cell, CB_CELL_BYTES, "%s", strcmp(status, "ok") == 0 ? "-" : status);
    else if (c->form == TIME)
        cb_format_time(cell, CB_CELL_BYTES, value);
    else if (c->form == INTERVAL)
        format_interval(cell, item, c->metric);
    else
        snprintf(cell, CB_CELL_BYTES, "%.1f %%", 100 * value);
}

static void print_table(FILE *out, const cJSON *run, const char *device, int rows)
{
    struct cb_table table;
    const cJSON *item;
    int row = 0;
    if (cb_table_open(1 + rows, CB_COUNTOF(columns), ~1u, &table)) {
        for (int c = 0; c < (int)CB_COUNTOF(columns); c++)
            strcpy(cb_table_cell(&table, 0, c), columns[c].head);
        cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases")) {
            if (!is_ours(item, device))
                continue;
            row++;
            for (int c = 0; c < (int)CB_COUNTOF(columns); c++)
                format(cb_table_cell(&table, row, c), item, &columns[c]);
        }
        cb_table_print(out, &table);
    }
    cb_table_free(&table);
}

static void print_notes(FILE *out, const cJSON *run, const char *device)
{
    const cJSON *item, *note;
    fputc('\n', out);
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases"))
        if (is_ours(item, device))
            cJSON_ArrayForEach (note, cJSON_GetObjectItemCaseSensitive(item, "notes"))
                fprintf(out, "- %s: %s\n", cb_json_text(cb_json_params(item), "file", ""),
                        cJSON_GetStringValue(note));
}

void cb_graphics_report(FILE *out, const cJSON *run)
{
    const cJSON *device, *item;
    cJSON_ArrayForEach (device, cJSON_GetObjectItemCaseSensitive(run, "devices")) {
        const char *id = cb_json_text(device, "id", "");
        int rows = 0;
        cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run, "cases"))
            rows += is_ours(item, id);
        if (rows == 0)
            continue;
        fprintf(out, "\n%s: a display needs it every P for E, if no kernel is longer than t\n\n",
                cb_json_text(device, "name", ""));
        print_table(out, run, id, rows);
        print_notes(out, run, id);
    }
}
