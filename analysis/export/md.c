/* SPDX-License-Identifier: Apache-2.0
 *
 * A Markdown table: a line for each metric, or for a case that is not ok.
 */
#include <math.h>
#include <string.h>

#include "analysis/export/export.h"
#include "measure/text/json.h"
#include "measure/text/markup.h"
#include "measure/text/units.h"

/* A value in its unit: "139 µs", "12.3 GB/s", "528 workgroups". */
static void format_value(char *text, size_t size, const cJSON *metric, double value)
{
    const char *unit = cb_json_text(metric, "unit", "1");
    if (!isfinite(value))
        text[0] = '\0';
    else if (value >= 0 && cb_export_is_time(metric))
        cb_format_time(text, size, value);
    else if (value >= 0 && (strcmp(unit, "B/s") == 0 || strcmp(unit, "ops/s") == 0))
        cb_format_quantity(text, size, value, unit);
    else
        snprintf(text, size, "%.6g%s%s", value, strcmp(unit, "1") == 0 ? "" : " ",
                 strcmp(unit, "1") == 0 ? "" : unit);
}

static void print_value(FILE *out, const cJSON *metric, double value)
{
    char text[128];
    format_value(text, sizeof text, metric, value);
    cb_markup_cell(out, text);
}

/* The cells that a case's lines begin with. */
static void print_case(FILE *out, const struct cb_export *e, const cJSON *run, const cJSON *item)
{
    fputs("| ", out);
    if (e->n_runs > 1) {
        cb_markup_cell(out, cb_json_text(run, "run_id", ""));
        fputs(" | ", out);
    }
    cb_markup_cell(out, cb_json_text(cb_export_device(run, item), "name", "unnamed device"));
    fputs(" | ", out);
    cb_markup_cell(out, cb_json_text(item, "id", ""));
    fputs(" | ", out);
}

static void print_metric(FILE *out, const cJSON *metric)
{
    double low, high;
    cb_markup_cell(out, cb_json_text(metric, "name", ""));
    fputs(" | ", out);
    print_value(out, metric, cb_json_number(metric, "median"));
    fputs(" | ", out);
    if (cb_export_interval(metric, &low, &high)) {
        print_value(out, metric, low);
        fputs(" to ", out);
        print_value(out, metric, high);
    }
    fprintf(out, " | %.0f |\n", cb_json_number(metric, "n"));
}

static void print_failure(FILE *out, const cJSON *item)
{
    cb_markup_cell(out, cb_json_text(item, "status", ""));
    fputs(" | ", out);
    cb_markup_cell(out, cb_json_text(item, "reason", ""));
    fputs(" |  |  |\n", out);
}

int cb_export_md(FILE *out, const struct cb_export *e)
{
    int count = 0;
    fprintf(out, "%s device | case | metric | median | 95 %% interval | n |\n",
            e->n_runs > 1 ? "| run |" : "|");
    fprintf(out, "%s --- | --- | --- | ---: | --- | ---: |\n", e->n_runs > 1 ? "| --- |" : "|");
    for (int i = 0; i < e->n_runs; i++) {
        const cJSON *item, *metric;
        cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(e->runs[i], "cases")) {
            const cJSON *metrics = cJSON_GetObjectItemCaseSensitive(item, "metrics");
            count++;
            if (cJSON_GetArraySize(metrics) == 0) {
                print_case(out, e, e->runs[i], item);
                print_failure(out, item);
            }
            cJSON_ArrayForEach (metric, metrics) {
                print_case(out, e, e->runs[i], item);
                print_metric(out, metric);
            }
        }
    }
    return count;
}
