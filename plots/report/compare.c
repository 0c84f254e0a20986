/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs of the page compared with each other, two at a time, as `coopbench compare` does. The page
 * has the results of all pairs that it offers: its reader has no program.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/load.h"
#include "analysis/compare/write.h"
#include "measure/text/json.h"
#include "measure/text/markup.h"
#include "plots/report/parts.h"

/* Most rows of all pairs together: some 5 MB; the first pair is there anyhow. */
#define MOST_ROWS  60000
#define MOST_TRIED 3000 /* pairs; of runs of many benchmarks most have nothing in common */

/* --- The place -------------------------------------------------------------------------------- */

void cb_report_compare(const struct cb_report *report)
{
    fputs("<section id=\"compare\"><h2>Comparison</h2>\n", report->out);
    if (report->runs->count > 1)
        fprintf(report->out,
                "<p>The verdicts of <code>coopbench compare</code>: a change counts from %g %% on, "
                "with p &lt; %g after correction for the number of comparisons. Ratio: median of "
                "the run by that of the baseline, with its 95 %% interval. Single processes cannot "
                "tell: they are inconclusive, measure in rounds (<code>--rounds 10</code>).</p>\n"
                "<noscript>This table needs JavaScript.</noscript>\n",
                100 * report->rules->thresholds[0].relative, report->rules->alpha);
    else
        fputs("<p>One run has nothing to be compared with: name several, or their folder.</p>\n",
              report->out);
    fputs("</section>\n", report->out);
}

/* --- Runs ------------------------------------------------------------------------------------- */

/* All runs of the page as comparisons need them, each made when it is asked for. */
struct work {
    const struct cb_report *report;
    int (*number_of)(void *context, const struct cb_measurement *m);
    void *context;
    struct cb_run_table *tables;
    enum cb_status *made; /* CB_SKIPPED: not yet */
    int *first;           /* case of each run among all cases of the page */
    int rows, tried, pairs;
};

static bool make_table(struct work *w, int i)
{
    struct cb_run_table *t = &w->tables[i];
    const char *file = w->report->runs->files[i], *slash = strrchr(file, '/');
    struct cb_err err = {0};
    if (w->made[i] != CB_SKIPPED)
        return w->made[i] == CB_OK;
    t->document.tree = w->report->runs->items[i];
    snprintf(t->document.file, sizeof t->document.file, "%s", file);
    snprintf(t->document.folder, sizeof t->document.folder, "%.*s", slash ? (int)(slash - file) : 1,
             slash ? file : ".");
    w->made[i] = cb_run_table_fill(t, file, &err);
    if (w->made[i] != CB_OK)
        fprintf(stderr, "Warning: not compared: %s\n", err.text);
    return w->made[i] == CB_OK;
}

static bool is_baseline(const struct work *w, int run)
{
    for (const cJSON **b = w->report->baselines; *b; b++)
        if (*b == w->report->runs->items[run])
            return true;
    return false;
}

/* --- A pair ----------------------------------------------------------------------------------- */

static void print_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, ",%.6g", value);
    else
        fputs(",null", out);
}

static int case_number(const struct work *w, const struct cb_run_case *c)
{
    for (int i = 0; i < w->report->runs->count; i++)
        if (w->made[i] == CB_OK && c >= w->tables[i].cases &&
            c < w->tables[i].cases + w->tables[i].count)
            return w->first[i] + (int)(c - w->tables[i].cases);
    return -1;
}

/* [verdict, case, metric or -1, change, low, high, p, baseline, run, "why", "what would do"] */
static void print_row(const struct work *w, const struct cb_comparison *row)
{
    FILE *out = w->report->out;
    const struct cb_change *change = &row->evidence.change;
    const double numbers[] = {change->estimate, change->low,      change->high,
                              row->evidence.p,  row->base.median, row->now.median};
    char why[512];
    fprintf(out, "[%d,%d,%d", row->verdict, case_number(w, row->c),
            row->m ? w->number_of(w->context, row->m) : -1);
    for (size_t i = 0; i < CB_COUNTOF(numbers); i++)
        print_number(out, row->compared ? numbers[i] : NAN);
    cb_compare_why(why, sizeof why, row);
    if (*why || row->rounds) {
        fputc(',', out);
        cb_markup_script(out, why);
    }
    if (row->rounds)
        fprintf(out, ",\"%u rounds\"", row->rounds);
    fputc(']', out);
}

/* Compares a run with the n baselines of these numbers; prints what comes of it. */
static void print_pair(struct work *w, const int *bases, int n, int run)
{
    struct cb_run_table *tables = calloc((size_t)n, sizeof *tables);
    struct cb_comparisons c;
    struct cb_err err = {0};
    bool sound = tables && make_table(w, run);
    for (int i = 0; i < n && sound; i++) {
        sound = make_table(w, bases[i]);
        tables[i] = w->tables[bases[i]];
    }
    w->tried++;
    if (sound && cb_compare(tables, n, &w->tables[run], w->report->rules, &c, &err) == CB_OK) {
        FILE *out = w->report->out;
        fputs(w->pairs++ ? ",\n[[" : "\n[[", out);
        for (int i = 0; i < n; i++)
            fprintf(out, "%s%d", i ? "," : "", bases[i]);
        fprintf(out, "],%d,[", run);
        for (int i = 0; i < c.count; i++) {
            fputs(i ? "," : "", out);
            print_row(w, &c.rows[i]);
        }
        fputs("]]", out);
        w->rows += c.count;
        cb_comparisons_free(&c);
    }
    free(tables);
}

static bool has_room(const struct work *w)
{
    return w->rows < MOST_ROWS && w->tried < MOST_TRIED;
}

/* --- Which pairs ------------------------------------------------------------------------------ */

static void print_with_baselines(struct work *w)
{
    int n = 0, runs = w->report->runs->count, *bases = calloc((size_t)runs, sizeof *bases);
    for (int i = 0; i < runs && bases; i++)
        if (is_baseline(w, i))
            bases[n++] = i;
    for (int run = runs - 1; run >= 0 && bases && has_room(w); run--)
        if (!is_baseline(w, run))
            print_pair(w, bases, n, run);
    free(bases);
}

static void print_each_other(struct work *w)
{
    int last = w->report->runs->count - 1;
    for (int base = last - 1; base >= 0 && has_room(w); base--)
        print_pair(w, &base, 1, last);
    for (int distance = 1; distance < last; distance++)
        for (int run = last - 1; run >= distance && has_room(w); run--)
            print_pair(w, &(int){run - distance}, 1, run);
}

void cb_report_pairs(const struct cb_report *report,
                     int (*number_of)(void *context, const struct cb_measurement *m), void *context)
{
    size_t n = (size_t)report->runs->count;
    struct work w = {.report = report,
                     .number_of = number_of,
                     .context = context,
                     .tables = calloc(n, sizeof *w.tables),
                     .made = calloc(n, sizeof *w.made),
                     .first = calloc(n + 1, sizeof *w.first)};
    fputs(",\n\"pairs\":[", report->out);
    for (size_t i = 0; i < n && w.made && w.first; i++) {
        w.made[i] = CB_SKIPPED;
        w.first[i + 1] =
            w.first[i] +
            cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(report->runs->items[i], "cases"));
    }
    if (w.tables && w.made && w.first && *report->baselines)
        print_with_baselines(&w);
    else if (w.tables && w.made && w.first)
        print_each_other(&w);
    fputs("\n],\n\"verdicts\":[", report->out);
    for (int v = 0; v < CB_VERDICTS; v++)
        fprintf(report->out, "%s\"%s\"", v ? "," : "", cb_verdict_name((enum cb_verdict)v));
    fputc(']', report->out);
    for (size_t i = 0; i < n && w.tables && w.made; i++)
        if (w.made[i] == CB_OK)
            cb_run_table_clear(&w.tables[i]);
    free(w.tables);
    free(w.made);
    free(w.first);
}
