/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line: a word in each line, the first of which is the command. And what completes it.
 */
#include "analysis/compare/rules.h"
#include "cli/commands.h"
#include "cli/complete.h"
#include "cli/options.h"
#include "cli/suite/plan.h"
#include "tests/fuzz/fuzz.h"

#define MOST_WORDS 32

static void plan(const struct cb_help *help, const struct cb_arguments *given)
{
    struct cb_device device = *fuzz_device();
    struct cb_devices devices = {.items = &device, .count = 1};
    struct cb_config_entry entry = {.bench = help->bench, .options = given->options};
    struct cb_suite suite = {.entries = &entry, .count = 1, .globals = given->globals};
    struct cb_plan planned = {0};
    struct cb_err err;
    cb_suite_plan(&suite, &devices, &planned, &err);
    cb_plan_free(&planned);
}

static void read_rules(const struct cb_arguments *given)
{
    struct cb_compare_rules rules;
    struct cb_err err;
    struct cb_compare_options read;
    cb_options_complete(given->globals, cb_compare_params);
    cb_options_read(given->globals, cb_compare_params, &read);
    if (cb_compare_rules_read(&read.rules, &rules, &err) == CB_OK)
        cb_compare_rules_free(&rules);
}

static void parse(int n, char **words)
{
    struct cb_help help;
    struct cb_arguments given;
    struct cb_err err;
    if (!cb_command_help(words[0], &help) ||
        cb_arguments_parse(n, words, help.globals, help.own, &given, &err) != CB_OK)
        return;
    if (help.bench)
        plan(&help, &given);
    else if (help.globals == cb_compare_params)
        read_rules(&given);
    cb_arguments_free(&given);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *words[MOST_WORDS + 1] = {NULL}, *rest = text;
    int n = 0;
    while (n < MOST_WORDS && rest)
        words[n++] = strsep(&rest, "\n");
    cb_complete(fuzz_sink(), words, n);
    parse(n, words); /* the last, since it changes their order */
    free(text);
    return 0;
}
