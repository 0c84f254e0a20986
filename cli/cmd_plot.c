/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench plot RUN...
 */
#include "cli/commands.h"
#include "cli/options.h"
#include "plots/plot.h"

struct plot_options {
    const char *output_dir;
};

#define OPTION(name, member) CB_OPTION(struct plot_options, name, member)

static const struct cb_param plot_params[] = {
    CB_HELP_PARAM,
    {OPTION("output-dir", output_dir), .letter = 'o', .value_name = "FOLDER",
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
    struct plot_options o;
    int code = 0;
    if (cb_arguments_parse(argc, argv, plot_params, NULL, &arguments, err) != CB_OK)
        return cb_exit_code_of(err->status);
    cb_options_read(arguments.globals, plot_params, &o);
    if (arguments.help) {
        cb_print_command_help(&cb_help_plot);
    } else if (arguments.n_positional == 0) {
        cb_fail(err, CB_USAGE, "plot which run? For instance: coopbench plot results/latest");
        code = cb_exit_code_of(err->status);
    } else if (cb_plot_runs(arguments.positional, arguments.n_positional, o.output_dir, stdout,
                            err) != CB_OK) {
        code = cb_exit_code_of(err->status);
    }
    cb_arguments_free(&arguments);
    return code;
}
