/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/suite/global_params.h"
#include "measure/quick.h"

const struct cb_command cb_commands[] = {
    {"list", "devices, benchmarks, apps, and what they can do", cb_cmd_list, &cb_help_list},
    {"run", "a suite of benchmarks from a JSON file", cb_cmd_run, &cb_help_run, true},
    {"plot", "draw the pictures of one or more runs", cb_cmd_plot, &cb_help_plot},
    {"compare", "what has got better or worse than in other runs", cb_cmd_compare,
     &cb_help_compare},
    {"history", "at which run what has got better or worse, of many runs", cb_cmd_history,
     &cb_help_history},
    {"watch", "run a suite again and again, and say when something changed", cb_cmd_watch,
     &cb_help_watch, true},
    {"fleet", "which devices of a fleet are slow, and what is best on all of them", cb_cmd_fleet,
     &cb_help_fleet},
    {"export", "write runs in the format of another tool, for CI and dashboards", cb_cmd_export,
     &cb_help_export},
    {"report", "one HTML page of one or more runs, with pictures and history", cb_cmd_report,
     &cb_help_report},
    {"merge", "a cooperative kernel of one in ordinary OpenCL C", cb_cmd_merge, &cb_help_merge},
    {"init", "a first setup of your kernel, so that all commands measure it", cb_cmd_init,
     &cb_help_init},
    {"glossary", "what the words of the tables mean", cb_cmd_glossary, &cb_help_glossary},
    {"completion", "what makes a shell complete this command line", cb_cmd_completion,
     &cb_help_completion},
    {"man", "the manual page", cb_cmd_man, &cb_help_man},
    {0},
};

const struct cb_meaning cb_exit_codes[] = {
    {"0", "all cases ok (compare, history: no regression; fleet: no slow device)"},
    {"1", "a case failed"},
    {"2", "wrong usage, configuration or input"},
    {"3", "a wrong result"},
    {"4", "a deadlock or a deadline passed"},
    {"5", "compare: a regression or a case that fails now; history, watch: a new change for the "
          "worse; fleet: a slow device"},
    {"6",
     "compare: nothing could be compared, or what --fail-on adds; fleet: nothing was tested, or a "
     "device is missing"},
    {"77", "no such device or nothing could run"},
    {"130", "interrupted (143: terminated, 129: terminal closed)"},
    {0},
};

const struct cb_command *cb_command_find(const char *name)
{
    for (const struct cb_command *command = cb_commands; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

const char *cb_command_name(const void *unused, int i)
{
    (void)unused;
    int n = 0;
    while (n < i && cb_commands[n].name)
        n++;
    if (cb_commands[n].name)
        return cb_commands[n].name;
    const struct cb_bench *bench = cb_benches[i - n];
    return bench ? bench->id : NULL;
}

bool cb_command_help(const char *name, struct cb_help *help)
{
    const struct cb_command *command = cb_command_find(name);
    const struct cb_bench *bench = cb_bench_find(name);
    if (command)
        *help = *command->help;
    else if (bench)
        *help = (struct cb_help){.text = bench->details,
                                 .globals = cb_global_params,
                                 .own = bench->params,
                                 .bench = bench};
    return command || bench;
}

void cb_print_command_help(const struct cb_help *help)
{
    printf("Usage: coopbench %s\n\n%s\n\n", help->usage, help->text);
    if (help->bench)
        printf("%s\n\n", cb_quick_help(help->bench));
    printf("Options:\n");
    if (help->own && help->own->name) {
        cb_print_params(stdout, help->own, NULL);
        printf("\nOptions of every command that measures:\n");
    }
    cb_print_params(stdout, help->globals, help->own);
}

int cb_run_command(int argc, char **argv, const struct cb_help *help,
                   enum cb_status (*run)(const struct cb_arguments *arguments, struct cb_err *err),
                   struct cb_err *err)
{
    struct cb_arguments arguments;
    enum cb_status status = cb_arguments_parse(argc, argv, help->globals, NULL, &arguments, err);
    if (status == CB_OK && arguments.help)
        cb_print_command_help(help);
    else if (status == CB_OK)
        status = run(&arguments, err);
    cb_arguments_free(&arguments);
    return cb_exit_code_of(status);
}
