/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench merge KERNEL.cl[:NAME] [TASK.cl[:NAME]...] [-D NAME=VALUE] [-I FOLDER] [-o FILE]
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/build_options.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/suite/suite.h"
#include "runtime/merge/merge.h"
#include "runtime/source.h"

#define MOST_SOURCES 64

struct merge_options {
    const char *output;
    bool standalone;
    struct cb_build_options build;
};

#define OPTION(name, member) CB_OPTION(struct merge_options, name, member)

static const struct cb_param merge_params[] = {
    {OPTION("output", output), .letter = 'o', .value_name = "FILE",
     .help = "Where to write the merged kernel. Without it, or with -, to standard output."},
    {OPTION("standalone", standalone), .letter = 's',
     .help = "Write the kernel library's files into it, too, in place of their #include, so that "
             "it can be compiled anywhere."},
    CB_BUILD_OPTIONS_PARAMS(struct merge_options, build),
    CB_HELP_PARAM,
    {0},
};

const struct cb_help cb_help_merge = {
    .usage = "merge KERNEL.cl[:NAME]... [-D NAME=VALUE] [-I FOLDER] [-o FILE] [--standalone]",
    .text =
        "Makes a cooperative kernel of one in ordinary OpenCL C with the words of FSE'17, and\n"
        "a task of a kernel without them:\n"
        "\n"
        "  offer_kill();               the workgroup may be taken away here\n"
        "  request_fork();             new workgroups may join here\n"
        "  global_barrier();           all workgroups wait for each other\n"
        "  resizing_global_barrier();  the same, and their number may change\n"
        "  transmit int level = 0;     those that join get the value of work-item 0\n"
        "\n"
        "A cooperative kernel runs in all modes of the runtime (docs/cooperative-kernels.md).\n"
        "Its ids and sizes are those of the active workgroups; barrier() stays. A task is a\n"
        "plain kernel, unchanged, whose workgroups are worked off by any number of others. What\n"
        "cannot be done is an error with its place and a way out. NAME: which kernel; without\n"
        "it the one with such words, or the only one. Several files become one program: tasks,\n"
        "and at most one cooperative kernel.",
    .globals = merge_params,
    .arguments = "FILE",
};

static bool are_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static enum cb_status merge(const struct cb_merge_source *sources, int n, char **text,
                            struct cb_err *err)
{
    size_t size = 0;
    struct cb_merge_kernel kernel = {0};
    FILE *out = open_memstream(text, &size);
    if (!out)
        return cb_no_memory(err);
    enum cb_status status = cb_merge(sources, n, out, &kernel, err);
    if (fclose(out) != 0 && status == CB_OK)
        status = cb_no_memory(err);
    if (status == CB_OK)
        cb_merge_print_warnings(&kernel);
    cb_merge_kernel_free(&kernel);
    return status;
}

static enum cb_status make_standalone(const char *path, char **text, struct cb_err *err)
{
    char *whole = NULL;
    enum cb_status status = cb_source_expand_text(path, *text, &whole, err);
    free(*text);
    *text = whole;
    return status;
}

static enum cb_status run_merge(const struct cb_arguments *arguments, struct cb_err *err)
{
    struct merge_options o;
    cb_options_read(arguments->globals, merge_params, &o);
    const char *output = o.output;
    struct cb_merge_source sources[MOST_SOURCES];
    int n = arguments->n_positional;
    char *text = NULL;
    if (n < 1 || n > MOST_SOURCES)
        return cb_fail(err, CB_USAGE,
                       n < 1 ? "merge which kernel? For instance: coopbench merge bfs.cl -o "
                               "merged.cl"
                             : "at most %d kernels in a program",
                       MOST_SOURCES);
    for (int i = 0; i < n; i++)
        if (output && are_same_file(output, arguments->positional[i]))
            return cb_fail(err, CB_USAGE, "-o: %s is the kernel itself", output);
    char *options = cb_build_options_text(&o.build);
    if (!options)
        return cb_no_memory(err);
    for (int i = 0; i < n; i++)
        sources[i] = (struct cb_merge_source){
            .name = cb_source_split_name(arguments->positional[i]),
            .path = arguments->positional[i],
            .options = options,
        };
    enum cb_status status = merge(sources, n, &text, err);
    free(options);
    if (status == CB_OK && o.standalone)
        status = make_standalone(output ? output : "merged.cl", &text, err);
    if (status == CB_OK)
        status = cb_write_output(output, text, strlen(text), err);
    free(text);
    return status;
}

int cb_cmd_merge(int argc, char **argv, struct cb_err *err)
{
    return cb_run_command(argc, argv, &cb_help_merge, run_merge, err);
}
