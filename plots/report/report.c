/* SPDX-License-Identifier: Apache-2.0 */
#include "plots/report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/names.h"
#include "analysis/compare/rules.h"
#include "measure/text/json.h"
#include "measure/text/markup.h"
#include "plots/report/parts.h"
#include "runtime/host/files.h"
#include "runtime/host/signals.h"
#include "runtime/source.h"
#include "runtime/version.h"

/* Prints a file of ours (style, script) inside its element. */
static enum cb_status print_source(FILE *out, const char *tag, const char *file, struct cb_err *err)
{
    char *text = NULL;
    enum cb_status status = cb_source_read(file, &text, err);
    if (status == CB_OK)
        fprintf(out, "<%s>\n%s</%s>\n", tag, text, tag);
    free(text);
    return status;
}

static enum cb_status print_head(const struct cb_report *report, struct cb_err *err)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>coopbench: ",
          report->out);
    if (report->runs->count == 1)
        cb_markup_text(report->out, cb_json_text(report->runs->items[0], "run_id", "a run"));
    else
        fprintf(report->out, "%d runs", report->runs->count);
    fputs("</title>\n", report->out);
    enum cb_status status = print_source(report->out, "style", "plots/report/page.css", err);
    fputs("</head>\n<body>\n<header><h1>coopbench</h1><nav><a href=\"#runs\">Runs</a> "
          "<a href=\"#devices\">Devices</a> <a href=\"#failures\">Not ok</a> "
          "<a href=\"#benchmarks\">Benchmarks</a> <a href=\"#compare\">Comparison</a> ",
          report->out);
    if (report->fleet)
        fputs("<a href=\"#fleet\">Fleet</a> ", report->out);
    fputs("<a href=\"#history\">History</a> <a href=\"#words\">Words</a> "
          "<a href=\"#cases\">All cases</a></nav></header>\n<main>\n",
          report->out);
    return status;
}

static enum cb_status print_page(const struct cb_report *report, struct cb_err *err)
{
    enum cb_status status = print_head(report, err);
    cb_report_summary(report);
    if (status == CB_OK)
        status = cb_report_benches(report, err);
    cb_report_compare(report);
    if (report->fleet)
        cb_report_fleet(report, report->fleet);
    cb_report_history(report);
    cb_report_words(report);
    fputs("<section id=\"cases\"><h2>All cases</h2>\n<noscript>This table needs "
          "JavaScript.</noscript>\n</section>\n</main>\n<footer>Written by coopbench ",
          report->out);
    cb_markup_text(report->out, cb_version.version);
    fputs("; nothing in this page is loaded from elsewhere.</footer>\n", report->out);
    cb_report_data(report);
    if (status == CB_OK)
        status = print_source(report->out, "script", "plots/report/page.js", err);
    if (status == CB_OK)
        status = print_source(report->out, "script", "plots/report/compare.js", err);
    if (status == CB_OK)
        status = print_source(report->out, "script", "plots/report/history.js", err);
    fputs("</body>\n</html>\n", report->out);
    return status;
}

static enum cb_status cannot_write(const char *path, struct cb_err *err)
{
    return cb_fail(err, CB_ERROR, "cannot write %s: %s", path, strerror(errno));
}

/* The runs that --baseline means, which are read if they are not there yet; ends with NULL. */
static enum cb_status find_baselines(struct cb_runs *runs, struct cb_texts names,
                                     const cJSON ***baselines, struct cb_err *err)
{
    int n = names.n, index;
    const cJSON **found = calloc((size_t)n + 1, sizeof *found);
    *baselines = found;
    if (!found)
        return cb_no_memory(err);
    for (int i = 0; i < n; i++) {
        if (cb_runs_find(runs, cb_texts_at(names, i), &index, err) != CB_OK)
            return cb_context(err, "--baseline");
        found[i] = runs->items[index];
    }
    return CB_OK;
}

static enum cb_status write_file(const char *path, const char *text, size_t size,
                                 struct cb_err *err)
{
    FILE *out = fopen(path, "we");
    if (out)
        fwrite(text, 1, size, out);
    return out && cb_close_safely(out) ? CB_OK : cannot_write(path, err);
}

/* In memory first, so that a page that is there stays until this one is whole. */
static enum cb_status write_page(const struct cb_report *parts, const char *folder,
                                 const char *path, struct cb_err *err)
{
    struct cb_report report = *parts;
    struct cb_export rows = {0};
    char *page = NULL;
    size_t size = 0;
    enum cb_status status = cb_make_folders(folder, err);
    if (status == CB_OK)
        status = cb_export_open(&rows, (const cJSON *const *)report.runs->items, report.runs->count,
                                err);
    report.out = status == CB_OK ? open_memstream(&page, &size) : NULL;
    if (status == CB_OK && !report.out)
        status = cb_no_memory(err);
    if (report.out) {
        struct cb_report_fleet *fleet = cb_report_fleet_open(&report);
        report.rows = &rows;
        report.fleet = fleet;
        status = print_page(&report, err);
        cb_report_fleet_close(fleet);
        if (fclose(report.out) != 0 && status == CB_OK)
            status = cb_no_memory(err);
    }
    if (status == CB_OK && cb_caught_signal())
        status = cb_fail(err, CB_INTERRUPTED, "interrupted");
    if (status == CB_OK)
        status = write_file(path, page, size, err);
    cb_export_close(&rows);
    free(page);
    return status;
}

enum cb_status cb_report_write(struct cb_runs *runs, const struct cb_report_options *options,
                               const char *folder, char path[PATH_MAX], struct cb_err *err)
{
    struct cb_compare_rules rules = {0};
    struct cb_report report = {.runs = runs, .rules = &rules};
    struct cb_report_levels levels = {0};
    if (snprintf(path, PATH_MAX, "%s/report.html", folder) >= PATH_MAX)
        return cb_fail(err, CB_USAGE, "path too long: %s", folder);
    enum cb_status status = cb_compare_rules_read(&options->rules, &rules, err);
    if (status == CB_OK)
        status = find_baselines(runs, options->baselines, &report.baselines, err);
    if (status == CB_OK)
        status =
            cb_compare_check_names((const cJSON *const *)runs->items, runs->count, &rules, err);
    if (status == CB_OK) {
        cb_runs_sort(runs);
        status = cb_report_levels_find(runs, options->accepted, &levels, err);
        report.levels = status == CB_OK ? &levels : NULL;
        status = status == CB_SKIPPED ? CB_OK : status;
    }
    if (status == CB_OK)
        status = write_page(&report, folder, path, err);
    cb_report_levels_free(&levels);
    free(report.baselines);
    cb_compare_rules_free(&rules);
    return status;
}
