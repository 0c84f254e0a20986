/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "benchmarks/apps/pairs.h"
#include "benchmarks/apps/plan.h"
#include "benchmarks/apps/report.h"
#include "measure/text/json.h"
#include "measure/text/table.h"
#include "measure/text/units.h"

static const cJSON *cases_of(const cJSON *run)
{
    return cJSON_GetObjectItemCaseSensitive(run, "cases");
}

/* ---- The table ------------------------------------------------------------------------------- */

static bool is_tuning(const cJSON *item, const char *device)
{
    return cb_apps_is_of(item, device) && cb_json_text(cb_json_params(item), "sizes", NULL);
}

static double tuned_time(const cJSON *item, unsigned size)
{
    char metric[32];
    snprintf(metric, sizeof metric, "wg_%u", size);
    return cb_json_metric(item, metric, "min");
}

/* The sizes that ran in some tuning; returns how many. */
static int tuned_sizes(const cJSON *run, const char *device, unsigned sizes[CB_APPS_MAX_SIZES])
{
    const cJSON *item;
    int n = 0;
    for (unsigned size = CB_APPS_LEAST_SIZE; size <= CB_APPS_MOST_SIZE; size *= 2) {
        bool ran = false;
        cJSON_ArrayForEach (item, cases_of(run))
            ran = ran || (is_tuning(item, device) && !isnan(tuned_time(item, size)));
        if (ran)
            sizes[n++] = size;
    }
    return n;
}

/* The best time has a star. */
static void fill_tuning(const struct cb_table *t, int row, const cJSON *item, const unsigned *sizes,
                        int n)
{
    const cJSON *params = cb_json_params(item);
    double best = INFINITY;
    for (int i = 0; i < n; i++)
        best = fmin(best, tuned_time(item, sizes[i]));
    snprintf(cb_table_cell(t, row, 0), CB_CELL_BYTES, "%.40s [%.40s]",
             cb_json_text(params, "app", ""), cb_json_text(params, "input_name", ""));
    snprintf(cb_table_cell(t, row, 1), CB_CELL_BYTES, "%.20s", cb_json_text(params, "mode", ""));
    for (int i = 0; i < n; i++) {
        char *cell = cb_table_cell(t, row, 2 + i);
        double time = tuned_time(item, sizes[i]);
        cb_format_time(cell, CB_CELL_BYTES, time);
        if (isnan(time))
            strcpy(cell, "-");
        else if (time == best)
            strcat(cell, " *");
    }
}

static void print_table(FILE *out, const cJSON *run, const char *device)
{
    unsigned sizes[CB_APPS_MAX_SIZES];
    int n = tuned_sizes(run, device, sizes), rows = 0;
    const cJSON *item;
    struct cb_table t;
    if (n == 0)
        return;
    if (cb_table_open(1 + cJSON_GetArraySize(cases_of(run)), 2 + n, ~3u, &t)) {
        strcpy(cb_table_cell(&t, 0, 0), "app [input]");
        strcpy(cb_table_cell(&t, 0, 1), "mode");
        for (int i = 0; i < n; i++)
            snprintf(cb_table_cell(&t, 0, 2 + i), CB_CELL_BYTES, "%u", sizes[i]);
        cJSON_ArrayForEach (item, cases_of(run))
            if (is_tuning(item, device))
                fill_tuning(&t, ++rows, item, sizes, n);
        t.rows = 1 + rows;
        fputs("\nTuning: least time of a run by work-items a workgroup (* best, - not run)\n\n",
              out);
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

/* ---- Notes ----------------------------------------------------------------------------------- */

static bool has_note(const cJSON *item, const char *text)
{
    const cJSON *note;
    cJSON_ArrayForEach (note, cJSON_GetObjectItemCaseSensitive(item, "notes"))
        if (strcmp(cJSON_GetStringValue(note), text) == 0)
            return true;
    return false;
}

static bool is_of_pair(const cJSON *item, const cJSON *other)
{
    const cJSON *a = cb_json_params(item);
    const cJSON *b = cb_json_params(other);
    return strcmp(cb_json_text(a, "app", ""), cb_json_text(b, "app", "")) == 0 &&
           strcmp(cb_json_text(a, "input_name", ""), cb_json_text(b, "input_name", "")) == 0;
}

/* Whether a tuning of the same pair before it says so, too. */
static bool is_repeated(const cJSON *run, const char *device, const cJSON *item, const char *text)
{
    const cJSON *before;
    for (before = cases_of(run)->child; before != item; before = before->next)
        if (is_tuning(before, device) && is_of_pair(before, item) && has_note(before, text))
            return true;
    return false;
}

static void print_notes(FILE *out, const cJSON *run, const char *device)
{
    const cJSON *item, *note;
    const char *separator = "\n";
    cJSON_ArrayForEach (item, cases_of(run)) {
        const cJSON *params = cb_json_params(item);
        if (!is_tuning(item, device))
            continue;
        cJSON_ArrayForEach (note, cJSON_GetObjectItemCaseSensitive(item, "notes")) {
            const char *text = cJSON_GetStringValue(note);
            if (is_repeated(run, device, item, text))
                continue;
            fprintf(out, "%s- %s [%s]: %s\n", separator, cb_json_text(params, "app", ""),
                    cb_json_text(params, "input_name", ""), text);
            separator = "";
        }
    }
}

void cb_apps_report_tuning(FILE *out, const cJSON *run, const char *device)
{
    print_table(out, run, device);
    print_notes(out, run, device);
}
