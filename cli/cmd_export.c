/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench export --to FORMAT RUN...
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/documents/runs.h"
#include "analysis/export/export.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "measure/text/json.h"
#include "runtime/host/files.h"
#include "runtime/host/text.h"

#define PATH_BYTES PATH_MAX

struct export_options {
    const char *to, *output, *direction;
};

#define OPTION(name, member) CB_OPTION(struct export_options, name, member)

static const struct cb_param export_params[] = {
    {OPTION("to", to), .letter = 't', .choices = CB_EXPORT_CHOICES, .value_name = "FORMAT",
     .help = "What to write; the formats are below."},
    {OPTION("output", output), .letter = 'o', .value_name = "FILE",
     .help = "Where to write it. Without it, or with -, to standard output."},
    {OPTION("direction", direction), .choices = "smaller,bigger",
     .help = "github only, whose files hold metrics of one direction: those of which smaller, or "
             "bigger, is better. Without it, -o x.json writes x-smaller.json and x-bigger.json."},
    CB_HELP_PARAM,
    {0},
};

const struct cb_help cb_help_export = {
    .usage = "export --to FORMAT RUN... [-o FILE]",
    .text = "Writes one or more runs (folders, folders of runs, or names in results/: latest,\n"
            "a <run-id>) in the format of another tool. Values are medians with their 95 %\n"
            "interval. A case that is not ok has no values; junit, csv and md list it with the\n"
            "reason, openmetrics with its state, gbench as error_occurred (with times of 0,\n"
            "which that format demands).\n"
            "\n"
            "Names are DEVICE/CASE/METRIC and stay the same from run to run (bmf: CASE, since\n"
            "Bencher has the device as --testbed). github and bmf take a name once: not two\n"
            "runs of the same cases.",
    .globals = export_params,
    .arguments = "RUN",
};

static void print_help(void)
{
    cb_print_command_help(&cb_help_export);
    printf("\nFormats:\n");
    for (const struct cb_export_format *f = cb_export_formats; f->name; f++)
        printf("  %-10s %s\n", f->name, f->consumer);
    printf("\nFor instance:\n"
           "  coopbench export --to github -o bench.json results/latest\n"
           "  coopbench export --to junit results/latest > junit.xml\n");
}

/* Writes one file. CB_SKIPPED: there is nothing to write, so none was. */
static enum cb_status write_file(const struct cb_export_format *format, const struct cb_export *e,
                                 const char *path, struct cb_err *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int count = out ? format->write(out, e) : 0;
    enum cb_status status = CB_SKIPPED;
    if (!out || fclose(out) != 0)
        status = cb_no_memory(err);
    else if (count > 0)
        status = cb_write_output(path, text, size, err);
    free(text);
    return status;
}

/* "x.json" and "smaller": "x-smaller.json". */
static void path_of_direction(const char *path, const char *direction, char *made)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t stem =
        dot && (!slash || dot > slash + 1) && dot > path ? (size_t)(dot - path) : strlen(path);
    snprintf(made, PATH_BYTES, "%.*s-%s%s", (int)stem, path, direction, path + stem);
}

static enum cb_status nothing(const struct cb_export_format *format, const char *direction,
                              struct cb_err *err)
{
    return cb_fail(err, CB_USAGE,
                   "nothing to export to %s: the runs have no case with status ok%s%s%s; "
                   "'--to junit' and '--to md' also list the others",
                   format->name, direction ? " and a metric of which " : " and such a metric",
                   direction ? direction : "", direction ? " is better" : "");
}

/* Formats of one direction: the one that was asked for, or both. */
static enum cb_status write_directions(const struct cb_export_format *format, struct cb_export *e,
                                       const struct export_options *o, struct cb_err *err)
{
    static const struct {
        const char *name, *better;
    } directions[] = {{"smaller", "lower"}, {"bigger", "higher"}};
    const char *only = o->direction;
    const char *path = o->output;
    int written = 0;
    if (!only && (!path || strcmp(path, "-") == 0))
        return cb_fail(err, CB_USAGE,
                       "a file for %s holds metrics of one direction: say --direction smaller or "
                       "bigger, or -o FILE for a file of each",
                       format->name);
    for (size_t i = 0; i < CB_COUNTOF(directions); i++) {
        char made[PATH_BYTES];
        if (only && strcmp(only, directions[i].name) != 0)
            continue;
        e->better = directions[i].better;
        if (!only)
            path_of_direction(path, directions[i].name, made);
        enum cb_status status = write_file(format, e, only ? path : made, err);
        if (status == CB_OK && !only)
            cb_text_print(stdout, "%s\n", made);
        if (status == CB_SKIPPED && !only) /* an old file would be taken for this run's */
            unlink(made);
        if (status != CB_OK && status != CB_SKIPPED)
            return status;
        written += status == CB_OK;
    }
    return written ? CB_OK : nothing(format, only, err);
}

/* An interrupted run is worth exporting, but not unnoticed. */
static void warn_of_incomplete(const struct cb_runs *runs)
{
    for (int i = 0; i < runs->count; i++)
        if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(runs->items[i], "complete")))
            cb_text_print(stderr,
                          "Warning: run %s is not complete: interrupted, or still running\n",
                          cb_json_text(runs->items[i], "run_id", "without an id"));
}

static void tell_left_out(const struct cb_export_format *format, const struct cb_export *e)
{
    if (e->left_out > 0)
        fprintf(stderr,
                "Note: %zu metric%s not ok in all of the runs, and left out: %s needs a value in "
                "each\n",
                e->left_out, e->left_out == 1 ? " is" : "s are", format->name);
}

static enum cb_status export_runs(const struct cb_export_format *format, const struct cb_runs *runs,
                                  const struct export_options *o, struct cb_err *err)
{
    struct cb_export e;
    enum cb_status status = cb_export_open(&e, (const cJSON *const *)runs->items, runs->count, err);
    if (status == CB_OK && e.disturbed > 0)
        fprintf(stderr, "Note: left out: %zu case%s during which another program used the device\n",
                e.disturbed, e.disturbed == 1 ? "" : "s");
    const char *twice = status == CB_OK && format->unique ? cb_export_duplicate(&e) : NULL;
    if (twice)
        status = cb_fail(err, CB_USAGE,
                         "%s takes a name once, but more than one run has %s; export runs with "
                         "the same cases one by one",
                         format->name, twice);
    else if (status == CB_OK && format->check && format->check(&e, err) != CB_OK)
        status = err->status;
    else if (status == CB_OK && format->one_direction)
        status = write_directions(format, &e, o, err);
    else if (status == CB_OK)
        status = write_file(format, &e, o->output, err);
    if (status == CB_SKIPPED)
        status = nothing(format, NULL, err);
    if (status == CB_OK)
        tell_left_out(format, &e);
    cb_export_close(&e);
    return status;
}

static enum cb_status run_export(const struct cb_arguments *arguments, struct cb_err *err)
{
    struct export_options o;
    cb_options_read(arguments->globals, export_params, &o);
    const char *name = o.to;
    const struct cb_export_format *format = name ? cb_export_find(name) : NULL;
    if (!format)
        return cb_fail(err, CB_USAGE,
                       "export to which format? For instance: coopbench export --to junit "
                       "results/latest; 'coopbench export --help' lists the formats");
    if (!format->one_direction && o.direction)
        return cb_fail(err, CB_USAGE, "--direction is for --to github; a file for %s holds all",
                       name);
    if (arguments->n_positional == 0)
        return cb_fail(err, CB_USAGE,
                       "export which run? For instance: coopbench export --to %s results/latest",
                       name);
    struct cb_runs runs;
    enum cb_status status =
        cb_runs_load(arguments->positional, arguments->n_positional, &runs, err);
    if (status == CB_OK) {
        warn_of_incomplete(&runs);
        status = export_runs(format, &runs, &o, err);
    }
    cb_runs_free(&runs);
    return status;
}

int cb_cmd_export(int argc, char **argv, struct cb_err *err)
{
    struct cb_arguments arguments;
    enum cb_status status = cb_arguments_parse(argc, argv, export_params, NULL, &arguments, err);
    if (status == CB_OK && arguments.help)
        print_help();
    else if (status == CB_OK)
        status = run_export(&arguments, err);
    cb_arguments_free(&arguments);
    return cb_exit_code_of(status);
}
