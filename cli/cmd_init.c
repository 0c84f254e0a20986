/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench init KERNEL.cl[:NAME] [-o FILE.json]
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apphost/setup.h"
#include "apphost/user.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "runtime/host/files.h"
#include "runtime/source.h"

static const struct cb_param init_params[] = {
    {.name = "output",
     .letter = 'o',
     .type = CB_PARAM_TEXT,
     .value_name = "FILE",
     .help = "Where to write the setup: a new file. Without it, or with -, to standard output."},
    {.name = "help", .letter = 'h', .type = CB_PARAM_FLAG, .help = "Show this help."},
    {0},
};

const struct cb_help cb_help_init = {
    .usage = "init KERNEL.cl[:NAME] [-o FILE.json]",
    .text =
        "Writes a first setup of a kernel: its parameters, with some numbers to be edited. One\n"
        "with scheduling points (coopbench merge --help) all commands measure then:\n"
        "\n"
        "  coopbench init solver.cl -o solver.json\n"
        "  coopbench multitask --app ./solver.json\n"
        "\n"
        "A plain kernel's is a task's, which runs beside any app:\n"
        "\n"
        "  coopbench init blur.cl -o blur.json\n"
        "  coopbench multitask --task ./blur.json\n"
        "\n"
        "docs/setup.schema.json says what a setup may have: how large buffers are and with\n"
        "what they begin, files of data, files of results, a tolerance.",
    .globals = init_params,
    .arguments = "FILE",
};

/* A file that is there may have been edited. */
static enum cb_status write_new(const char *path, const char *text, struct cb_err *err)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    if (!out)
        return cb_fail(err, errno == EEXIST ? CB_USAGE : CB_ERROR, "-o: %s: %s", path,
                       strerror(errno));
    fputs(text, out);
    if (!cb_close_safely(out))
        return cb_fail(err, CB_ERROR, "-o: cannot write %s: %s", path, strerror(errno));
    printf("Edit its counts and values, then: coopbench multitask --app %s%s\n",
           strchr(path, '/') ? "" : "./", path);
    return CB_OK;
}

/* From the setup's folder on: its name if it is there, else where it is; the caller's to free. */
static char *kernel_from(const char *kernel, const char *output)
{
    const char *slash = strrchr(kernel, '/'), *other = output ? strrchr(output, '/') : NULL;
    size_t n = slash ? (size_t)(slash - kernel) : 0;
    bool beside = slash && other ? n == (size_t)(other - output) && strncmp(kernel, output, n) == 0
                                 : slash == other;
    return !output  ? strdup(kernel)
           : beside ? strdup(slash ? slash + 1 : kernel)
                    : realpath(kernel, NULL);
}

/* The setup's text, with "kernel": "solver.cl:solve". */
static enum cb_status make_setup(const char *kernel, const char *name, const char *from,
                                 char **setup, struct cb_err *err)
{
    struct cb_merge_kernel merged;
    char *text, *named = NULL;
    size_t size;
    enum cb_status status = cb_user_kernel_merge(&(struct cb_merge_source){kernel, name}, 1,
                                                 CB_USER_EITHER, &text, &merged, err);
    FILE *out = status == CB_OK ? open_memstream(setup, &size) : NULL;
    if (status == CB_OK &&
        (!from || !out || asprintf(&named, "%s%s%s", from, name ? ":" : "", name ? name : "") < 0))
        status = cb_fail(err, CB_ERROR, "out of memory");
    if (status == CB_OK)
        status = cb_setup_write_first(named, &merged, out, err);
    if (out && fclose(out) != 0 && status == CB_OK)
        status = cb_fail(err, CB_ERROR, "out of memory");
    cb_merge_kernel_free(&merged);
    free(named);
    free(text);
    return status;
}

static enum cb_status run_init(const struct cb_arguments *arguments, struct cb_err *err)
{
    const char *output = cb_option_text_or(arguments->globals, "output", "-");
    char id[CB_SETUP_ID], *setup = NULL;
    if (arguments->n_positional != 1)
        return cb_fail(err, CB_USAGE,
                       "init takes one kernel, for instance: coopbench init solver.cl -o "
                       "solver.json");
    output = strcmp(output, "-") == 0 ? NULL : output;
    if (output && cb_setup_name(output, id, err) != CB_OK)
        return cb_context(err, "-o"), err->status;
    char *kernel = arguments->positional[0], *name = cb_source_split_name(kernel);
    char *from = kernel_from(kernel, output);
    enum cb_status status = make_setup(kernel, name, from, &setup, err);
    if (status == CB_OK)
        status = output ? write_new(output, setup, err)
                        : cb_write_output(NULL, setup, strlen(setup), err);
    free(from);
    free(setup);
    return status;
}

int cb_cmd_init(int argc, char **argv, struct cb_err *err)
{
    return cb_run_command(argc, argv, &cb_help_init, run_init, err);
}
