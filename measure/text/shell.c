/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/text/shell.h"

#include <string.h>

#include "runtime/host/error.h"
#include "runtime/host/text.h"

/* The bytes of the character at word; 0: a terminal would obey the first one, or not show it. */
static size_t shown(const char *word)
{
    return (unsigned char)*word < ' ' ? 0 : cb_text_character(word);
}

/* $'...': bash, zsh and ksh. Other shells have no way to write a control character. */
static void print_escaped(FILE *out, const char *word)
{
    fputs("$'", out);
    for (size_t n; *word; word += n ? n : 1) {
        n = shown(word);
        if (n == 0)
            fprintf(out, "\\%03o", (unsigned char)*word);
        else
            fprintf(out, "%s%.*s", strchr("'\\", *word) ? "\\" : "", (int)n, word);
    }
    fputc('\'', out);
}

static bool is_all_shown(const char *word)
{
    for (size_t n; *word; word += n)
        if ((n = shown(word)) == 0)
            return false;
    return true;
}

static void print_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "%+,-./:=@_";
    bool expanded = *word == '='; /* by zsh, to the path of a program */
    if (*word && !expanded && strspn(word, plain) == strlen(word)) {
        fputs(word, out);
        return;
    }
    if (!is_all_shown(word)) {
        print_escaped(out, word);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

void cb_shell_word(FILE *out, const char *word)
{
    fputc(' ', out);
    print_word(out, word);
}

/* Whether it is this option; value_follows: in the next word. */
static bool is_option(const char *word, const char *option, bool *value_follows)
{
    size_t n = strlen(option);
    if (strncmp(word, option, n) != 0 || (word[n] != '\0' && word[n] != '='))
        return false;
    *value_follows = word[n] == '\0';
    return true;
}

static void print_resume(FILE *out, const char *run)
{
    if (!run)
        return;
    fputs(" --resume", out);
    cb_shell_word(out, run);
}

void cb_shell_resume(FILE *out, const char *program, char *const *words, int n, const char *run)
{
    static const char *const replaced[] = {"--resume", "--run-id"};
    bool done = false;
    print_word(out, program);
    for (int i = 0; i < n; i++) {
        bool skip = false, value_follows = false;
        for (size_t k = 0; k < CB_COUNTOF(replaced) && !done && !skip; k++)
            skip = is_option(words[i], replaced[k], &value_follows);
        if (!done && strcmp(words[i], "--") == 0) { /* no options after it */
            print_resume(out, run);
            done = true;
        }
        if (!skip)
            cb_shell_word(out, words[i]);
        i += value_follows;
    }
    if (!done)
        print_resume(out, run);
}
