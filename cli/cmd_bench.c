/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench <bench>: one benchmark, its parameters as options. And coopbench run: a suite of them.
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/first_setups.h"
#include "cli/options.h"
#include "cli/suite/configs.h"
#include "cli/suite/global_params.h"
#include "cli/suite/rounds.h"

#define METRIC_INDENT 31 /* indent of what metrics mean, after name and unit */

static void print_bench_help(const struct cb_bench *bench)
{
    char usage[96];
    struct cb_help help;
    snprintf(usage, sizeof usage, "%s [OPTIONS]", bench->id);
    cb_command_help(bench->id, &help);
    help.usage = usage;
    cb_print_command_help(&help);
    printf("\nMetrics:\n");
    for (const struct cb_metric *m = bench->metrics; m->name; m++) {
        if (printf("  %-16s %-11s ", m->name, m->unit) > METRIC_INDENT)
            printf("\n%*s", METRIC_INDENT, "");
        cb_print_wrapped(stdout, m->help, METRIC_INDENT);
    }
    cb_print_wrapped(stdout, bench->reproduces, printf("\nReproduces: ") - 1);
}

static const char *results_of(const struct cb_run_options *given)
{
    return given->output_dir ? given->output_dir
                             : cb_param_find(cb_global_params, "output-dir")->default_value;
}

int cb_cmd_bench(const struct cb_bench *bench, int argc, char **argv, struct cb_err *err)
{
    struct cb_arguments arguments;
    struct cb_run_options given;
    int code;
    if (cb_arguments_parse(argc, argv, cb_global_params, bench->params, &arguments, err) != CB_OK)
        return cb_exit_code_of(err->status);
    cb_options_read(arguments.globals, cb_global_params, &given);
    if (arguments.help) {
        print_bench_help(bench);
        code = 0;
    } else if (arguments.n_positional > 0) {
        cb_fail(err, CB_USAGE,
                "%s takes no argument \"%s\"; 'coopbench %s --help' tells its options", bench->id,
                arguments.positional[0], bench->id);
        code = cb_exit_code_of(err->status);
    } else if (cb_first_setups_choose(bench, arguments.options, results_of(&given), err) != CB_OK) {
        code = cb_exit_code_of(err->status);
    } else if (cb_rounds_wanted(&given)) {
        code = cb_rounds_run(argc, argv, &given, err);
    } else {
        struct cb_config_entry entry = {bench, arguments.options, NULL};
        struct cb_suite suite = {.entries = &entry,
                                 .count = 1,
                                 .globals = arguments.globals,
                                 .argv = argv,
                                 .argc = argc};
        code = cb_suite_run(&suite, err);
    }
    cb_arguments_free(&arguments);
    return code;
}

static int run_config(const char *path, const struct cb_arguments *arguments, int argc, char **argv,
                      struct cb_err *err)
{
    struct cb_config config;
    const char *file; /* the record names no folders of the machine */
    if (cb_configs_load(path, &config, &file, err) != CB_OK)
        return cb_exit_code_of(err->status);
    struct cb_suite suite = {.entries = config.entries,
                             .count = config.count,
                             .settings = config.settings,
                             .globals = arguments->globals,
                             .config_path = file,
                             .argv = argv,
                             .argc = argc};
    int code = cb_suite_run(&suite, err);
    cb_config_free(&config);
    return code;
}

const struct cb_help cb_help_run = {
    .usage = "run CONFIG [OPTIONS]",
    .text = "Runs a suite: a JSON file that lists benchmarks with their parameters, or the name\n"
            "of a suite that the program carries ('coopbench list configs'). Options given\n"
            "here go before those of the file.\n\n"
            "  coopbench run smoke        whether everything works\n"
            "  coopbench run mine.json",
    .globals = cb_global_params,
    .arguments = "CONFIG",
};

int cb_cmd_run(int argc, char **argv, struct cb_err *err)
{
    struct cb_arguments arguments;
    struct cb_run_options given;
    int code;
    if (cb_arguments_parse(argc, argv, cb_global_params, NULL, &arguments, err) != CB_OK)
        return cb_exit_code_of(err->status);
    cb_options_read(arguments.globals, cb_global_params, &given);
    if (arguments.help) {
        cb_print_command_help(&cb_help_run);
        code = 0;
    } else if (arguments.n_positional != 1) {
        cb_fail(err, CB_USAGE,
                "run takes one suite, for instance 'coopbench run smoke'; 'coopbench list configs' "
                "shows all that need no file%s",
                given.resume ? "; with --resume the one that the run began with" : "");
        code = cb_exit_code_of(err->status);
    } else if (cb_rounds_wanted(&given)) {
        code = cb_rounds_run(argc, argv, &given, err);
    } else {
        code = run_config(arguments.positional[0], &arguments, argc, argv, err);
    }
    cb_arguments_free(&arguments);
    return code;
}
