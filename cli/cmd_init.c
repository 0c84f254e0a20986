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

static const struct cb_param init_params[] = {
    {.name = "output",
     .letter = 'o',
     .type = CB_PARAM_TEXT,
     .value_name = "FILE",
     .help = "Where to write the setup: a new file in the kernel's folder. Without it, or with -, "
             "to standard output."},
    {.name = "help", .letter = 'h', .type = CB_PARAM_FLAG, .help = "Show this help."},
    {0},
};

const struct cb_help cb_help_init = {
    .usage = "init KERNEL.cl[:NAME] [-o FILE.json]",
    .text = "Writes a first setup of a kernel with scheduling points (coopbench merge --help):\n"
            "its parameters, with some numbers to be edited. Then all commands measure it:\n"
            "\n"
            "  coopbench init solver.cl -o solver.json\n"
            "  coopbench multitask --app ./solver.json\n"
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

static enum cb_status write_setup(const char *kernel, const char *name, const char *output,
                                  struct cb_err *err)
{
    char *text = NULL, *parameters = NULL, *setup = NULL, named[512];
    size_t size = 0;
    const char *slash = strrchr(kernel, '/');
    snprintf(named, sizeof named, "%s%s%s", slash && output ? slash + 1 : kernel, name ? ":" : "",
             name ? name : "");
    FILE *out = open_memstream(&setup, &size);
    enum cb_status status = out ? cb_user_kernel_merge(kernel, name, &text, &parameters, err)
                                : cb_fail(err, CB_ERROR, "out of memory");
    if (status == CB_OK)
        status = cb_setup_write_first(named, parameters, out, err);
    if (out && fclose(out) != 0 && status == CB_OK)
        status = cb_fail(err, CB_ERROR, "out of memory");
    if (status == CB_OK)
        status = output ? write_new(output, setup, err)
                        : cb_write_output(NULL, setup, strlen(setup), err);
    free(text);
    free(parameters);
    free(setup);
    return status;
}

static enum cb_status run_init(const struct cb_arguments *arguments, struct cb_err *err)
{
    const char *output = cb_option_text_or(arguments->globals, "output", "-");
    if (arguments->n_positional != 1)
        return cb_fail(err, CB_USAGE,
                       "init takes one kernel, for instance: coopbench init solver.cl -o "
                       "solver.json");
    char *name = cb_split_kernel_name(arguments->positional[0]);
    return write_setup(arguments->positional[0], name, strcmp(output, "-") == 0 ? NULL : output,
                       err);
}

int cb_cmd_init(int argc, char **argv, struct cb_err *err)
{
    struct cb_arguments arguments;
    enum cb_status status = cb_arguments_parse(argc, argv, init_params, NULL, &arguments, err);
    if (status == CB_OK && cb_options_flag(arguments.globals, "help"))
        cb_print_command_help(&cb_help_init);
    else if (status == CB_OK)
        status = run_init(&arguments, err);
    cb_arguments_free(&arguments);
    return cb_exit_code_of(status);
}
