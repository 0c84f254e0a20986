/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench init KERNEL.cl[:NAME]... [-D NAME=VALUE] [-I FOLDER] [-o FILE.json]
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/host/setup.h"
#include "cli/build_options.h"
#include "cli/commands.h"
#include "cli/first_setups.h"
#include "cli/options.h"
#include "measure/text/shell.h"
#include "runtime/host/files.h"

struct init_options {
    const char *output;
    struct cb_build_options build;
};

#define OPTION(name, member) CB_OPTION(struct init_options, name, member)

static const struct cb_param init_params[] = {
    {OPTION("output", output), .letter = 'o', .value_name = "FILE",
     .help = "Where to write the setup: a new file. Without it, or with -, to standard output."},
    CB_BUILD_OPTIONS_PARAMS(struct init_options, build),
    CB_HELP_PARAM,
    {0},
};

const struct cb_help cb_help_init = {
    .usage = "init KERNEL.cl[:NAME]... [-D NAME=VALUE] [-I FOLDER] [-o FILE.json]",
    .text =
        "Writes a first setup of a kernel: what its arguments are, and how many work-items. One\n"
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
        "One file of several kernels:\n"
        "\n"
        "  coopbench init solver.cl blur.cl -o setup.json\n"
        "  coopbench multitask --kernel solver.cl --task blur.cl --setup setup.json\n"
        "\n"
        "It guesses values from the kernel's text and tries the setup on the CPU device, with\n"
        "pages around all buffers that nobody may touch: buffers are as large as the kernel\n"
        "needs there, and a run takes long enough to be measured, not much longer. What it could\n"
        "not find out, it says.\n"
        "\n"
        "docs/setup.schema.json says what a setup may have: how large buffers are and with\n"
        "what they begin, files of data, files of results, a tolerance.",
    .globals = init_params,
    .arguments = "FILE",
};

/* " --task blur.cl", for a shell; nothing if there is no value. */
static void print_option(const char *option, const char *value)
{
    if (!*value)
        return;
    printf(" %s", option);
    cb_shell_word(stdout, value);
}

/* A file that is there may have been edited. */
static enum cb_status write_new(const struct cb_first_setups *m, const char *text,
                                struct cb_err *err)
{
    int file = open(m->output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    if (!out)
        return cb_fail(err, errno == EEXIST ? CB_USAGE : CB_ERROR, "-o: %s: %s", m->output,
                       strerror(errno));
    fputs(text, out);
    if (!cb_close_safely(out))
        return cb_fail(err, CB_ERROR, "-o: cannot write %s: %s", m->output, strerror(errno));
    fputs("Look at its values, then: coopbench multitask", stdout);
    if (m->several) {
        print_option("--kernel", m->kernels);
        print_option("--task", m->tasks);
        print_option("--setup", m->output);
    } else {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s%s", strchr(m->output, '/') ? "" : "./", m->output);
        print_option(*m->tasks ? "--task" : "--app", path);
    }
    puts("");
    return CB_OK;
}

/* Before any trial: whether the file is a new one, in a folder that is there. */
static enum cb_status check_new(const char *output, struct cb_err *err)
{
    const char *slash = strrchr(output, '/');
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - output) + 1 : 1,
             slash ? output : ".");
    const int number = access(output, F_OK) == 0 ? EEXIST : access(folder, W_OK) == 0 ? 0 : errno;
    return number == 0 ? CB_OK
                       : cb_fail(err, number == EEXIST ? CB_USAGE : CB_ERROR, "-o: %s: %s", output,
                                 strerror(number));
}

static enum cb_status write_setup(const struct cb_first_setups *m, struct cb_err *err)
{
    char *text = cb_first_setups_text(m);
    enum cb_status status = !text       ? cb_no_memory(err)
                            : m->output ? write_new(m, text, err)
                                        : cb_write_output(NULL, text, strlen(text), err);
    free(text);
    return status;
}

static enum cb_status run_init(const struct cb_arguments *arguments, struct cb_err *err)
{
    struct init_options o;
    char id[CB_SETUP_ID];
    cb_options_read(arguments->globals, init_params, &o);
    const char *output = o.output && strcmp(o.output, "-") != 0 ? o.output : NULL;
    const bool several = arguments->n_positional > 1;
    if (arguments->n_positional == 0)
        return cb_fail(err, CB_USAGE,
                       "init takes kernels, for instance: coopbench init solver.cl -o "
                       "solver.json");
    if (output && cb_setup_name(output, id, err) != CB_OK)
        return cb_context(err, "-o"), err->status;
    if (output && several && !cb_setup_is(output))
        return cb_fail(err, CB_USAGE, "-o: %s: expected a file, as setup.json", output);
    if (output && check_new(output, err) != CB_OK)
        return err->status;
    char *options = cb_build_options_text(&o.build);
    if (!options)
        return cb_no_memory(err);
    struct cb_first_setups m = cb_first_setups_begin(output, options, several);
    enum cb_status status = CB_OK;
    for (int i = 0; i < arguments->n_positional && status == CB_OK; i++)
        status = cb_first_setups_add(&m, arguments->positional[i], err);
    free(options);
    if (status == CB_OK)
        status = write_setup(&m, err);
    cJSON_Delete(m.root);
    return status;
}

int cb_cmd_init(int argc, char **argv, struct cb_err *err)
{
    return cb_run_command(argc, argv, &cb_help_init, run_init, err);
}
