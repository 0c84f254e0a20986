/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench man: the manual page, from the tables that --help is made of.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/suite/global_params.h"
#include "runtime/version.h"

static const struct cb_param man_params[] = {
    CB_HELP_PARAM,
    {0},
};

const struct cb_help cb_help_man = {
    .usage = "man",
    .text = "Prints the manual page coopbench(1), which an installed package has in place:\n\n"
            "  coopbench man | man -l -",
    .globals = man_params,
};

static const struct cb_meaning variables[] = {
    {"COOPBENCH_PROFILE_DIR",
     "Folder of the devices' profiles, in place of "
     "$XDG_CONFIG_HOME/coopbench/profiles, else ~/.config/coopbench/profiles."},
    {"COOPBENCH_KERNEL_DIR", "A source tree from which kernels and plot scripts are read, in place "
                             "of those that the program carries."},
    {"COOPBENCH_HOSTNAME", "Name of the machine in results, in place of its own."},
    {"TMPDIR", "Where results are saved if their folder takes no more."},
    {0},
};

static const struct cb_meaning files[] = {
    {"results/latest", "The last run: a link."},
    {"results/ID/run.json", "A whole run."},
    {"results/ID/report.md, summary.csv, samples.csv",
     "Its tables, a line per case and metric, a line per sample."},
    {"results/ID/events.jsonl", "A line per finished case, on disk as it happens; --resume "
                                "completes a run from it."},
    {"/usr/share/coopbench/configs", "The suites of 'coopbench list configs' as files, to start "
                                     "one's own from."},
    {"~/.config/coopbench/profiles", "What was learnt about devices."},
    {0},
};

/* ---- roff ------------------------------------------------------------------------------------ */

/* A text in which nothing is a request; blanks and line ends as they are. */
static void print_escaped(const char *text)
{
    bool starts = true;
    for (; *text; text++) {
        if (starts && (*text == '.' || *text == '\''))
            printf("\\&");
        starts = *text == '\n';
        if (*text == '\\')
            printf("\\e");
        else if (*text == '-')
            printf("\\-");
        else if (*text == '\'')
            printf("\\(aq");
        else if (*text == '`')
            printf("\\(ga");
        else if (*text == '^' || *text == '~')
            printf(*text == '^' ? "\\(ha" : "\\(ti");
        else
            putchar(*text);
        if (text[0] == ',' && text[1] > ' ')
            printf("\\:"); /* a long list may be broken there */
    }
}

/* Paragraphs are filled; lines that begin with a blank stay lines. */
static void print_paragraphs(const char *text)
{
    bool listed = false;
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        char *copy = strndup(line, n);
        bool list = line[0] == ' ';
        if (n == 0 || list != listed)
            printf(list ? ".PP\n.nf\n" : listed ? ".fi\n.PP\n" : ".PP\n");
        listed = list;
        if (copy && n > 0) {
            print_escaped(copy);
            putchar('\n');
        }
        free(copy);
        line += n + (line[n] == '\n');
        if (n == 0 && *line == ' ') { /* the list begins its own paragraph */
            printf(".nf\n");
            listed = true;
        }
    }
    if (listed)
        printf(".fi\n");
}

static void print_meanings(const struct cb_meaning *list)
{
    for (; list->what; list++) {
        printf(".TP\n.B ");
        print_escaped(list->what);
        putchar('\n');
        print_escaped(list->meaning);
        putchar('\n');
    }
}

static void print_options(const struct cb_param *table)
{
    for (const struct cb_param *p = table; p && p->name; p++) {
        char *help = cb_param_help(p);
        printf(".TP\n");
        if (p->letter)
            printf("\\fB\\-%c\\fR, ", p->letter);
        printf("\\fB\\-\\-");
        print_escaped(p->name);
        printf("\\fR");
        if (cb_param_has_value(p)) {
            printf(" \\fI");
            print_escaped(cb_param_value_name(p));
            printf("\\fR%s", cb_param_splits(p) ? ",..." : "");
        }
        putchar('\n');
        print_paragraphs(help ? help : "");
        free(help);
    }
}

/* ---- Sections -------------------------------------------------------------------------------- */

static void print_heading(const char *macro, const char *name)
{
    printf(".%s \"", macro);
    print_escaped(name);
    printf("\"\n");
}

static void print_bench(const struct cb_bench *bench)
{
    char usage[96];
    snprintf(usage, sizeof usage, "coopbench %s [OPTIONS]", bench->id);
    print_heading("SS", usage);
    print_paragraphs(bench->details);
    printf(".PP\nReproduces: ");
    print_escaped(bench->reproduces);
    printf(".\n");
    print_options(bench->params);
    printf(".PP\nMetrics:\n");
    for (const struct cb_metric *m = bench->metrics; m->name; m++) {
        printf(".TP\n.BR %s \" [", m->name);
        print_escaped(m->unit);
        printf("]\"\n");
        print_escaped(m->help);
        putchar('\n');
    }
}

static void print_command(const struct cb_command *command)
{
    char usage[160];
    snprintf(usage, sizeof usage, "coopbench %s", command->help->usage);
    print_heading("SS", usage);
    print_paragraphs(command->help->text);
    print_options(command->help->own);
    if (command->help->globals != cb_global_params)
        print_options(command->help->globals);
}

static void print_page(void)
{
    printf(".TH COOPBENCH 1 \"\" \"coopbench %s\" \"User Commands\"\n", cb_version.version);
    printf(".ad l\n"); /* a line of one long list cannot be filled up with blanks */
    printf(
        ".SH NAME\ncoopbench \\- measure what an OpenCL device does when workgroups wait for each "
        "other\n.SH SYNOPSIS\n.B coopbench\n.I COMMAND\n[\\fIOPTIONS\\fR]\n");
    printf(".SH BENCHMARKS\nThey take their own options and those of every command that measures, "
           "below.\n");
    for (int i = 0; cb_benches[i]; i++)
        print_bench(cb_benches[i]);
    printf(".SH OTHER COMMANDS\n");
    for (const struct cb_command *command = cb_commands; command->name; command++)
        print_command(command);
    printf(".SH OPTIONS OF EVERY COMMAND THAT MEASURES\n");
    print_options(cb_global_params);
    printf(".SH EXIT STATUS\n");
    print_meanings(cb_exit_codes);
    printf(".SH ENVIRONMENT\n");
    print_meanings(variables);
    printf(".SH FILES\n");
    print_meanings(files);
    printf(".SH SEE ALSO\n.BR gnuplot (1),\n.BR clinfo (1)\n");
}

int cb_cmd_man(int argc, char **argv, struct cb_err *err)
{
    struct cb_arguments arguments;
    if (cb_arguments_parse(argc, argv, man_params, NULL, &arguments, err) != CB_OK)
        return cb_exit_code_of(err->status);
    if (arguments.help)
        cb_print_command_help(&cb_help_man);
    else if (arguments.n_positional > 0)
        cb_fail(err, CB_USAGE, "man takes no argument \"%s\"", arguments.positional[0]);
    else
        print_page();
    cb_arguments_free(&arguments);
    return cb_exit_code_of(err->status);
}
