/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench history RUN...
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/compare/rules.h"
#include "analysis/documents/runs.h"
#include "analysis/history/accept.h"
#include "analysis/history/clocks.h"
#include "analysis/history/write.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output_forms.h"
#include "cli/suite/outputs.h"
#include "measure/text/json.h"

#define EXIT_REGRESSION 5
#define EXIT_OPEN       6

struct history_options {
    struct cb_compare_choice_options choice;
    const char *since, *accepted, *format, *json, *markdown;
    double threshold_percent, alpha;
    unsigned least, recent;
    struct cb_texts accept;
};

#define OPTION(name, member) CB_OPTION(struct history_options, name, member)

static const struct cb_param history_params[] = {
    {OPTION("since", since), .value_name = "RUN|DATE",
     .help = "Leave out older runs: the first to look at, or a day, as 2026-11-01."},
    CB_COMPARE_CHOICE_PARAMS(struct history_options),
    {OPTION("threshold", threshold_percent), .letter = 't', .default_value = "0", .max = 1000,
     .value_name = "PERCENT", .help = "Smallest change of a level that counts."},
    {OPTION("alpha", alpha), .default_value = "0.001", .min = 1e-9, .max = 0.5,
     .help = "Share of false findings that is accepted, over all cases together. A history is "
             "looked at after each run, so it is smaller than that of compare."},
    {OPTION("least", least), .default_value = "3", .min = 2, .max = 50, .value_name = "N",
     .help = "Runs of a level, at least: fewer that stray are no change."},
    {OPTION("recent", recent), .default_value = "10", .min = 1, .max = 1e6, .value_name = "N",
     .help = "The exit code is 5 if something got worse in the last N runs."},
    {OPTION("accept", accept), .list = CB_LIST_REPEAT, .value_name = "CASE@RUN",
     .help = "Accept what got worse there, of these metrics (--metric), for the reason that is the "
             "last argument. CASE is an id or a glob; RUN is an id, a folder's name or a commit. "
             "May be given several times."},
    {OPTION("accepted", accepted), .value_name = "FILE",
     .help = "The file of accepted changes. Without it: accepted.txt beside the runs."},
    {OPTION("format", format), .default_value = "table",
     .choices = "table,markdown,json,github,none",
     .help = "What goes to standard output; github: annotations of GitHub Actions."},
    CB_OUTPUT_PARAM(struct history_options, json, "the changes as JSON"),
    CB_MARKDOWN_PARAM(struct history_options),
    CB_HELP_PARAM,
    {0},
};

const struct cb_help cb_help_history = {
    .usage = "history [RUN...] [OPTIONS] [--accept CASE@RUN \"why\"]",
    .text =
        "Says at which run the level of a case has changed, over any number of runs (folders,\n"
        "folders of runs such as results, or names in it), in the order of their times.\n"
        "Nothing is measured. Without RUN: results. A folder of many runs gets an index,\n"
        ".coopbench-index.sqlite, which may be deleted at any time.\n\n"
        "  coopbench history results                      all runs in it\n"
        "  coopbench history results --since 2026-11-01   the newer ones\n"
        "  coopbench history --accept CASE@RUN \"why\"     it is meant to be worse since RUN\n\n"
        "A run that strays is no change: a level has --least runs. Change points are found\n"
        "by E-Divisive means in two passes, as Hunter does, with tests that need no random\n"
        "numbers, and corrected for all places and series. Where the device, its driver, the\n"
        "host or a parameter changes, levels are not compared, and the row says what changed.\n"
        "Of runs on CPU devices the speed of the cores is taken out, as in compare.\n"
        "A case that was ok and fails is told with the run since which it does: the last\n"
        "run is enough, or of a case that failed before, more in a row than then.\n"
        "A step far above the noise is found from 3 runs before it and 3 after it on, one in\n"
        "more noise needs more: docs/trust.md has how many.\n\n"
        "What is accepted is a line of results/accepted.txt, to review, to merge, and to delete\n"
        "again. It is shown with its reason, and counts no more: what comes later is judged\n"
        "against the level that was accepted.\n\n"
        "Exit codes: 0 nothing got worse in the --recent last runs; 5 something did; 6 the runs\n"
        "hold nothing to judge over time; 2 wrong usage.",
    .globals = history_params,
    .arguments = "RUN",
};

/* ---- Runs ------------------------------------------------------------------------------------ */

/* The place of the first run to look at. A day begins with a digit, has a '-' as its fifth letter,
 * and compares as a text. */
static enum cb_status first_run(const struct cb_stored_runs *runs, const char *since, int *first,
                                struct cb_err *err)
{
    *first = 0;
    if (!since)
        return CB_OK;
    for (int i = 0; i < runs->n; i++)
        if (strcmp(cb_json_text(runs->items[i].head, "run_id", ""), since) == 0) {
            *first = i;
            return CB_OK;
        }
    if (strspn(since, "0123456789") != 4 || since[4] != '-')
        return cb_fail(err, CB_USAGE,
                       "--since: no run is called \"%s\", nor is it a day, as 2026-11-01", since);
    while (*first < runs->n && strcmp(cb_stored_run_start(&runs->items[*first]), since) < 0)
        ++*first;
    return *first < runs->n ? CB_OK
                            : cb_fail(err, CB_USAGE, "--since: all runs are older than %s", since);
}

/* ---- Output ---------------------------------------------------------------------------------- */

static void write_table(FILE *out, const void *report)
{
    cb_history_write_table(out, report);
}

static void write_markdown(FILE *out, const void *report)
{
    cb_history_write_markdown(out, report);
}

static void write_json(FILE *out, const void *report)
{
    cb_history_write_json(out, report);
}

static void write_github(FILE *out, const void *report)
{
    cb_history_write_github(out, report);
}

/* ---- The command ----------------------------------------------------------------------------- */

static int write_history(const struct cb_history_report *report, const struct history_options *o,
                         struct cb_err *err)
{
    cb_history_warn_of_clocks(stderr, report->history);
    if (report->history->accepted)
        cb_accepted_print_warnings(stderr, report->history->accepted);
    const struct cb_output_form forms[] = {{"table", write_table, NULL, NULL},
                                           {"markdown", write_markdown, "a", o->markdown},
                                           {"json", write_json, "w", o->json},
                                           {"github", write_github, NULL, NULL}};
    const enum cb_status status =
        cb_output_forms_write(forms, CB_COUNTOF(forms), report, o->format, err);
    return status == CB_OK ? report->exit_code : cb_exit_code_of(status);
}

/* why: of --accept; NULL: nothing is to be accepted. */
static int tell(const struct cb_stored_run *runs, int n, const struct history_options *o,
                struct cb_accepted *accepted, const char *why, struct cb_err *err)
{
    struct cb_history history;
    struct cb_history_rules rules = {.points = cb_change_rules,
                                     .choice = o->choice,
                                     .accepted = accepted,
                                     .recent = (int)o->recent};
    rules.points.least = o->least;
    rules.points.alpha = o->alpha;
    rules.points.smallest = o->threshold_percent / 100;
    enum cb_status status = cb_history_find(runs, n, &rules, &history, err);
    int code = status == CB_UNSUPPORTED                  ? EXIT_OPEN
               : status == CB_OK && history.recent_worse ? EXIT_REGRESSION
                                                         : cb_exit_code_of(status);
    const struct cb_history_report report = {&history, &rules, code};
    if (status == CB_OK && why)
        code =
            cb_exit_code_of(cb_history_accept(&history, o->accept, why, o->accepted, stdout, err));
    else if (status == CB_OK)
        code = write_history(&report, o, err);
    cb_history_free(&history);
    return code;
}

static int tell_runs(const struct cb_stored_runs *runs, const struct history_options *o,
                     const char *why, struct cb_err *err)
{
    struct cb_accepted accepted = {0};
    int first = 0, code;
    if (first_run(runs, o->since, &first, err) == CB_OK &&
        cb_accepted_read_all(&accepted, o->accepted, runs->items, runs->n, err) == CB_OK)
        code = tell(runs->items + first, runs->n - first, o, &accepted, why, err);
    else
        code = cb_exit_code_of(err->status);
    cb_accepted_free(&accepted);
    return code;
}

/* Takes the reason of --accept, which is the last argument. */
static enum cb_status take_reason(struct cb_texts accept, struct cb_arguments *a, const char **why,
                                  struct cb_err *err)
{
    struct stat info;
    *why = NULL;
    if (accept.n == 0)
        return CB_OK;
    const char *last = a->n_positional > 0 ? a->positional[a->n_positional - 1] : "";
    if (!last[strspn(last, " \t\r\n")] || stat(last, &info) == 0)
        return cb_fail(err, CB_USAGE,
                       "--accept: say why, as the last argument: coopbench history --accept %s "
                       "\"the lock is fair now\"",
                       cb_texts_at(accept, 0));
    *why = last;
    a->n_positional--;
    return CB_OK;
}

int cb_cmd_history(int argc, char **argv, struct cb_err *err)
{
    static char results[] = "results";
    char *all[] = {results};
    struct cb_arguments a;
    struct cb_stored_runs runs = {0};
    const char *why = NULL;
    enum cb_status status = cb_arguments_parse(argc, argv, history_params, NULL, &a, err);
    int code = cb_exit_code_of(status);
    if (status == CB_OK && a.help) {
        cb_print_command_help(&cb_help_history);
    } else if (status == CB_OK) {
        struct history_options o;
        cb_options_complete(a.globals, history_params);
        cb_options_read(a.globals, history_params, &o);
        const struct cb_output outputs[] = {{"json", o.json}, {"markdown", o.markdown}};
        status = take_reason(o.accept, &a, &why, err);
        if (status == CB_OK)
            status = cb_outputs_check(outputs, CB_COUNTOF(outputs), err);
        if (status == CB_OK)
            status = cb_stored_runs_load(a.n_positional ? a.positional : all,
                                         a.n_positional ? a.n_positional : 1, &runs, err);
        code = status == CB_OK ? tell_runs(&runs, &o, why, err) : cb_exit_code_of(status);
    }
    cb_stored_runs_free(&runs);
    cb_arguments_free(&a);
    return code;
}
