/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench compare --baseline RUN... [RUN]
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/gate.h"
#include "analysis/compare/load.h"
#include "analysis/compare/names.h"
#include "analysis/compare/rules.h"
#include "analysis/compare/write.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output_forms.h"
#include "cli/suite/outputs.h"

#define EXIT_REGRESSION 5
#define EXIT_OPEN       6
#define BISECT_SKIP     125
#define BISECT_STOP     128 /* 'git bisect run' gives up: no commit is to blame */

const struct cb_help cb_help_compare = {
    .usage = "compare --baseline RUN... [RUN] [OPTIONS]",
    .text = "Says for each case and metric whether a run has got better or worse than a\n"
            "baseline. Nothing is measured. RUN is results/latest if it is not given.\n\n"
            "  regression, improvement   the median has changed by more than --threshold, its\n"
            "                 95 % interval excludes no change, and a t-test of the rounds,\n"
            "                 corrected for the number of comparisons, gives p < --alpha\n"
            "  same           the interval lies within the threshold: shown to be no change\n"
            "  inconclusive   neither is shown; the command that decides it is printed\n"
            "  incomparable   another device, driver, host, input, or other parameters\n"
            "  failed, missing, new      ok on one side only\n\n"
            "Measure in rounds: processes differ by more than the samples of one of them tell,\n"
            "and each round is a process of its own.\n\n"
            "  coopbench run configs/smoke.json --runs 15 --rounds 10 --run-id main\n"
            "  (change something)\n"
            "  coopbench run configs/smoke.json --runs 15 --rounds 10 --run-id new\n"
            "  coopbench compare --baseline main new\n\n"
            "Best is to let both builds take turns, on a machine that may drift:\n\n"
            "  build/coopbench run configs/ci.json --runs 5 --run-id new \\\n"
            "    --interleave ../base/build/coopbench\n"
            "  coopbench compare --baseline new-a new-b\n\n"
            "Both sides need 5 rounds or more, and 9 samples. The medians of the rounds are\n"
            "compared, by Yuen's t-test of trimmed means. On a CPU device they are first\n"
            "adjusted for the speed of its cores in each sample (metric core_speed), which\n"
            "others on the machine change by up to half.\n\n"
            "One process a side cannot tell: inconclusive, and the commands that can are\n"
            "printed. Several baselines (3 or more, better 5 or 10) of one process each can, a\n"
            "little: the run has to lie where one more of them would not (a prediction interval\n"
            "of Student's t). The same is asked of runs in rounds with several baselines.\n\n"
            "Exit codes: 0 no regression; 5 regressions, or cases that fail now; 6 nothing could\n"
            "be compared, as after an update of the driver, so that a gate made of it is off, or\n"
            "what --fail-on adds; 2 wrong usage, a metric that does not exist, or runs that have\n"
            "no case in common.",
    .globals = cb_compare_params,
    .arguments = "RUN",
};

/* ---- Output ---------------------------------------------------------------------------------- */

static void write_table(FILE *out, const void *report)
{
    cb_compare_write_table(out, report);
}

static void write_markdown(FILE *out, const void *report)
{
    cb_compare_write_markdown(out, report);
}

static void write_json(FILE *out, const void *report)
{
    cb_compare_write_json(out, report);
}

static void write_csv(FILE *out, const void *report)
{
    cb_compare_write_csv(out, report);
}

static void write_github(FILE *out, const void *report)
{
    cb_compare_write_github(out, report);
}

/* ---- Exit code ------------------------------------------------------------------------------- */

static int exit_code(const struct cb_comparisons *c, bool gate_is_off,
                     const struct cb_compare_options *o)
{
    const int *of = c->of;
    bool open = of[CB_INCONCLUSIVE] || of[CB_INCOMPARABLE];
    if (o->bisect)
        return of[CB_REGRESSION]                             ? 1
               : open || of[CB_FAILED] || of[CB_MISSING]     ? BISECT_SKIP
               : of[CB_SAME] == 0 && of[CB_IMPROVEMENT] == 0 ? BISECT_SKIP
                                                             : 0;
    if (cb_texts_have(o->fail_on, "none"))
        return 0;
    if (of[CB_REGRESSION] || of[CB_FAILED])
        return EXIT_REGRESSION;
    if (gate_is_off || (open && cb_texts_have(o->fail_on, "inconclusive")) ||
        (of[CB_MISSING] && cb_texts_have(o->fail_on, "missing")))
        return EXIT_OPEN;
    return 0;
}

/* ---- The command ----------------------------------------------------------------------------- */

static enum cb_status check_names(const struct cb_run_table *tables, int n,
                                  const struct cb_compare_rules *rules, struct cb_err *err)
{
    const cJSON **runs = calloc((size_t)n, sizeof *runs);
    if (!runs)
        return cb_no_memory(err);
    for (int i = 0; i < n; i++)
        runs[i] = tables[n - 1 - i].document.tree; /* what the run has is said first */
    enum cb_status status = cb_compare_check_names(runs, n, rules, err);
    free(runs);
    return status;
}

static int compare_tables(const struct cb_run_table *tables, int n,
                          const struct cb_compare_options *o, struct cb_err *err)
{
    struct cb_comparisons comparisons;
    struct cb_compare_rules rules;
    char off[1024];
    if (cb_compare_rules_read(&o->rules, &rules, err) != CB_OK)
        return cb_exit_code_of(err->status);
    rules.choice = o->choice;
    if (check_names(tables, n, &rules, err) != CB_OK) {
        cb_compare_rules_free(&rules);
        return cb_exit_code_of(err->status);
    }
    if (cb_compare(tables, n - 1, &tables[n - 1], &rules, &comparisons, err) != CB_OK) {
        cb_compare_rules_free(&rules);
        return o->bisect ? BISECT_SKIP : cb_exit_code_of(err->status);
    }
    bool gate_is_off = cb_compare_gate_is_off(&comparisons, &rules, off, sizeof off);
    int code = exit_code(&comparisons, gate_is_off, o);
    struct cb_compare_report report = {&comparisons, cb_comparisons_by_weight(&comparisons),
                                       &rules,       code,
                                       o->all,       gate_is_off ? off : NULL};
    if (gate_is_off)
        snprintf(err->text, sizeof err->text, "%s", off);
    const struct cb_output_form forms[] = {{"table", write_table, NULL, NULL},
                                           {"markdown", write_markdown, "a", o->markdown},
                                           {"json", write_json, "w", o->json},
                                           {"csv", write_csv, "w", o->csv},
                                           {"github", write_github, NULL, NULL}};
    if (!report.rows)
        cb_no_memory(err);
    if (!report.rows ||
        cb_output_forms_write(forms, CB_COUNTOF(forms), &report, o->format, err) != CB_OK)
        code = cb_exit_code_of(err->status);
    free(report.rows);
    cb_comparisons_free(&comparisons);
    cb_compare_rules_free(&rules);
    return code;
}

/* Runs are read side by side: a large one takes seconds. */
struct loading {
    const char *path, *folder;
    struct cb_run_table *table;
    struct cb_err err;
    pthread_t thread;
    bool threaded;
};

static void *load(void *argument)
{
    struct loading *l = argument;
    cb_run_table_load(l->path, l->folder, l->table, &l->err);
    return NULL;
}

/* Reads all; the number of those before the first that cannot be read, of which err is. */
static int load_all(struct loading *all, int n, struct cb_err *err)
{
    int sound = n;
    for (int i = 0; i < n; i++) {
        all[i].threaded = i + 1 < n && pthread_create(&all[i].thread, NULL, load, &all[i]) == 0;
        if (!all[i].threaded)
            load(&all[i]);
    }
    for (int i = n; i-- > 0;) {
        if (all[i].threaded)
            pthread_join(all[i].thread, NULL);
        if (all[i].err.status != CB_OK) {
            *err = all[i].err;
            sound = i;
        }
    }
    return sound;
}

/* paths: the baselines, and last the run. */
static int compare_paths(const char *const *paths, int n, const struct cb_compare_options *o,
                         struct cb_err *err)
{
    struct cb_run_table *tables = calloc((size_t)n, sizeof *tables);
    struct loading *loadings = calloc((size_t)n, sizeof *loadings);
    int code = 0;
    for (int i = 0; tables && loadings && i < n; i++)
        loadings[i] =
            (struct loading){.path = paths[i], .folder = o->output_dir, .table = &tables[i]};
    int loaded = tables && loadings ? load_all(loadings, n, err) : -1;
    if (loaded < 0)
        code = cb_exit_code_of(cb_no_memory(err));
    else if (loaded == n)
        code = compare_tables(tables, n, o, err);
    else if (err->status == CB_INTERRUPTED) /* 'git bisect run' stops at it */
        code = cb_exit_code_of(err->status);
    else
        code = o->bisect && loaded == n - 1 ? BISECT_SKIP : 2;
    for (int i = 0; tables && i < n; i++)
        cb_run_table_free(&tables[i]);
    free(tables);
    free(loadings);
    return code;
}

static int compare(const struct cb_arguments *a, const struct cb_compare_options *o,
                   struct cb_err *err)
{
    const struct cb_output outputs[] = {
        {"json", o->json}, {"csv", o->csv}, {"markdown", o->markdown}};
    int named = o->baselines.n, n = 0;
    int more = a->n_positional > 1 ? a->n_positional - 1 : 0; /* of --baseline results/main-* */
    if (named == 0) {
        cb_fail(err, CB_USAGE,
                "compare with which run? For instance: coopbench compare --baseline "
                "results/<run-id> results/latest");
        return cb_exit_code_of(err->status);
    }
    if (cb_outputs_check(outputs, CB_COUNTOF(outputs), err) != CB_OK)
        return cb_exit_code_of(err->status);
    const char **paths = calloc((size_t)(named + more + 1), sizeof *paths);
    if (!paths)
        return cb_exit_code_of(cb_no_memory(err));
    while (n < named) {
        paths[n] = cb_texts_at(o->baselines, n);
        n++;
    }
    for (int i = 0; i < more; i++)
        paths[n++] = a->positional[i];
    paths[n++] = a->n_positional ? a->positional[a->n_positional - 1] : "latest";
    int code = compare_paths(paths, n, o, err);
    free(paths);
    return code;
}

static bool is_bisect(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--bisect") == 0)
            return true;
    return false;
}

int cb_cmd_compare(int argc, char **argv, struct cb_err *err)
{
    struct cb_arguments arguments;
    int code = 0;
    if (cb_arguments_parse(argc, argv, cb_compare_params, NULL, &arguments, err) != CB_OK)
        return is_bisect(argc, argv) ? BISECT_STOP : cb_exit_code_of(err->status);
    struct cb_compare_options options;
    cb_options_complete(arguments.globals, cb_compare_params);
    cb_options_read(arguments.globals, cb_compare_params, &options);
    if (arguments.help) {
        cb_print_command_help(&cb_help_compare);
    } else {
        code = compare(&arguments, &options, err);
        if (is_bisect(argc, argv) && code == cb_exit_code_of(CB_USAGE))
            code = BISECT_STOP;
    }
    cb_arguments_free(&arguments);
    return code;
}
