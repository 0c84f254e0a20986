/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/shell.h"

#include <string.h>

#include "runtime/error.h"

/* $'...': bash, zsh and ksh. Other shells have no way to write a control character. */
static void print_escaped(FILE *out, const char *word)
{
    fputs(" $'", out);
    for (; *word; word++)
        if (strchr("'\\", *word))
            fprintf(out, "\\%c", *word);
        else if ((unsigned char)*word < ' ' || *word == 0x7f)
            fprintf(out, "\\%03o", (unsigned char)*word);
        else
            fputc(*word, out);
    fputc('\'', out);
}

static bool has_control(const char *word)
{
    for (; *word; word++)
        if ((unsigned char)*word < ' ' || *word == 0x7f)
            return true;
    return false;
}

void cb_shell_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "%+,-./:=@_";
    if (*word && strspn(word, plain) == strlen(word)) {
        fprintf(out, " %s", word);
        return;
    }
    if (has_control(word)) {
        print_escaped(out, word);
        return;
    }
    fputs(" '", out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
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

void cb_shell_resume(FILE *out, char *const *words, int n, const char *run)
{
    static const char *const replaced[] = {"--resume", "--run-id"};
    bool done = false;
    for (int i = 0; i < n; i++) {
        bool skip = false, value_follows = false;
        for (size_t k = 0; k < CB_COUNTOF(replaced) && !done && !skip; k++)
            skip = is_option(words[i], replaced[k], &value_follows);
        if (!done && strcmp(words[i], "--") == 0) { /* no options behind it */
            fputs(" --resume", out);
            cb_shell_word(out, run);
            done = true;
        }
        if (!skip)
            cb_shell_word(out, words[i]);
        i += value_follows;
    }
    if (!done) {
        fputs(" --resume", out);
        cb_shell_word(out, run);
    }
}
