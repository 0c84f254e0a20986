/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line: options of any command from parameter tables, and the help made of the same
 * tables.
 */
#pragma once

#include <stdio.h>

#include "measure/param.h"

struct cb_arguments {
    cJSON *globals;    /* options object: those of the global table that were given */
    cJSON *options;    /* options object: those of the command's own table that were given */
    bool help;         /* --help is among them */
    char **positional; /* pointers into argv */
    int n_positional;
};

/* Parses argv[1..] (argv[0] is the command's name) with getopt_long and the two tables (globals is
 * cb_global_params for commands that measure, own may be NULL); options and
 * positional arguments in any order, "--" ends the options. CB_USAGE names the
 * unknown option and the nearest known one, a missing value, or an invalid one. */
enum cb_status cb_arguments_parse(int argc, char **argv, const struct cb_param *globals,
                                  const struct cb_param *own, struct cb_arguments *out,
                                  struct cb_err *err);
void cb_arguments_free(struct cb_arguments *arguments);

/* What -o says: replaces the file at path, in one step, or writes to a device or a pipe, or to
 * standard output (NULL or -). */
enum cb_status cb_write_output(const char *path, const char *text, size_t size, struct cb_err *err);

/* "N" in "--runs N"; "" for a flag. */
const char *cb_param_value_name(const struct cb_param *param);

/* The help with " [auto, none; default: auto]" after it; the caller's to free. NULL: no memory. */
char *cb_param_help(const struct cb_param *param);

/* Prints text, wrapped to 80 columns, from column indent (where the cursor is), and ends the line.
 */
void cb_print_wrapped(FILE *out, const char *text, int indent);

/* Prints the rows of a table for --help: "  -o, --output-dir DIR   help [default: results]", at
 * most 80 columns, help aligned and wrapped; but for those that another table has, which may be
 * NULL. */
void cb_print_params(FILE *out, const struct cb_param *table, const struct cb_param *hidden_by);
