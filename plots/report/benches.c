/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the page that has each benchmark's findings, tables and pictures.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/documents/beside.h"
#include "analysis/documents/findings.h"
#include "analysis/documents/inputs.h"
#include "measure/text/json.h"
#include "measure/text/markup.h"
#include "plots/gnuplot.h"
#include "plots/plot.h"
#include "plots/report/choose.h"
#include "plots/report/parts.h"
#include "runtime/host/files.h"

#define PATH_BYTES   (PATH_MAX + 256)
#define MOST_FIGURES 32
/* Most cases of a bench in the runs that are shown; more make no picture to read. */
#define MOST_CASES 20000

static const struct cb_file_kind picture = {"a picture", 100000000};

/* --- Findings --------------------------------------------------------------------------------- */

/* What a run's numbers mean for a device. */
static void print_findings(const struct cb_report *report, const struct cb_bench *bench,
                           const cJSON *run, const char *device)
{
    cJSON *findings = cb_findings_of(run, bench);
    const cJSON *finding;
    bool any = false;
    cJSON_ArrayForEach (finding, findings) {
        if (strcmp(cb_json_text(finding, "device", ""), device) != 0)
            continue;
        fputs(any ? "" : "<ul class=\"findings\">\n", report->out);
        cb_report_prose(report, "li", cb_json_text(finding, "text", ""));
        fputc('\n', report->out);
        any = true;
    }
    fputs(any ? "</ul>\n" : "", report->out);
    cJSON_Delete(findings);
}

/* --- Tables ----------------------------------------------------------------------------------- */

static void print_tables(const struct cb_report *report, const struct cb_bench *bench,
                         const cJSON *run)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = bench->report ? open_memstream(&text, &size) : NULL;
    if (!out)
        return;
    cb_report_print(out, bench, run);
    cb_inputs_print(out, run, bench->id);
    fclose(out);
    if (size > 0) {
        fprintf(report->out, "<details%s><summary>Tables of run ",
                report->runs->count == 1 ? " open" : "");
        cb_markup_text(report->out, cb_json_text(run, "run_id", "without an id"));
        fputs("</summary>\n", report->out);
        cb_markup_markdown(report->out, text);
        fputs("</details>\n", report->out);
    }
    free(text);
}

/* --- Pictures --------------------------------------------------------------------------------- */

/* Copies SVG from its element on, with ids that are the figure's own: "#gpPt4" is in each. Gnuplot
 * gives the plots of more than 26 panels the same ids, to which nothing refers: they are numbered.
 */
static void print_svg(FILE *out, const char *svg, const char *id)
{
    static const char *const before_ids[] = {"id='", "id=\"", "href='#", "href=\"#", "url(#"};
    static const char of_plot[] = "gnuplot_plot_";
    int plots = 0;
    const char *start = strstr(svg, "<svg");
    for (const char *c = start ? start : ""; *c;) {
        size_t n = 0;
        for (size_t i = 0; i < CB_COUNTOF(before_ids) && n == 0; i++)
            if (strncmp(c, before_ids[i], strlen(before_ids[i])) == 0)
                n = strlen(before_ids[i]);
        fwrite(c, 1, n ? n : 1, out);
        c += n ? n : 1;
        if (n)
            fprintf(out, "%s-", id);
        if (n && strncmp(c, of_plot, sizeof of_plot - 1) == 0)
            fprintf(out, "%d-", ++plots);
    }
}

static void print_figure(const struct cb_report *report, const char *folder,
                         const struct cb_figure *figure)
{
    char path[PATH_BYTES], *svg = NULL;
    struct cb_err err = {0};
    snprintf(path, sizeof path, "%s/%s.svg", folder, figure->id);
    fprintf(report->out, "<figure id=\"figure-%s\">", figure->id);
    if (cb_gnuplot_draw(folder, figure->id, "svg", &err) == CB_OK &&
        cb_read_file(path, &picture, &svg, &err) == CB_OK) {
        print_svg(report->out, svg, figure->id);
    } else {
        fputs("<p class=\"bad\">Not drawn: ", report->out);
        cb_markup_text(report->out, figure->title);
        fputs(". ", report->out);
        cb_markup_text(report->out, err.text);
        fputs("</p>", report->out);
    }
    fputs("</figure>\n", report->out);
    free(svg);
}

static void remove_files(const char *folder, const struct cb_figure *figure)
{
    static const char *const types[] = {"dat", "gp", "svg"};
    for (size_t i = 0; i < CB_COUNTOF(types); i++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s/%s.%s", folder, figure->id, types[i]);
        unlink(path);
    }
}

/* Draws in a folder of its own, which is gone afterwards. */
static enum cb_status print_figures(const struct cb_report *report, const struct cb_bench *bench,
                                    const struct cb_report_choice *c, struct cb_err *err)
{
    const struct cb_figure *figures[MOST_FIGURES];
    const char *base = getenv("TMPDIR");
    char folder[PATH_MAX];
    int n = 0;
    while (bench->figures && bench->figures[n].id)
        n++;
    if (n == 0 || n > MOST_FIGURES)
        return CB_OK;
    snprintf(folder, sizeof folder, "%s/coopbench-report-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder))
        return cb_fail(err, CB_ERROR, "no folder for pictures: %s", folder);
    enum cb_status status = cb_plot_write(bench, c->runs, c->count, folder, figures, &n, err);
    for (int i = 0; i < n; i++) {
        if (status == CB_OK)
            print_figure(report, folder, figures[i]);
        remove_files(folder, figures[i]);
    }
    rmdir(folder);
    return status;
}

static enum cb_status print_bench(const struct cb_report *report, const struct cb_bench *bench,
                                  struct cb_err *err)
{
    struct cb_report_choice c;
    enum cb_status status = CB_OK;
    if (!cb_report_choose(report, bench, &c)) {
        cb_report_choice_free(&c);
        return cb_no_memory(err);
    }
    if (c.count > 0) {
        fprintf(report->out, "<article id=\"bench-%s\">", bench->id);
        cb_report_element(report, "h3", bench->id);
        cb_report_element(report, "p", bench->summary);
        cb_report_choice_print(report, bench, &c, print_findings);
    }
    if (c.count > 0 && c.cases <= MOST_CASES) {
        status = print_figures(report, bench, &c, err);
        for (int i = c.count - 1; i >= 0; i--)
            print_tables(report, bench, c.runs[i]);
    } else if (c.count > 0) {
        fprintf(report->out,
                "<p>%d cases are too many for tables and pictures; they are below.</p>", c.cases);
    }
    if (c.count > 0)
        fputs("</article>\n", report->out);
    cb_report_choice_free(&c);
    return status;
}

enum cb_status cb_report_benches(const struct cb_report *report, struct cb_err *err)
{
    enum cb_status status = CB_OK;
    fputs("<section id=\"benchmarks\"><h2>Benchmarks</h2>\n", report->out);
    for (const struct cb_bench *const *b = cb_benches; *b && status == CB_OK; b++)
        status = print_bench(report, *b, err);
    fputs("</section>\n", report->out);
    return status;
}
