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
#include "apps/host/user.h"
#include "apps/host/user_merge.h"
#include "cli/build_options.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "measure/text/shell.h"
#include "runtime/host/files.h"
#include "runtime/source.h"

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
        "needs there, and a run takes long enough to be measured. What it could not find out,\n"
        "it says.\n"
        "\n"
        "docs/setup.schema.json says what a setup may have: how large buffers are and with\n"
        "what they begin, files of data, files of results, a tolerance.",
    .globals = init_params,
    .arguments = "FILE",
};

struct making {
    const char *output;  /* NULL: standard output */
    const char *options; /* build options, from the working folder on */
    bool several;
    cJSON *root;
    char kernels[CB_ERR_TEXT], tasks[CB_ERR_TEXT]; /* with commas, as a command takes them */
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
static enum cb_status write_new(const struct making *m, const char *text, struct cb_err *err)
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

/* "kernel": "solver.cl:solve", of the only one. */
static enum cb_status add_path(const struct making *m, const char *kernel, const char *name,
                               struct cb_err *err)
{
    char *from = kernel_from(kernel, m->output), *named = NULL;
    enum cb_status status = CB_OK;
    if (!from || asprintf(&named, "%s%s%s", from, name ? ":" : "", name ? name : "") < 0)
        status = cb_no_memory(err);
    else
        cJSON_AddStringToObject(m->root, "kernel", named);
    free(from);
    free(named);
    return status;
}

/* Adds the object for one kernel of several. */
static enum cb_status add_entry(const struct making *m, const char *kernel, const char *id,
                                cJSON **entry, struct cb_err *err)
{
    cJSON *kernels = cJSON_GetObjectItemCaseSensitive(m->root, "kernels");
    if (cJSON_GetObjectItemCaseSensitive(kernels, id))
        return cb_fail(err, CB_USAGE, "%s: another one is called %s, too", kernel, id);
    *entry = cJSON_AddObjectToObject(kernels, id);
    return *entry ? CB_OK : cb_no_memory(err);
}

/* "build_options": "-DN=4", from the setup's folder on. */
static enum cb_status add_options(const struct making *m, cJSON *setup, struct cb_err *err)
{
    char *moved = NULL;
    if (m->output && strchr(m->output, '/') &&
        cb_source_options_moved(m->options, &moved, err) != CB_OK)
        return err->status;
    const char *options = moved ? moved : m->options;
    cJSON_AddStringToObject(setup, "build_options", options + strspn(options, " "));
    free(moved);
    return CB_OK;
}

static void add_to_command(struct making *m, const char *kernel, const char *name, bool is_task)
{
    char *list = is_task ? m->tasks : m->kernels;
    size_t n = strlen(list);
    snprintf(list + n, CB_ERR_TEXT - n, "%s%s%s%s", n ? "," : "", kernel, name ? ":" : "",
             name ? name : "");
}

/* Says on standard error what is known of a setup. */
static void tell(const struct making *m, const struct cb_merge_kernel *kernel,
                 const struct cb_first *told)
{
    const char *file = m->output ? m->output : "the setup";
    if (*told->trouble && told->is_tried)
        fprintf(stderr, "%s: edit %s before you use it: %s\n", kernel->name, file, told->trouble);
    else if (told->launch_ns > 0)
        fprintf(stderr,
                "%s: tried on the CPU: a run takes %.3g ms, and stays within its buffers. What its "
                "values mean is guessed.\n",
                kernel->name, told->launch_ns / 1e6);
    else
        fprintf(stderr, "%s: not tried: its counts and values are guessed.\n", kernel->name);
}

static enum cb_status add_kernel(struct making *m, char *kernel, struct cb_err *err)
{
    struct cb_merge_kernel merged;
    char *text, *name = cb_source_split_name(kernel);
    cJSON *setup = m->root;
    struct cb_first told;
    const struct cb_merge_source source = {kernel, name, m->options, NULL};
    enum cb_status status = cb_user_kernel_merge(&source, 1, CB_USER_EITHER, &text, &merged, err);
    if (status == CB_OK)
        status = m->several ? add_entry(m, kernel, merged.name, &setup, err)
                            : add_path(m, kernel, name, err);
    if (status == CB_OK && *m->options)
        status = add_options(m, setup, err);
    if (status == CB_OK)
        status = cb_setup_first(&source, &merged, setup, &told, err);
    if (status == CB_OK)
        tell(m, &merged, &told);
    add_to_command(m, kernel, name, merged.is_task);
    cb_merge_kernel_free(&merged);
    free(text);
    return status;
}

static enum cb_status write_setup(const struct making *m, struct cb_err *err)
{
    char *printed = cJSON_Print(m->root), *text = NULL;
    enum cb_status status =
        printed && asprintf(&text, "%s\n", printed) >= 0 ? CB_OK : cb_no_memory(err);
    if (status == CB_OK)
        status =
            m->output ? write_new(m, text, err) : cb_write_output(NULL, text, strlen(text), err);
    cJSON_free(printed);
    free(text);
    return status;
}

static enum cb_status run_init(const struct cb_arguments *arguments, struct cb_err *err)
{
    struct init_options o;
    char id[CB_SETUP_ID];
    cb_options_read(arguments->globals, init_params, &o);
    struct making m = {.output = o.output && strcmp(o.output, "-") != 0 ? o.output : NULL,
                       .several = arguments->n_positional > 1};
    if (arguments->n_positional == 0)
        return cb_fail(err, CB_USAGE,
                       "init takes kernels, for instance: coopbench init solver.cl -o "
                       "solver.json");
    if (m.output && cb_setup_name(m.output, id, err) != CB_OK)
        return cb_context(err, "-o"), err->status;
    if (m.output && m.several && !cb_setup_is(m.output))
        return cb_fail(err, CB_USAGE, "-o: %s: expected a file, as setup.json", m.output);
    m.root = cJSON_CreateObject();
    cJSON_AddStringToObject(m.root, "schema", "coopbench-setup");
    cJSON_AddStringToObject(m.root, "schema_version", "1.2");
    if (m.several)
        cJSON_AddObjectToObject(m.root, "kernels");
    char *options = cb_build_options_text(&o.build);
    enum cb_status status = options ? CB_OK : cb_no_memory(err);
    m.options = options;
    for (int i = 0; i < arguments->n_positional && status == CB_OK; i++)
        status = add_kernel(&m, arguments->positional[i], err);
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
