/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison as tables for people, in a terminal or in Markdown.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/rounds.h"
#include "analysis/compare/write.h"
#include "measure/param.h"
#include "measure/text/shell.h"
#include "measure/text/table.h"
#include "runtime/host/text.h"

#define MAX_ROWS 100 /* rows of a table for people, unless it is to have all */
#define MAX_OPEN 8   /* cases in the command that decides */

enum { VERDICT, CHANGE, INTERVAL, P, BASE, RUN, METRIC, CASE, WHY, COLUMNS };

static int rows_shown(const struct cb_compare_report *r, int *hidden)
{
    const struct cb_comparisons *c = r->comparisons;
    int n = 0, most = c->decidable ? MAX_ROWS : MAX_OPEN;
    while (n < c->count && (r->all || (r->rows[n]->verdict < CB_UNMEASURED && n < most)))
        n++;
    *hidden = c->count - c->of[CB_SAME] - c->of[CB_UNMEASURED] - n;
    return n;
}

static void put_numbers(const struct cb_table *t, int i, const struct cb_comparison *row)
{
    const struct cb_change *c = &row->evidence.change;
    char text[CB_CELL_BYTES], low[32], high[32];
    cb_compare_percent(text, sizeof text, c->estimate);
    cb_table_put(t, i, CHANGE, text);
    cb_compare_percent(low, sizeof low, c->low);
    cb_compare_percent(high, sizeof high, c->high);
    snprintf(text, sizeof text, "%s to %s", low, high);
    cb_table_put(t, i, INTERVAL, isfinite(c->low) && isfinite(c->high) ? text : "");
    snprintf(text, sizeof text, row->evidence.p < 0.001 ? "%.0e" : "%.3f", row->evidence.p);
    cb_table_put(t, i, P, isnan(row->evidence.p) ? "" : text);
    cb_compare_value(text, sizeof text, row->base.median, row->m->unit);
    cb_table_put(t, i, BASE, text);
    cb_compare_value(text, sizeof text, row->now.median, row->m->unit);
    cb_table_put(t, i, RUN, text);
}

static void put_row(const struct cb_table *t, int i, const struct cb_comparison *row)
{
    char why[CB_CELL_BYTES];
    cb_table_put(t, i, VERDICT, cb_verdict_name(row->verdict));
    if (row->compared)
        put_numbers(t, i, row);
    cb_table_put(t, i, METRIC, row->m ? row->m->name : "");
    cb_table_put(t, i, CASE, row->c->id);
    cb_compare_why(why, sizeof why, row);
    cb_table_put(t, i, WHY, why);
}

static void print_rows(FILE *out, const struct cb_compare_report *r, int n)
{
    static const char *const heads[] = {"verdict", "change", "95 % interval", "p",  "baseline",
                                        "run",     "metric", "case",          "why"};
    struct cb_table t;
    if (cb_table_open(1 + n, COLUMNS,
                      1u << CHANGE | 1u << INTERVAL | 1u << P | 1u << BASE | 1u << RUN, &t)) {
        for (int i = 0; i < COLUMNS; i++)
            cb_table_put(&t, 0, i, heads[i]);
        for (int i = 0; i < n; i++)
            put_row(&t, 1 + i, r->rows[i]);
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

/* ---- Around the table ------------------------------------------------------------------------ */

static void print_title(FILE *out, const struct cb_compare_report *r)
{
    const struct cb_comparisons *c = r->comparisons;
    fprintf(out, "%s compared with ", c->run->id);
    for (int b = 0; b < c->n_baselines; b++)
        fprintf(out, "%s%s", b ? ", " : "", c->baselines[b].id);
    fputs(": ", out);
    cb_compare_counts(out, c);
    fputs("\n", out);
}

static void print_source(FILE *out, const struct cb_run_table *t)
{
    if (t->n_with == 0)
        fprintf(out, "%s: no samples beside its run.json; its summaries are compared\n", t->id);
    else if (t->n_without > 0)
        fprintf(out,
                "%s: %d of its %d metrics do not agree with %s (edited, or cut off); of them, the "
                "summaries are compared\n",
                t->id, t->n_without, t->n_with + t->n_without, t->samples_from);
    if (!t->complete)
        fprintf(out, "%s is not complete: what is missing in it may not have been measured yet\n",
                t->id);
}

static int count_method(const struct cb_compare_report *r, enum cb_method method)
{
    int n = 0;
    for (int i = 0; i < r->comparisons->count; i++)
        n += r->comparisons->rows[i].compared && r->comparisons->rows[i].method == method;
    return n;
}

/* Where a change is not that of the medians beside it. */
static void print_methods(FILE *out, const struct cb_compare_report *r, int tests)
{
    int bests = count_method(r, CB_BY_BESTS), others = tests - bests;
    int adjusted = count_method(r, CB_BY_ADJUSTED_ROUNDS), runs = count_method(r, CB_BY_RUNS);
    if (runs)
        fprintf(out,
                "%d change%s of the run from the mean of %d baselines, and counted where "
                "one more of them would not lie\n",
                runs, runs == 1 ? " is that" : "s are those", r->comparisons->n_baselines);
    if (adjusted)
        fprintf(out,
                "%d change%s adjusted for the speed of the processor's cores in each round, the "
                "medians shown are not (--of median)\n",
                adjusted, adjusted == 1 ? " is" : "s are");
    if (!r->rules->bests)
        return;
    if (bests)
        fputs("Changes are those of the rounds' best samples, not of the medians shown\n", out);
    if (others)
        fprintf(out,
                "%d comparison%s of medians: one side has less than %d rounds with their best "
                "samples (run --rounds)\n",
                others, others == 1 ? " is" : "s are", CB_LEAST_ROUNDS);
}

static void print_thresholds(FILE *out, const struct cb_compare_rules *rules, int tests)
{
    fputs("A change counts from", out);
    for (int i = 0; i < rules->n_thresholds; i++)
        fprintf(out, "%s %s%s%g %%", i ? "," : "",
                rules->thresholds[i].metric ? rules->thresholds[i].metric : "",
                rules->thresholds[i].metric ? " " : "", 100 * rules->thresholds[i].relative);
    fprintf(out, " on, with p < %g after correction for %d comparison%s (Benjamini-Hochberg)\n",
            rules->alpha, tests, CB_PLURAL(tests));
}

static void print_rules(FILE *out, const struct cb_compare_report *r)
{
    const struct cb_compare_rules *rules = r->rules;
    int tests = 0;
    for (int i = 0; i < r->comparisons->count; i++)
        tests += r->comparisons->rows[i].compared && r->comparisons->rows[i].method != CB_UNTESTED;
    if (tests > 0)
        print_thresholds(out, rules, tests);
    print_methods(out, r, tests);
    if (r->comparisons->derived)
        fprintf(out,
                "Left out: %d metric%s another in a different unit (op_time repeats throughput), "
                "which --metric shows\n",
                r->comparisons->derived,
                r->comparisons->derived == 1 ? " that repeats" : "s that repeat");
    if (r->comparisons->undirected)
        fprintf(out, "Left out: %d value%s of which neither way is better\n",
                r->comparisons->undirected, CB_PLURAL(r->comparisons->undirected));
}

/* ---- The command that decides ---------------------------------------------------------------- */

/* The largest number of rounds that any of the first open cases asks for. */
static int open_rows(const struct cb_compare_report *r, const struct cb_comparison **open,
                     unsigned *rounds, int *more)
{
    int n = 0;
    *rounds = 0;
    *more = 0;
    for (int i = 0; i < r->comparisons->count; i++) {
        const struct cb_comparison *row = r->rows[i];
        if (row->verdict != CB_INCONCLUSIVE || row->rounds == 0)
            continue;
        if (n < MAX_OPEN) {
            open[n++] = row;
            *rounds = row->rounds > *rounds ? row->rounds : *rounds;
        } else {
            ++*more;
        }
    }
    return n;
}

#define AGAIN "again" /* the id of builds that take turns: their runs are again-a and again-b */

/* Whether one call measured both builds, and so would again. */
static bool is_interleaved(const struct cb_compare_report *r)
{
    return cb_compare_is_interleaved(r->comparisons->run->document.tree);
}

/* The run again in rounds: these rows, or all that it measures. */
static void print_command(FILE *out, const struct cb_compare_report *r, const char *quote,
                          const struct cb_comparison *const *rows, int n, unsigned rounds,
                          const char *run_id)
{
    fputs(quote, out);
    cb_compare_command_head(out, r->comparisons->run->document.tree, n > 0, false);
    cb_compare_command_tail(out, rows, n, rounds);
    fprintf(out, "%s%s%s\n", *run_id ? " --run-id " : "", run_id, strchr(quote, '`') ? "`" : "");
}

/* Where the run was put, and runs by its commands will be; NULL: where compare looks by itself. */
static const char *output_folder(const struct cb_compare_report *r)
{
    const cJSON *run = r->comparisons->run->document.tree;
    const cJSON *invocation = cJSON_GetObjectItemCaseSensitive(run, "invocation");
    const cJSON *settings = cJSON_GetObjectItemCaseSensitive(invocation, "settings");
    const char *folder = cb_options_text(settings, "output-dir", 0);
    return folder && strcmp(folder, "results") != 0 ? folder : NULL;
}

/* The command that compares what the commands before it measured. */
static void print_compare(FILE *out, const struct cb_compare_report *r, const char *item,
                          const char *runs)
{
    const char *folder = output_folder(r);
    fprintf(out, "%scoopbench compare", item);
    if (folder) {
        fputs(" -o", out);
        cb_shell_word(out, folder);
    }
    fprintf(out, " --baseline %s%s\n", runs, strchr(item, '`') ? "`" : "");
}

/* Where single processes, or too few rounds, were compared: all that the run measures, in rounds,
 * in both states. */
static void print_rounds(FILE *out, const struct cb_compare_report *r, const char *quote)
{
    const bool markdown = *quote == '`';
    const char *item = markdown ? "- `" : quote, *end = markdown ? "\n" : "";
    fprintf(out,
            "\nProcesses differ by more than the samples of one tell. Measure in rounds, each in "
            "processes of its own:\n%s",
            end);
    if (is_interleaved(r)) {
        print_command(out, r, item, NULL, 0, CB_ADVISED_ROUNDS, AGAIN);
        print_compare(out, r, item, AGAIN "-a " AGAIN "-b");
        return;
    }
    print_command(out, r, item, NULL, 0, CB_ADVISED_ROUNDS, "before");
    print_command(out, r, item, NULL, 0, CB_ADVISED_ROUNDS, "after");
    print_compare(out, r, item, "before after");
    fprintf(out,
            "%sBest, if both builds are there, let them take turns: the second command with "
            "--interleave OTHER/coopbench,\nthen compare after-a with after-b\n",
            end);
}

/* What is inconclusive, so often as it needs. */
static void print_open(FILE *out, const struct cb_compare_report *r, const char *quote,
                       const struct cb_comparison *const *open, int n, unsigned rounds, int more)
{
    const bool both = is_interleaved(r);
    fprintf(out, "\nTo decide what is inconclusive, measure it again%s:\n",
            both ? "" : " in both states");
    print_command(out, r, quote, open, n, rounds, both ? AGAIN : "");
    if (both)
        print_compare(out, r, quote, AGAIN "-a " AGAIN "-b");
    if (more)
        fprintf(out, "(and %d more; --json names the rounds that each needs)\n", more);
}

static void print_advice(FILE *out, const struct cb_compare_report *r, const char *quote)
{
    const struct cb_comparison *open[MAX_OPEN];
    unsigned rounds;
    int more, n = open_rows(r, open, &rounds, &more);
    if (r->comparisons->untested > 0) {
        print_rounds(out, r, quote);
    } else if (n > 0) {
        print_open(out, r, quote, open, n, rounds, more);
    } else if (r->comparisons->of[CB_INCONCLUSIVE] > 0) {
        fputs("\nWhat is inconclusive would take more than 1000 rounds, or other baselines: choose "
              "another\n--threshold, or quieten the machine\n",
              out);
    }
}

static void write(FILE *out, const struct cb_compare_report *r, const char *title,
                  const char *quote)
{
    int hidden, n = rows_shown(r, &hidden);
    fputs(title, out);
    print_title(out, r);
    fputs(*title ? "\n" : "", out);
    for (int b = 0; b < r->comparisons->n_baselines; b++)
        print_source(out, &r->comparisons->baselines[b]);
    print_source(out, r->comparisons->run);
    print_rules(out, r);
    if (n > 0) {
        fputs("\n", out);
        print_rows(out, r, n);
    }
    if (hidden > 0)
        fprintf(out, "(and %d more; --all shows them)\n", hidden);
    print_advice(out, r, quote);
}

void cb_compare_write_table(FILE *out, const struct cb_compare_report *r)
{
    write(out, r, "", "  ");
}

void cb_compare_write_markdown(FILE *out, const struct cb_compare_report *r)
{
    write(out, r, "### coopbench: ", "`");
    if (r->gate_off)
        fprintf(out, "\n%s\n", r->gate_off);
}
