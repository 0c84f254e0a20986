/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench watch CONFIG --every DURATION
 */
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/suite/outputs.h"
#include "cli/suite/watch.h"
#include "measure/text/units.h"

struct watch_options {
    const char *every, *limit, *on_change, *openmetrics;
    unsigned times, give_up;
    struct cb_reals threshold_percent; /* as history takes it */
};

#define OPTION(name, member) CB_OPTION(struct watch_options, name, member)

static const struct cb_param watch_params[] = {
    {OPTION("every", every), .default_value = "1h", .value_name = "DURATION",
     .help = "From the start of a run to that of the next: 90s, 30m, 1.5h, 1d. If a run takes "
             "longer, starts are left out."},
    {OPTION("times", times), .min = 1, .max = 1e6,
     .help = "End after so many runs. Without it: with Ctrl-C."},
    {OPTION("limit", limit), .default_value = "1d", .value_name = "DURATION",
     .help = "A run that takes longer is ended, and has failed."},
    {OPTION("give-up", give_up), .default_value = "3", .min = 1, .max = 1e6,
     .help = "End when so many runs in a row have failed."},
    {OPTION("threshold", threshold_percent), .list = CB_LIST_NONE, .max = 1000,
     .value_name = "PERCENT", .help = "Smallest change of a level that counts, as of history."},
    {OPTION("on-change", on_change), .value_name = "COMMAND",
     .help = "Run this by the shell when something changed, with COOPBENCH_WATCH_TEXT (what) and "
             "COOPBENCH_WATCH_RUN (the run's folder) in its environment."},
    {OPTION("openmetrics", openmetrics), .value_name = "FILE",
     .help = "Export each run for Prometheus to this file, which is replaced in one step."},
    {0},
};

const struct cb_help cb_help_watch = {
    .usage = "watch CONFIG [OPTIONS]",
    .text = "Runs a suite again and again, and says in a line for each run what has changed: at\n"
            "which run which case got better or worse, or the environment another ('coopbench\n"
            "history' of the suite's runs in the results' folder, those before included).\n\n"
            "  coopbench watch ci --every 1h\n"
            "  coopbench watch mine.json --every 30m --gpu --openmetrics coopbench.prom\n\n"
            "A run in which nothing was ok has failed; the watch goes on, until --give-up in a\n"
            "row have. One watch has a results' folder for itself. Ctrl-C ends a run as it does\n"
            "with run, and what it has measured is kept. With --quiet, only runs that failed or\n"
            "changed something have a line. Other options are those of the runs.\n\n"
            "Exit codes: 5 something got worse meanwhile; 0 nothing did (with --times); that of\n"
            "the last run if too many failed; 2 wrong usage, or another watch has the folder.",
    .globals = cb_global_params,
    .own = watch_params,
    .arguments = "CONFIG",
};

/* Options of a single run, or of none that stays. */
static enum cb_status check_options(const struct cb_run_options *o, struct cb_err *err)
{
    const char *single = o->resume             ? "resume"
                         : o->run_id           ? "run-id"
                         : o->dry_run          ? "dry-run"
                         : o->interleave.n > 0 ? "interleave"
                         : o->json             ? "json"
                         : o->csv              ? "csv"
                                               : NULL;
    return single ? cb_fail(err, CB_USAGE, "--%s is of a single run; a watch makes many", single)
                  : CB_OK;
}

static enum cb_status read_duration(const char *name, const char *text, double least,
                                    double *seconds, struct cb_err *err)
{
    if (cb_read_duration(text, seconds) && *seconds >= least)
        return CB_OK;
    return cb_fail(err, CB_USAGE,
                   "--%s: expected a duration of %g s or more, as 90s, 30m, 1.5h or 1d, got \"%s\"",
                   name, least, text);
}

static int watch(const struct cb_arguments *a, struct cb_err *err)
{
    struct watch_options o;
    struct cb_run_options run;
    cb_options_complete(a->options, watch_params);
    cb_options_read(a->options, watch_params, &o);
    cb_options_read(a->globals, cb_global_params, &run);
    const struct cb_output openmetrics = {"openmetrics", o.openmetrics};
    struct cb_watch w = {
        .suite = a->positional[0],
        .options = a->globals,
        .folder = run.output_dir ? run.output_dir : "results",
        .quiet = run.quiet,
        .times = o.times,
        .give_up = o.give_up,
        .threshold = cb_texts_at(o.threshold_percent.texts, 0),
        .on_change = o.on_change,
        .openmetrics = o.openmetrics,
    };
    if (check_options(&run, err) != CB_OK ||
        read_duration("every", o.every, 1, &w.every_s, err) != CB_OK ||
        read_duration("limit", o.limit, 1, &w.limit_s, err) != CB_OK ||
        cb_outputs_check(&openmetrics, 1, err) != CB_OK)
        return cb_exit_code_of(err->status);
    return cb_watch_run(&w, err);
}

int cb_cmd_watch(int argc, char **argv, struct cb_err *err)
{
    struct cb_arguments a;
    int code = 0;
    if (cb_arguments_parse(argc, argv, cb_global_params, watch_params, &a, err) != CB_OK)
        code = cb_exit_code_of(err->status);
    else if (a.help)
        cb_print_command_help(&cb_help_watch);
    else if (a.n_positional != 1)
        code = cb_exit_code_of(cb_fail(err, CB_USAGE,
                                       "watch takes one suite, for instance 'coopbench watch ci "
                                       "--every 1h'; 'coopbench list configs' shows all that need "
                                       "no file"));
    else
        code = watch(&a, err);
    cb_arguments_free(&a);
    return code;
}
