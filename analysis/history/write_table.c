/* SPDX-License-Identifier: Apache-2.0
 *
 * A history as a table for people, in a terminal or in Markdown.
 */
#include <math.h>
#include <string.h>

#include "analysis/compare/write.h"
#include "analysis/history/write.h"
#include "measure/text/json.h"
#include "measure/text/shell.h"
#include "measure/text/table.h"
#include "runtime/host/text.h"

#define MOST_ROWS 100
#define MOST_TOLD 3 /* changes that are told in words */
#define SHORT_SHA "%.12s"

enum { RUN, COMMIT, KIND, CHANGE, INTERVAL, P, BEFORE, AFTER, RUNS, METRIC, CASE, WHY, COLUMNS };

const char *cb_history_run_id(const struct cb_history *h, int run)
{
    return h->series.runs[run].id;
}

static const char *text_of(const struct cb_history *h, int run, const char *part, const char *key)
{
    const cJSON *tree = h->series.runs[run].head;
    return cb_json_text(cJSON_GetObjectItemCaseSensitive(tree, part), key, "");
}

const char *cb_history_commit(const struct cb_history *h, int run)
{
    return text_of(h, run, "tool", "git_sha");
}

const char *cb_history_start(const struct cb_history *h, int run)
{
    return text_of(h, run, "time", "start");
}

const char *cb_history_end(const struct cb_history *h, int run)
{
    return text_of(h, run, "time", "end");
}

const char *cb_history_file(const struct cb_history *h, int run)
{
    return h->series.runs[run].file;
}

/* The first change of its kind at a run. */
static bool is_first_of_run(const struct cb_history *h, int i)
{
    const int run = h->changes[i].run;
    for (int k = i - 1; k >= 0 && h->changes[k].run == run; k--) /* changes are ordered by run */
        if (h->changes[k].kind == h->changes[i].kind)
            return false;
    return true;
}

/* Whether a change is shown: of those by a new environment, or by the cores, one of each run, since
 * others are the same machine's. */
static bool is_shown(const struct cb_history *h, int i)
{
    const enum cb_history_kind kind = h->changes[i].kind;
    return (kind != CB_HISTORY_ENVIRONMENT && kind != CB_HISTORY_CORES) || is_first_of_run(h, i);
}

/* At how many runs the environment changed. */
static int count_environments(const struct cb_history *h)
{
    int n = 0;
    for (int i = 0; i < h->n; i++)
        n += h->changes[i].kind == CB_HISTORY_ENVIRONMENT && is_first_of_run(h, i);
    return n;
}

void cb_history_counts(FILE *out, const struct cb_history *h)
{
    const int worse = h->of[CB_HISTORY_WORSE], better = h->of[CB_HISTORY_BETTER];
    const int accepted = h->of[CB_HISTORY_ACCEPTED];
    const int environments = count_environments(h);
    const int failed = h->of[CB_HISTORY_FAILED], cores = h->of[CB_HISTORY_CORES];
    if (worse + better + accepted + failed == 0)
        fputs("no change", out);
    else if (failed)
        fprintf(out, "%d failed, %d worse, %d better", failed, worse, better);
    else
        fprintf(out, "%d worse, %d better", worse, better);
    if (accepted)
        fprintf(out, ", %d accepted", accepted);
    if (cores)
        fprintf(out, "; the speed of the cores explains %d step%s", cores, CB_PLURAL(cores));
    if (environments)
        fprintf(out, "; the environment changed %d time%s", environments, CB_PLURAL(environments));
}

/* ---- The table ------------------------------------------------------------------------------- */

static void put_numbers(const struct cb_table *t, int row, const struct cb_history_change *c)
{
    char text[CB_CELL_BYTES], low[32], high[32];
    cb_compare_percent(text, sizeof text, c->change.estimate);
    cb_table_put(t, row, CHANGE, text);
    cb_compare_percent(low, sizeof low, c->change.low);
    cb_compare_percent(high, sizeof high, c->change.high);
    snprintf(text, sizeof text, "%s to %s", low, high);
    cb_table_put(t, row, INTERVAL, isfinite(c->change.low) ? text : "");
    snprintf(text, sizeof text, "%.0e", c->p);
    cb_table_put(t, row, P, isnan(c->p) ? "" : text);
    cb_compare_value(text, sizeof text, c->from, c->series->m->unit);
    cb_table_put(t, row, BEFORE, text);
    cb_compare_value(text, sizeof text, c->to, c->series->m->unit);
    cb_table_put(t, row, AFTER, text);
    snprintf(text, sizeof text, "%d, %d", c->before, c->after);
    cb_table_put(t, row, RUNS, text);
    cb_table_put(t, row, METRIC, c->series->m->name);
    cb_table_put(t, row, CASE, c->series->c->id);
}

static void put_row(const struct cb_table *t, int row, const struct cb_history *h,
                    const struct cb_history_change *c)
{
    char sha[16];
    const int run = c->run;
    snprintf(sha, sizeof sha, SHORT_SHA, cb_history_commit(h, run));
    cb_table_put(t, row, RUN, cb_history_run_id(h, run));
    cb_table_put(t, row, COMMIT, sha);
    cb_table_put(t, row, KIND, cb_history_kind_name(c->kind));
    char failure[CB_CELL_BYTES];
    snprintf(failure, sizeof failure, "%s %s", c->series->c->id, c->why ? c->why : "");
    if (cb_history_is_level(c))
        put_numbers(t, row, c);
    else
        cb_table_put(t, row, CASE, c->kind == CB_HISTORY_FAILED ? failure : c->why);
    if (c->accepted)
        cb_table_put(t, row, WHY, c->accepted->why);
    else if (c->kind == CB_HISTORY_CORES)
        cb_table_put(t, row, WHY, c->why);
}

static void print_rows(FILE *out, const struct cb_history *h)
{
    static const char *const heads[] = {"run",           "commit", "verdict", "change",
                                        "95 % interval", "p",      "before",  "after",
                                        "runs",          "metric", "case",    "because"};
    struct cb_table t;
    const int columns = h->of[CB_HISTORY_ACCEPTED] + h->of[CB_HISTORY_CORES] > 0 ? COLUMNS : WHY;
    int shown = 0, row = 1;
    for (int i = 0; i < h->n; i++)
        shown += is_shown(h, i);
    const int n = shown < MOST_ROWS ? shown : MOST_ROWS;
    if (n > 0 && cb_table_open(1 + n, columns,
                               1u << CHANGE | 1u << INTERVAL | 1u << P | 1u << BEFORE |
                                   1u << AFTER | 1u << RUNS,
                               &t)) {
        for (int i = 0; i < columns; i++)
            cb_table_put(&t, 0, i, heads[i]);
        for (int i = 0; i < h->n && row <= n; i++)
            if (is_shown(h, i))
                put_row(&t, row++, h, &h->changes[i]);
        fputc('\n', out);
        cb_table_print(out, &t);
        cb_table_free(&t);
    }
    if (shown > n)
        fprintf(out, "(and %d more; --json has all)\n", shown - n);
}

/* ---- In words -------------------------------------------------------------------------------- */

/* How many changes for the worse a run has, from this one on, which is the worst of them; 0: it is
 * not, or none itself. */
static int worse_in_run(const struct cb_history *h, int first)
{
    const int run = h->changes[first].run;
    int n = 0;
    for (int i = first; i-- > 0 && h->changes[i].run == run;)
        if (h->changes[i].kind == CB_HISTORY_WORSE)
            return 0;
    for (int i = first; i < h->n && h->changes[i].run == run; i++)
        n += h->changes[i].kind == CB_HISTORY_WORSE;
    return h->changes[first].kind == CB_HISTORY_WORSE ? n : 0;
}

void cb_history_print_bisect(FILE *out, const struct cb_history *h,
                             const struct cb_history_change *c, const char *quote, const char *end)
{
    const int run = c->run, before = c->run_before;
    const char *bad = cb_history_commit(h, run), *good = cb_history_commit(h, before);
    if (!*bad || !*good || strcmp(bad, good) == 0) {
        fputs("  Both runs are of the same commit, as far as they tell: it was not the code of "
              "coopbench.\n",
              out);
        return;
    }
    fprintf(out, "%sgit bisect start " SHORT_SHA " " SHORT_SHA "%s\n", quote, bad, good, end);
    fprintf(out, "%sgit bisect run sh -c 'ninja -C build || exit 125;", quote);
    fputs(" build/", out);
    cb_compare_command_head(out, h->series.runs[run].head, false, true);
    fputs(" --rounds 10 --run-id bisect-$$; coopbench compare --bisect --baseline", out);
    cb_shell_word(out, cb_history_run_id(h, before));
    fprintf(out, " bisect-$$'%s\n", end);
}

/* The newest. */
static void print_failure(FILE *out, const struct cb_history *h)
{
    int i = h->n - 1;
    while (h->changes[i].kind != CB_HISTORY_FAILED)
        i--;
    const struct cb_history_change *c = &h->changes[i];
    fprintf(out, "\nSince %s: %s fails (%s). The last run in which it was ok was %s.\n",
            cb_history_run_id(h, c->run), c->series->c->id, c->why,
            cb_history_run_id(h, c->run_before));
}

static void print_words(FILE *out, const struct cb_history *h, bool markdown)
{
    const char *quote = markdown ? "- `" : "  ", *end = markdown ? "`" : "";
    int told = 0;
    if (h->of[CB_HISTORY_FAILED])
        print_failure(out, h);
    for (int i = h->n; i-- > 0 && told < MOST_TOLD;) {
        const struct cb_history_change *c = &h->changes[i];
        const int more = worse_in_run(h, i) - 1, run = c->run;
        if (more < 0)
            continue;
        char percent[32], others[48] = "";
        cb_compare_percent(percent, sizeof percent, c->change.estimate);
        if (more > 0)
            snprintf(others, sizeof others, ", and %d other%s got worse", more, CB_PLURAL(more));
        fprintf(out, "\nSince %s: %s of %s %s%s. The run before was %s. To find the commit:\n%s",
                cb_history_run_id(h, run), c->series->m->name, c->series->c->id, percent, others,
                cb_history_run_id(h, c->run_before), markdown ? "\n" : "");
        cb_history_print_bisect(out, h, c, quote, end);
        told++;
    }
    if (told)
        fprintf(out,
                "\nWhat is worse on purpose: %scoopbench history --accept CASE@RUN \"why\"%s\n",
                markdown ? "`" : "", markdown ? "`" : "");
}

static void write(FILE *out, const struct cb_history_report *r, bool markdown)
{
    const struct cb_history *h = r->history;
    const int n = h->series.n_runs;
    fprintf(out, "%s%d run%s from %s to %s, %d series: ", markdown ? "### coopbench history: " : "",
            n, CB_PLURAL(n), cb_history_run_id(h, 0), cb_history_run_id(h, n - 1), h->series.n);
    cb_history_counts(out, h);
    fprintf(out,
            "\n%sA level is %zu runs or more; a change has p < %g after correction for all places "
            "and series\n",
            markdown ? "\n" : "", r->rules->points.least, r->rules->points.alpha);
    if (h->disturbed_cases > 0)
        fprintf(out,
                "%sLeft out: %d case%s of %d run%s, during which another program used the device\n",
                markdown ? "\n" : "", h->disturbed_cases, CB_PLURAL(h->disturbed_cases),
                h->disturbed_runs, CB_PLURAL(h->disturbed_runs));
    print_rows(out, h);
    print_words(out, h, markdown);
}

void cb_history_write_table(FILE *out, const struct cb_history_report *r)
{
    write(out, r, false);
}

void cb_history_write_markdown(FILE *out, const struct cb_history_report *r)
{
    write(out, r, true);
}
