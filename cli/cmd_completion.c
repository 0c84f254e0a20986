/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench completion bash|zsh|fish
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "runtime/source.h"

static const struct cb_param completion_params[] = {
    CB_HELP_PARAM,
    {0},
};

const struct cb_help cb_help_completion = {
    .usage = "completion bash|zsh|fish",
    .text = "Prints a script with which the shell completes commands, options and their words.\n"
            "An installed package has it in place. Without one, for this shell alone:\n\n"
            "  source <(coopbench completion bash)\n"
            "  source <(coopbench completion zsh)\n"
            "  coopbench completion fish | source",
    .globals = completion_params,
    .arguments = "bash,zsh,fish",
};

/* The script of a shell; NULL: none. */
static const char *script_of(const char *shell)
{
    char path[64];
    snprintf(path, sizeof path, "cli/completion/coopbench.%.20s", shell);
    for (const struct cb_embedded *file = cb_embedded_files; file->path; file++)
        if (strcmp(file->path, path) == 0)
            return file->text;
    return NULL;
}

int cb_cmd_completion(int argc, char **argv, struct cb_err *err)
{
    struct cb_arguments arguments;
    const char *script;
    if (cb_arguments_parse(argc, argv, completion_params, NULL, &arguments, err) != CB_OK)
        return cb_exit_code_of(err->status);
    if (arguments.help)
        cb_print_command_help(&cb_help_completion);
    else if (arguments.n_positional == 1 && (script = script_of(arguments.positional[0])) != NULL)
        fputs(script, stdout);
    else
        cb_fail(err, CB_USAGE,
                "completion for which shell? 'coopbench completion bash', 'coopbench completion "
                "zsh' or 'coopbench completion fish'");
    cb_arguments_free(&arguments);
    return cb_exit_code_of(err->status);
}
