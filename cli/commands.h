/* SPDX-License-Identifier: Apache-2.0
 *
 * The subcommands. One table per command makes its --help, its part of the manual page and what the
 * shells complete.
 */
#pragma once

#include "cli/suite/global_params.h"
#include "cli/suite/suite.h"

/* What a command's --help says, and 'man coopbench'. */
struct cb_help {
    const struct cb_bench *bench;         /* NULL: none */
    const char *usage;                    /* after "coopbench ": "plot RUN... [-o FOLDER]" */
    const char *text;                     /* what it does: paragraphs */
    const struct cb_param *globals, *own; /* own: NULL if it has none */
    const char *arguments; /* what its positional arguments are, for completion: words, "a,b", or
                              a value_name (cli/complete.h); NULL: none */
};

struct cb_command {
    const char *name, *summary;
    /* argv[0] is the command's name. Returns the exit code; what it failed of is in err, which
     * main() prints. */
    int (*run)(int argc, char **argv, struct cb_err *err);
    const struct cb_help *help;
    bool measures; /* so that a signal ends it in order, however long that takes */
};

/* All but the benchmarks, which are commands, too; ends with a row without name. */
extern const struct cb_command cb_commands[];

const struct cb_command *cb_command_find(const char *name);

/* Name i of all commands and benchmarks, for cb_nearest(); NULL after the last. */
const char *cb_command_name(const void *unused, int i);

/* The help of a command or benchmark (then with what all benchmarks share). False: no such. */
bool cb_command_help(const char *name, struct cb_help *help);

/* For people and the manual page; the list ends with a row of nulls. */
struct cb_meaning {
    const char *what, *meaning;
};
extern const struct cb_meaning cb_exit_codes[];

int cb_cmd_bench(const struct cb_bench *bench, int argc, char **argv, struct cb_err *err);
int cb_cmd_list(int argc, char **argv, struct cb_err *err);
int cb_cmd_run(int argc, char **argv, struct cb_err *err);
int cb_cmd_plot(int argc, char **argv, struct cb_err *err);
int cb_cmd_compare(int argc, char **argv, struct cb_err *err);
int cb_cmd_fleet(int argc, char **argv, struct cb_err *err);
int cb_cmd_export(int argc, char **argv, struct cb_err *err);
int cb_cmd_history(int argc, char **argv, struct cb_err *err);
int cb_cmd_watch(int argc, char **argv, struct cb_err *err);
int cb_cmd_report(int argc, char **argv, struct cb_err *err);
int cb_cmd_merge(int argc, char **argv, struct cb_err *err);
int cb_cmd_init(int argc, char **argv, struct cb_err *err);
int cb_cmd_glossary(int argc, char **argv, struct cb_err *err);
int cb_cmd_completion(int argc, char **argv, struct cb_err *err);
int cb_cmd_man(int argc, char **argv, struct cb_err *err);

extern const struct cb_help cb_help_list, cb_help_run, cb_help_plot, cb_help_compare,
    cb_help_export, cb_help_fleet, cb_help_history, cb_help_report, cb_help_merge, cb_help_init,
    cb_help_glossary, cb_help_completion, cb_help_man, cb_help_watch;

/* A command that measures nothing: parses its options, prints its help, or runs it. Returns the
 * exit code. */
struct cb_arguments;
int cb_run_command(int argc, char **argv, const struct cb_help *help,
                   enum cb_status (*run)(const struct cb_arguments *arguments, struct cb_err *err),
                   struct cb_err *err);

/* Usage line, what it does, its own options, then the global ones. */
void cb_print_command_help(const struct cb_help *help);
