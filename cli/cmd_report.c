/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench report RUN...
 */
#include "analysis/compare/rules.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "plots/report/report.h"
#include "runtime/host/text.h"

#define OPTION(name, member) CB_OPTION(struct cb_report_options, name, member)

static const struct cb_param report_params[] = {
    {OPTION("output-dir", output_dir), .letter = 'o', .value_name = "FOLDER",
     .help = "Where report.html goes. Without it: the folder of the first run, or the one named "
             "that holds the runs."},
    {OPTION("baseline", baselines), .letter = 'b', .value_name = "RUN",
     .help = "Compare all other runs with this one, or with several of one state, pooled. Without "
             "it, the page compares any two of its runs."},
    CB_COMPARE_RULE_PARAMS(struct cb_report_options),
    {OPTION("accepted", accepted), .value_name = "FILE",
     .help =
         "The file of accepted changes, as for history. Without it: accepted.txt beside the runs."},
    CB_HELP_PARAM,
    {0},
};

const struct cb_help cb_help_report = {
    .usage = "report RUN... [OPTIONS]",
    .text = "Writes one HTML page of one or more runs (folders, folders of runs such as\n"
            "results, or names in it: latest, a <run-id>): what was run on what, the tables and\n"
            "the pictures of each benchmark, with values where the pointer is, any two runs\n"
            "compared, what changed from run to run, and all cases, to sort and to filter. The\n"
            "page needs no other file and no network. Tables and pictures are of each\n"
            "device's newest run that draws the fullest pictures. Of a folder with more than\n"
            "some 100,000 cases, the page has those of the newest runs.\n\n"
            "For instance:\n"
            "  coopbench report results/latest          results/latest/report.html\n"
            "  coopbench report results -o public       public/report.html, with history\n"
            "  coopbench report results -b main         all runs compared with main",
    .globals = report_params,
    .arguments = "RUN",
};

static enum cb_status write_report(const struct cb_arguments *arguments, struct cb_err *err)
{
    struct cb_report_options o;
    struct cb_runs runs;
    cb_options_read(arguments->globals, report_params, &o);
    char path[PATH_MAX];
    enum cb_status status =
        cb_report_load(arguments->positional, arguments->n_positional, o.baselines, &runs, err);
    if (status == CB_OK)
        status = cb_report_write(&runs, &o, o.output_dir ? o.output_dir : runs.folder, path, err);
    if (status == CB_OK)
        cb_text_print(stdout, "%s\n", path);
    cb_runs_free(&runs);
    return status;
}

int cb_cmd_report(int argc, char **argv, struct cb_err *err)
{
    struct cb_arguments arguments;
    enum cb_status status = cb_arguments_parse(argc, argv, report_params, NULL, &arguments, err);
    if (status == CB_OK && arguments.help)
        cb_print_command_help(&cb_help_report);
    else if (status == CB_OK && arguments.n_positional == 0)
        status = cb_fail(err, CB_USAGE,
                         "report which run? For instance: coopbench report results/latest");
    else if (status == CB_OK) {
        cb_options_complete(arguments.globals, report_params);
        status = write_report(&arguments, err);
    }
    cb_arguments_free(&arguments);
    return cb_exit_code_of(status);
}
