/* SPDX-License-Identifier: Apache-2.0
 *
 * The subcommands. argv[0] is the command's name. Each returns the exit code; what it failed of is
 * in err, which main() prints.
 */
#pragma once

#include "cli/suite.h"

int cb_cmd_bench(const struct cb_bench *bench, int argc, char **argv, struct cb_err *err);
int cb_cmd_list(int argc, char **argv, struct cb_err *err);
int cb_cmd_run(int argc, char **argv, struct cb_err *err);
int cb_cmd_plot(int argc, char **argv, struct cb_err *err);

/* Usage line, what it does, its own options (NULL: none), then the global ones. */
void cb_print_command_help(const char *usage, const char *text, const struct cb_param *globals,
                           const struct cb_param *own);
