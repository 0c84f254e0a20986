/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the history that tells at which run levels have changed: a table, to whose rows the
 * marks in the charts lead.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/write.h"
#include "analysis/history/write.h"
#include "measure/text/markup.h"
#include "plots/report/parts.h"

/* A shape for each, so that nobody has to tell colours apart. */
static const char *const shapes[CB_HISTORY_KINDS] = {
    [CB_HISTORY_FAILED] = "✗", [CB_HISTORY_WORSE] = "▼", [CB_HISTORY_ACCEPTED] = "✓",
    [CB_HISTORY_BETTER] = "▲", [CB_HISTORY_CORES] = "■", [CB_HISTORY_ENVIRONMENT] = "◆",
};

/* ---- A row ----------------------------------------------------------------------------------- */

static void print_run(FILE *out, const char *what, const struct cb_history *h, int run)
{
    fprintf(out, "%s <strong>", what);
    cb_markup_text(out, cb_history_run_id(h, run));
    fputs("</strong> ", out);
    cb_markup_text(out, cb_history_start(h, run));
    if (*cb_history_commit(h, run)) {
        fputs(", commit <code>", out);
        cb_markup_text(out, cb_history_commit(h, run));
        fputs("</code>", out);
    }
    fputs("<br>\n", out);
}

/* The commands that find the commit. */
static void print_bisect(FILE *out, const struct cb_history *h, const struct cb_history_change *c)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return;
    cb_history_print_bisect(memory, h, c, "", "");
    if (fclose(memory) == 0) {
        fputs("To find the commit:\n<pre>", out);
        cb_markup_text(out, text);
        fputs("</pre>", out);
    }
    free(text);
}

static void print_numbers(FILE *out, const struct cb_history_change *c)
{
    char low[32], high[32];
    cb_compare_percent(low, sizeof low, c->change.low);
    cb_compare_percent(high, sizeof high, c->change.high);
    if (isfinite(c->change.low) && isfinite(c->change.high))
        fprintf(out, "95 %% interval of the change: %s to %s, ", low, high);
    if (!isnan(c->p))
        fprintf(out, "p = %.0e, ", c->p);
    fprintf(out, "between levels of %d and %d runs<br>\n", c->before, c->after);
}

/* The reason, if there is one, or between which commits it was. */
static void print_summary(FILE *out, const struct cb_history *h, const struct cb_history_change *c)
{
    const char *good = cb_history_commit(h, c->run_before);
    const char *bad = cb_history_commit(h, c->run);
    char commits[64];
    snprintf(commits, sizeof commits, "commits %.12s..%.12s", good, bad);
    fputs("<summary>", out);
    cb_markup_text(out, c->accepted                               ? c->accepted->why
                        : c->why                                  ? c->why
                        : *good && *bad && strcmp(good, bad) != 0 ? commits
                                                                  : "where");
    fputs("</summary>\n", out);
}

static void print_detail(FILE *out, const struct cb_history *h, const struct cb_history_change *c)
{
    fputs("<td class=\"text\"><details>", out);
    print_summary(out, h, c);
    print_run(out, "Since", h, c->run);
    print_run(out, "The run before:", h, c->run_before);
    if (cb_history_is_level(c))
        print_numbers(out, c);
    if (c->accepted) {
        fputs("Accepted in ", out);
        cb_markup_text(out, c->accepted->file);
        fprintf(out, ", line %d<br>\n", c->accepted->line);
    }
    if (c->kind == CB_HISTORY_WORSE || c->kind == CB_HISTORY_BETTER)
        print_bisect(out, h, c);
    fputs("</details></td>", out);
}

static void print_value(FILE *out, double value, const char *unit)
{
    char text[128] = "";
    if (isfinite(value))
        cb_compare_value(text, sizeof text, value, unit);
    fputs("<td class=\"r\">", out);
    cb_markup_text(out, text);
    fputs("</td>", out);
}

static void print_row(const struct cb_report *report, int number, const struct cb_history_change *c)
{
    const struct cb_history *h = &report->levels->history;
    const char *kind = cb_history_kind_name(c->kind);
    const bool is_level = cb_history_is_level(c), is_of_case = c->kind != CB_HISTORY_ENVIRONMENT;
    char percent[32] = "";
    FILE *out = report->out;
    if (is_level)
        cb_compare_percent(percent, sizeof percent, c->change.estimate);
    fprintf(out,
            "<tr id=\"change-%d\" tabindex=\"-1\"><td class=\"verdict %s\">"
            "<a href=\"#change-%d\">%s %s</a></td>",
            number, kind, number, shapes[c->kind], kind);
    cb_report_element(report, "td", cb_history_run_id(h, c->run));
    cb_report_element(report, "td", is_of_case ? c->series->c->id : "");
    cb_report_element(report, "td", is_level ? c->series->m->name : "");
    print_value(out, c->from, c->series->m->unit);
    print_value(out, c->to, c->series->m->unit);
    fprintf(out, "<td class=\"r\">%s</td>", percent);
    print_detail(out, h, c);
    fputs("</tr>\n", out);
}

/* ---- All ------------------------------------------------------------------------------------- */

void cb_report_changes(const struct cb_report *report)
{
    const struct cb_report_levels *l = report->levels;
    FILE *out = report->out;
    if (!l)
        return;
    fputs("<h3>Changes of a level</h3>\n<p>As <code>coopbench history</code> finds them: ", out);
    cb_history_counts(out, &l->history);
    fprintf(out,
            ". A level is %zu runs or more; p &lt; %g after correction for all places and series. "
            "Values are those at the usual speed of the cores where runs tell it; a step that this "
            "speed explains is marked <em>cores</em>, with the values as measured.</p>\n",
            l->rules.points.least, l->rules.points.alpha);
    if (l->rows > 0)
        fputs("<div class=\"wide tall\"><table class=\"sort cards changes\"><thead><tr><th></th>"
              "<th>since</th><th>case</th><th>metric</th><th>before</th><th>after</th>"
              "<th>change</th><th>why, and where</th></tr></thead><tbody>\n",
              out);
    for (int i = 0; i < l->rows; i++)
        print_row(report, i + 1, &l->history.changes[l->order[i]]);
    if (l->rows > 0)
        fputs("</tbody></table></div>\n", out);
}
