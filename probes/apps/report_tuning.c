/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "analysis/documents/rows.h"
#include "measure/text/json.h"
#include "measure/text/table.h"
#include "measure/text/units.h"
#include "probes/apps/plan.h"
#include "probes/apps/report.h"

/* ---- The table ------------------------------------------------------------------------------- */

static bool is_by_mean(const cJSON *row)
{
    return strcmp(cb_row_text(row, "tune-by"), "mean") == 0;
}

static double tuned_time(const cJSON *row, unsigned size)
{
    char metric[32];
    snprintf(metric, sizeof metric, "wg_%u", size);
    return cb_json_metric(row, metric, is_by_mean(row) ? "mean" : "min");
}

/* The sizes that ran in some tuning; returns how many. */
static int tuned_sizes(const struct cb_rows *tunings, unsigned sizes[CB_APPS_MAX_SIZES])
{
    int n = 0;
    for (unsigned size = CB_APPS_LEAST_SIZE; size <= CB_APPS_MOST_SIZE; size *= 2) {
        const cJSON *row = cb_rows_next(tunings, NULL);
        while (row && isnan(tuned_time(row, size)))
            row = cb_rows_next(tunings, row);
        if (row)
            sizes[n++] = size;
    }
    return n;
}

/* The best time has a star. */
static void fill_tuning(const struct cb_table *t, int line, const cJSON *row, const unsigned *sizes,
                        int n)
{
    double best = INFINITY;
    for (int i = 0; i < n; i++)
        best = fmin(best, tuned_time(row, sizes[i]));
    snprintf(cb_table_cell(t, line, 0), CB_CELL_BYTES, "%.40s [%.40s]", cb_row_text(row, "app"),
             cb_row_text(row, "input_name"));
    snprintf(cb_table_cell(t, line, 1), CB_CELL_BYTES, "%.20s", cb_row_text(row, "mode"));
    for (int i = 0; i < n; i++) {
        char text[32];
        double time = tuned_time(row, sizes[i]);
        cb_format_time(text, sizeof text, time);
        snprintf(cb_table_cell(t, line, 2 + i), CB_CELL_BYTES, "%s%s", isnan(time) ? "-" : text,
                 time == best ? " *" : "");
    }
}

static void print_table(FILE *out, const struct cb_rows *tunings)
{
    unsigned sizes[CB_APPS_MAX_SIZES];
    int n = tuned_sizes(tunings, sizes), line = 0;
    struct cb_table t;
    if (n == 0)
        return;
    if (cb_table_open(1 + cb_rows_count(tunings), 2 + n, ~3u, &t)) {
        strcpy(cb_table_cell(&t, 0, 0), "app [input]");
        strcpy(cb_table_cell(&t, 0, 1), "mode");
        for (int i = 0; i < n; i++)
            snprintf(cb_table_cell(&t, 0, 2 + i), CB_CELL_BYTES, "%u", sizes[i]);
        for (const cJSON *row = NULL; (row = cb_rows_next(tunings, row));)
            fill_tuning(&t, ++line, row, sizes, n);
        fprintf(out, "\nTuning: %s time of a run by work-items a workgroup (* best, - not run)\n\n",
                is_by_mean(cb_rows_next(tunings, NULL)) ? "mean" : "least");
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

/* ---- Notes ----------------------------------------------------------------------------------- */

static const cJSON *notes_of(const cJSON *row)
{
    return cJSON_GetObjectItemCaseSensitive(row, "notes");
}

static bool has_note(const cJSON *row, const char *text)
{
    const cJSON *note;
    cJSON_ArrayForEach (note, notes_of(row))
        if (strcmp(cb_json_item_text(note), text) == 0)
            return true;
    return false;
}

/* Whether an earlier tuning of the same pair says so, too. */
static bool is_repeated(const struct cb_rows *tunings, const cJSON *row, const char *text)
{
    struct cb_rows same = *tunings;
    cb_rows_like(&same, row, "app");
    cb_rows_like(&same, row, "input_name");
    const cJSON *earlier = cb_rows_next(&same, NULL);
    while (earlier != row && !has_note(earlier, text))
        earlier = cb_rows_next(&same, earlier);
    return earlier != row;
}

static void print_notes(FILE *out, const struct cb_rows *tunings)
{
    const char *separator = "\n";
    for (const cJSON *note, *row = NULL; (row = cb_rows_next(tunings, row));)
        cJSON_ArrayForEach (note, notes_of(row)) {
            const char *text = cb_json_item_text(note);
            if (is_repeated(tunings, row, text))
                continue;
            fprintf(out, "%s- %s [%s]: %s\n", separator, cb_row_text(row, "app"),
                    cb_row_text(row, "input_name"), text);
            separator = "";
        }
}

void cb_apps_report_tuning(FILE *out, const cJSON *run, const char *device)
{
    struct cb_rows tunings = {.run = run, .bench = "apps", .device = device};
    cb_rows_have(&tunings, "sizes");
    print_table(out, &tunings);
    print_notes(out, &tunings);
}
