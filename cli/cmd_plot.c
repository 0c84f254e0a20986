/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench plot RUN...
 */
#include "cli/commands.h"
#include "cli/options.h"
#include "plots/plot.h"

static const struct cb_param plot_params[] = {
    CB_HELP_PARAM,
    {.name = "output-dir",
     .letter = 'o',
     .type = CB_PARAM_TEXT,
     .value_name = "FOLDER",
     .help = "Where the pictures go. Without it: plots/ in the first run."},
    {0},
};

const struct cb_help cb_help_plot = {
    .usage = "plot RUN... [-o FOLDER]",
    .text = "Draws the pictures of one or more runs (folders, or names in results/: latest, a\n"
            "<run-id>) as SVG and PNG with gnuplot. With several runs, all are in each\n"
            "picture. Data and scripts are left beside the pictures.",
    .globals = plot_params,
    .arguments = "RUN",
};

int cb_cmd_plot(int argc, char **argv, struct cb_err *err)
{
    struct cb_arguments arguments;
    int code = 0;
    if (cb_arguments_parse(argc, argv, plot_params, NULL, &arguments, err) != CB_OK) {
        code = cb_exit_code_of(err->status);
    } else if (cb_options_flag(arguments.globals, "help")) {
        cb_print_command_help(&cb_help_plot);
    } else if (arguments.n_positional == 0) {
        cb_fail(err, CB_USAGE, "plot which run? For instance: coopbench plot results/latest");
        code = cb_exit_code_of(err->status);
    } else if (cb_plot_runs(arguments.positional, arguments.n_positional,
                            cb_option_text_or(arguments.globals, "output-dir", NULL), stdout,
                            err) != CB_OK) {
        code = cb_exit_code_of(err->status);
    }
    cb_arguments_free(&arguments);
    return code;
}
