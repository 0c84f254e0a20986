/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the page that tells what changed from run to run, and the data of all charts.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/write.h"
#include "analysis/documents/history.h"
#include "analysis/documents/row_json.h"
#include "measure/bench.h"
#include "measure/text/json.h"
#include "measure/text/markup.h"
#include "plots/report/parts.h"
#include "runtime/host/text.h"

#define MOST_CHANGES 200

/* --- What changed ----------------------------------------------------------------------------- */

struct change {
    const struct cb_export_row *row;
    enum cb_mark mark;
    double size; /* size of the change, in either direction */
};

/* Regressions first, then by size. */
static int by_weight(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    if ((x->mark == CB_MARK_WORSE) != (y->mark == CB_MARK_WORSE))
        return x->mark == CB_MARK_WORSE ? -1 : 1;
    return (x->size < y->size) - (x->size > y->size);
}

/* Whether the case has the same measurement in another unit, which changes as this one does. */
static bool is_derived(const struct cb_export_row *row)
{
    const char *from = cb_bench_derived_from(cb_json_text(row->item, "bench", ""),
                                             cb_json_text(row->metric, "name", ""));
    const cJSON *metric;
    cJSON_ArrayForEach (metric, cJSON_GetObjectItemCaseSensitive(row->item, "metrics"))
        if (from && strcmp(cb_json_text(metric, "name", ""), from) == 0)
            return true;
    return false;
}

static int find_changes(const struct cb_report *report, struct change *changes)
{
    int n = 0;
    for (size_t i = 0; i < report->rows->n_rows; i++) {
        const struct cb_export_row *row = &report->rows->rows[i];
        enum cb_mark mark = cb_mark_of(row);
        if (mark != CB_MARK_NONE && mark != CB_MARK_OTHER && !is_derived(row))
            changes[n++] =
                (struct change){row, mark, fabs(log1p(fmax(cb_history_change(row), -1)))};
    }
    qsort(changes, (size_t)n, sizeof *changes, by_weight);
    return n;
}

static bool several_devices(const struct change *changes, int n)
{
    for (int i = 1; i < n; i++)
        if (strcmp(cb_json_text(changes[i].row->device, "name", ""),
                   cb_json_text(changes[0].row->device, "name", "")) != 0)
            return true;
    return false;
}

static void print_median(const struct cb_report *report, const cJSON *metric)
{
    char text[128];
    cb_compare_value(text, sizeof text, cb_json_number(metric, "median"),
                     cb_json_text(metric, "unit", "1"));
    fputs("<td class=\"r\">", report->out);
    cb_markup_text(report->out, text);
    fputs("</td>", report->out);
}

static void print_change(const struct cb_report *report, const struct change *c, bool devices)
{
    const cJSON *metric = c->row->metric;
    fputs("<tr>", report->out);
    cb_report_element(report, "td", cb_json_text(c->row->run, "run_id", ""));
    if (devices)
        cb_report_element(report, "td", cb_json_text(c->row->device, "name", ""));
    cb_report_element(report, "td", cb_json_text(c->row->item, "id", ""));
    cb_report_element(report, "td", cb_json_text(metric, "name", ""));
    print_median(report, c->row->before->metric);
    print_median(report, metric);
    fprintf(report->out, "<td class=\"r\">%+.1f %%</td><td class=\"mark %s\">%s</td></tr>\n",
            100 * cb_history_change(c->row), cb_mark_name(c->mark), cb_mark_name(c->mark));
}

static void print_changes(const struct cb_report *report)
{
    struct change *changes = calloc(report->rows->n_rows + 1, sizeof *changes);
    int n = changes ? find_changes(report, changes) : 0;
    bool devices = several_devices(changes, n);
    fprintf(report->out,
            "<p>%d change%s from one run to the next: medians that differ by more than %.0f %%, "
            "with 95 %% intervals that have nothing in common. Runs on another host, device or "
            "driver are not held against each other. Processes of one build may differ as much: "
            "<a href=\"#compare\">Comparison</a> has a test.</p>\n",
            n, CB_PLURAL(n), 100 * CB_MARK_SHARE);
    if (n > 0)
        fprintf(report->out,
                "<div class=\"wide tall\"><table class=\"sort cards\"><thead><tr><th>run</th>%s"
                "<th>case</th><th>metric</th><th>before</th><th>then</th><th>change</th><th></th>"
                "</tr></thead><tbody>\n",
                devices ? "<th>device</th>" : "");
    for (int i = 0; i < n && i < MOST_CHANGES; i++)
        print_change(report, &changes[i], devices);
    if (n > 0)
        fputs("</tbody></table></div>\n", report->out);
    if (n > MOST_CHANGES)
        fprintf(report->out, "<p>These are the first %d: what is worse, then by size.</p>\n",
                MOST_CHANGES);
    free(changes);
}

void cb_report_history(const struct cb_report *report)
{
    fputs("<section id=\"history\"><h2>History</h2>\n", report->out);
    if (report->runs->count > 1) {
        cb_report_changes(report);
        fputs("<h3>All that several runs have</h3>\n"
              "<noscript>The charts need JavaScript.</noscript>\n<div id=\"chart\"></div>"
              "<div id=\"series\"></div>\n<h3>From one run to the next</h3>\n",
              report->out);
        print_changes(report);
    } else {
        fputs("<p>One run has none: name several, or their folder.</p>\n", report->out);
    }
    fputs("</section>\n", report->out);
}

/* --- Data for the script ---------------------------------------------------------------------- */

/* The number of a text among those that were met, which it joins if it is new. */
static int number_of(cJSON *met, const char *text)
{
    int n = 0;
    for (const cJSON *item = met->child; item; item = item->next, n++)
        if (strcmp(item->valuestring, text) == 0)
            return n;
    cJSON_AddItemToArray(met, cJSON_CreateString(text));
    return n;
}

static void print_texts(FILE *out, const char *key, const cJSON *texts)
{
    const cJSON *item;
    fprintf(out, ",\n\"%s\":[", key);
    cJSON_ArrayForEach (item, texts) {
        fputs(item != texts->child ? "," : "", out);
        cb_markup_script(out, item->valuestring);
    }
    fputc(']', out);
}

static void print_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, ",%.9g", value);
    else
        fputs(",null", out);
}

static int number_of_metric(cJSON *metrics, const char *name, const char *unit, const char *better)
{
    char key[256];
    snprintf(key, sizeof key, "%.80s\t%.40s\t%.20s", name, unit, better);
    return number_of(metrics, key);
}

static int number_of_measurement(void *metrics, const struct cb_measurement *m)
{
    return number_of_metric(metrics, m->name, m->unit, cb_better_name(m->better));
}

/* [metric, median, low, high, n, mark] */
static void print_metric(FILE *out, const struct cb_export_row *row, cJSON *metrics)
{
    static const char *const numbers[] = {"median", "ci95_low", "ci95_high", "n"};
    fprintf(out, "[%d",
            number_of_metric(metrics, cb_json_text(row->metric, "name", ""),
                             cb_json_text(row->metric, "unit", ""),
                             cb_json_text(row->metric, "better", "")));
    for (size_t i = 0; i < CB_COUNTOF(numbers); i++)
        print_number(out, cb_json_number(row->metric, numbers[i]));
    fprintf(out, ",%d]", cb_mark_of(row));
}

static int number_of_device(cJSON *devices, const cJSON *document, const cJSON *device)
{
    char key[512], slug[CB_SLUG_BYTES];
    cb_export_slug(document, device, slug);
    snprintf(key, sizeof key, "%s\t%.400s", slug, cb_json_text(device, "name", "unnamed device"));
    return number_of(devices, key);
}

/* Prints [run, device, "case", "status", "reason", [metrics]]; returns the row after the case's. */
static size_t print_case(const struct cb_report *report, int run, const cJSON *item, size_t row,
                         cJSON *devices, cJSON *metrics)
{
    const cJSON *document = report->runs->items[run];
    fprintf(report->out, "[%d,%d,", run,
            number_of_device(devices, document, cb_export_device(document, item)));
    cb_markup_script(report->out, cb_json_text(item, "id", ""));
    fputc(',', report->out);
    cb_markup_script(report->out, cb_json_text(item, "status", ""));
    fputc(',', report->out);
    cb_markup_script(report->out, cb_json_text(item, "reason", ""));
    fputs(",[", report->out);
    size_t first = row;
    for (; row < report->rows->n_rows && report->rows->rows[row].item == item; row++) {
        fputs(row > first ? "," : "", report->out);
        print_metric(report->out, &report->rows->rows[row], metrics);
    }
    fputs("]]", report->out);
    return row;
}

static void print_run(FILE *out, const cJSON *run, bool first)
{
    const cJSON *tool = cJSON_GetObjectItemCaseSensitive(run, "tool");
    const cJSON *time = cJSON_GetObjectItemCaseSensitive(run, "time");
    fputs(first ? "[" : ",\n[", out);
    cb_markup_script(out, cb_json_text(run, "run_id", ""));
    fputc(',', out);
    cb_markup_script(out, cb_json_text(time, "start", ""));
    fputc(',', out);
    cb_markup_script(out, cb_json_text(tool, "git_sha", ""));
    fputc(']', out);
}

/* At which runs which environment of a series begins, or goes on: "[[0,0],[60,1]]"; the caller's to
 * free. NULL: no memory. */
static char *environments_of(const struct cb_report_levels *l, const struct cb_case_series *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fputc('[', out);
    for (int i = 0; i < s->n; i++)
        if (i == 0 || s->values[i].environment != s->values[i - 1].environment)
            fprintf(out, "%s[%d,%d]", i ? "," : "", l->runs[s->values[i].run],
                    s->values[i].environment);
    fputc(']', out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* [number of its row or 0, "verdict", run, device, "case", metric], and of an environment, which of
 * the environments */
static void print_change_point(const struct cb_report *report, int i, cJSON *devices,
                               cJSON *metrics, cJSON *environments)
{
    const struct cb_report_levels *l = report->levels;
    const struct cb_history_change *c = &l->history.changes[i];
    const int run = l->runs[c->run];
    const struct cb_run_case *at = c->series->values[c->at].c;
    fprintf(report->out, "[%d,\"%s\",%d,%d,", l->numbers[i], cb_history_kind_name(c->kind), run,
            number_of_device(devices, report->runs->items[run], at->device_json));
    cb_markup_script(report->out, at->id);
    fprintf(report->out, ",%d", number_of_measurement(metrics, c->series->m));
    char *places = c->kind == CB_HISTORY_ENVIRONMENT ? environments_of(l, c->series) : NULL;
    if (places)
        fprintf(report->out, ",%d", number_of(environments, places));
    free(places);
    fputc(']', report->out);
}

/* It has a row, or it is the one that tells the environments of its series. */
static bool is_in_page(const struct cb_report_levels *l, int i)
{
    const struct cb_history_change *c = &l->history.changes[i];
    return l->numbers[i] > 0 ||
           (c->kind == CB_HISTORY_ENVIRONMENT && c->series->values[c->at].environment == 1);
}

static void print_change_points(const struct cb_report *report, cJSON *devices, cJSON *metrics)
{
    const struct cb_report_levels *l = report->levels;
    cJSON *environments = cJSON_CreateArray();
    const cJSON *item;
    const char *comma = "";
    fputs(",\n\"changes\":[", report->out);
    for (int i = 0; l && i < l->history.n; i++) {
        if (!is_in_page(l, i))
            continue;
        fprintf(report->out, "%s\n", comma);
        print_change_point(report, i, devices, metrics, environments);
        comma = ",";
    }
    fputs("],\n\"environments\":[", report->out);
    cJSON_ArrayForEach (item, environments)
        fprintf(report->out, "%s%s", item != environments->child ? "," : "", item->valuestring);
    fputc(']', report->out);
    cJSON_Delete(environments);
}

void cb_report_data(const struct cb_report *report)
{
    cJSON *devices = cJSON_CreateArray(), *metrics = cJSON_CreateArray();
    const cJSON *item;
    size_t row = 0;
    bool first = true;
    fputs("<script type=\"application/json\" id=\"data\">\n{\"runs\":[", report->out);
    for (int i = 0; i < report->runs->count; i++)
        print_run(report->out, report->runs->items[i], i == 0);
    fputs("],\n\"cases\":[", report->out);
    for (int i = 0; i < report->runs->count; i++)
        cJSON_ArrayForEach (item,
                            cJSON_GetObjectItemCaseSensitive(report->runs->items[i], "cases")) {
            fputs(first ? "\n" : ",\n", report->out);
            row = print_case(report, i, item, row, devices, metrics);
            first = false;
        }
    fputc(']', report->out);
    print_change_points(report, devices, metrics);
    cb_report_pairs(report, number_of_measurement, metrics);
    print_texts(report->out, "devices", devices);
    print_texts(report->out, "metrics", metrics);
    fputs("}\n</script>\n", report->out);
    cJSON_Delete(devices);
    cJSON_Delete(metrics);
}
