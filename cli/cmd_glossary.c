/* SPDX-License-Identifier: Apache-2.0
 *
 * coopbench glossary [WORD...]
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "measure/text/glossary.h"
#include "measure/text/nearest.h"

static const struct cb_param glossary_params[] = {
    CB_HELP_PARAM,
    {0},
};

const struct cb_help cb_help_glossary = {
    .usage = "glossary [WORD...]",
    .text = "Says what the words of the tables mean: all of them, those of a command, or some.\n\n"
            "  coopbench glossary\n"
            "  coopbench glossary discover\n"
            "  coopbench glossary recall 'in time'",
    .globals = glossary_params,
};

/* A text of Markdown without its emphasis, wrapped. */
static void print_text(const char *text)
{
    char plain[2048];
    size_t n = 0;
    for (; *text && n + 1 < sizeof plain; text++)
        if (*text != '*')
            plain[n++] = *text;
    plain[n] = '\0';
    printf("    ");
    cb_print_wrapped(stdout, plain, 4);
}

static void print_term(const struct cb_term *term)
{
    printf("%s%s%s%s\n", term->names, *term->commands ? " (" : "", term->commands,
           *term->commands ? ")" : "");
    print_text(term->text);
}

/* Prints the terms that the word names, or those of the command that it is; returns how many. */
static int print_matches(const struct cb_glossary *glossary, const char *word)
{
    int n = 0;
    bool command = cb_bench_find(word) || cb_command_find(word);
    for (int i = 0; i < glossary->count; i++) {
        const struct cb_term *term = &glossary->terms[i];
        if (command ? !*term->commands || cb_glossary_has(term->commands, word)
                    : cb_glossary_has(term->names, word)) {
            print_term(term);
            n++;
        }
    }
    return n;
}

static void print_all(const struct cb_glossary *glossary)
{
    const char *heading = "";
    for (int i = 0; i < glossary->count; i++) {
        const struct cb_term *term = &glossary->terms[i];
        if (strcmp(term->heading, heading) != 0)
            printf("%s%s\n\n", i ? "\n" : "", term->heading);
        heading = term->heading;
        print_term(term);
    }
}

static void unknown_word(const struct cb_glossary *glossary, const char *word, struct cb_err *err)
{
    char near[64];
    for (int i = 0; i < glossary->count; i++)
        if (cb_nearest_choice(word, glossary->terms[i].names, near, sizeof near)) {
            cb_fail(err, CB_USAGE, "no table has the word \"%s\" (did you mean \"%s\"?)", word,
                    near + strspn(near, " "));
            return;
        }
    cb_fail(err, CB_USAGE, "no table has the word \"%s\"; 'coopbench glossary' prints all", word);
}

int cb_cmd_glossary(int argc, char **argv, struct cb_err *err)
{
    struct cb_arguments arguments;
    struct cb_glossary glossary = {0};
    if (cb_arguments_parse(argc, argv, glossary_params, NULL, &arguments, err) != CB_OK)
        return cb_exit_code_of(err->status);
    if (arguments.help)
        cb_print_command_help(&cb_help_glossary);
    else if (cb_glossary_read(&glossary, err) == CB_OK) {
        if (arguments.n_positional == 0)
            print_all(&glossary);
        for (int i = 0; i < arguments.n_positional && err->status == CB_OK; i++)
            if (print_matches(&glossary, arguments.positional[i]) == 0)
                unknown_word(&glossary, arguments.positional[i], err);
    }
    cb_glossary_free(&glossary);
    cb_arguments_free(&arguments);
    return cb_exit_code_of(err->status);
}
