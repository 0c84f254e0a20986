/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/source_options.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/host/files.h"
#include "runtime/source.h"

/* What begins a text's line of options, and one of its version. */
#define LINE         "// coopbench: build options"
#define VERSION_LINE "// coopbench: language"

/* ---- Words ----------------------------------------------------------------------------------- */

/* The next word of the options, as a shell has it: the caller's to free. NULL: there is none. */
static char *next_word(const char **text)
{
    const char *at = *text + strspn(*text, " \t\r\n");
    char *word = *at ? malloc(strlen(at) + 1) : NULL, *to = word, quote = '\0';
    for (; word && *at && (quote || !strchr(" \t\r\n", *at)); at++) {
        const bool is_quote = quote ? *at == quote : *at == '"' || *at == '\'';
        if (is_quote)
            quote = quote ? '\0' : *at;
        else if (*at == '\\' && quote != '\'' && at[1])
            *to++ = *++at;
        else
            *to++ = *at;
    }
    if (word)
        *to = '\0';
    *text = at;
    return word;
}

static void put_escaped(FILE *out, const char *word)
{
    for (; *word; word++) {
        if (strchr(" \t\"'\\", *word))
            fputc('\\', out);
        fputc(*word, out);
    }
}

static void put_word(FILE *out, const char *word)
{
    fputc(' ', out);
    put_escaped(out, word);
}

void cb_source_option_write(FILE *out, const char *option, const char *value)
{
    put_word(out, option);
    put_escaped(out, value);
}

/* An option whose value is written after it, or is the next word. */
static const struct kind {
    const char *option;
    enum { DEFINES, UNDEFINES, INCLUDES, FOLDER, VERSION } is;
} kinds[] = {{"-include", INCLUDES}, {"-cl-std", VERSION}, {"-D", DEFINES},
             {"-U", UNDEFINES},      {"-I", FOLDER},       {0}};

static const struct kind *kind_of(const char *word)
{
    for (const struct kind *k = kinds; k->option; k++)
        if (strncmp(word, k->option, strlen(k->option)) == 0)
            return k;
    return NULL;
}

/* The value of an option; the caller's to free. NULL: there is none. */
static char *value_of(const struct kind *k, const char *word, const char **text)
{
    const char *value = word + strlen(k->option);
    value += (k->is == INCLUDES || k->is == VERSION) && *value == '=';
    char *given = *value ? strdup(value) : next_word(text);
    if (given && *given)
        return given;
    free(given);
    return NULL;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* "N=4" as "#define N 4", and "N" as "#define N 1". */
static void write_define(FILE *out, const char *define)
{
    const char *value = strchr(define, '=');
    if (value)
        fprintf(out, "#define %.*s %s\n", (int)(value - define), define, value + 1);
    else
        fprintf(out, "#define %s 1\n", define);
}

static bool add_folder(struct cb_source_options *o, char *folder)
{
    char **longer = realloc(o->folders, ((size_t)o->n_folders + 1) * sizeof *longer);
    if (!longer || !folder)
        return free(folder), false;
    o->folders = longer;
    o->folders[o->n_folders++] = folder;
    return true;
}

/* As cb_source_read() wants a user's path. NULL: no memory. */
static char *users_path(const char *beside, const char *value)
{
    char *path = cb_path_beside(beside ? beside : "", value);
    char *users = path ? cb_source_users_path(path) : NULL;
    free(path);
    return users;
}

/* Takes one option; false: no memory. */
static bool take(struct cb_source_options *o, const struct kind *k, const char *value,
                 const char *beside, FILE *head)
{
    char *path = NULL;
    if (k->is == DEFINES)
        write_define(head, value);
    else if (k->is == UNDEFINES)
        fprintf(head, "#undef %s\n", value);
    else if (k->is == VERSION)
        return free(o->version), asprintf(&o->version, " -cl-std=%s", value) >= 0;
    else if (k->is == FOLDER)
        return add_folder(o, users_path(beside, value));
    else if (k->is == INCLUDES && (path = users_path(beside, value)))
        fprintf(head, "#include \"%s\"\n", path);
    else if (k->is == INCLUDES)
        return false;
    free(path);
    return true;
}

static enum cb_status read_all(struct cb_source_options *o, const char *text, const char *beside,
                               FILE *head, FILE *device, struct cb_err *err)
{
    for (char *word; (word = next_word(&text)); free(word)) {
        const struct kind *k = kind_of(word);
        char *value = k ? value_of(k, word, &text) : NULL;
        bool is_taken = true;
        if (k && (!value || strpbrk(value, "\r\n"))) {
            cb_fail(err, CB_USAGE, "build options: %s: expected a value of one line", word);
            free(word);
            free(value);
            return err->status;
        }
        if (k)
            is_taken = take(o, k, value, beside, head);
        else
            put_word(device, word);
        free(value);
        if (!is_taken)
            return free(word), cb_no_memory(err);
    }
    return CB_OK;
}

enum cb_status cb_source_options_read(const char *text, const char *beside,
                                      struct cb_source_options *o, struct cb_err *err)
{
    size_t head_size, device_size;
    *o = (struct cb_source_options){0};
    FILE *head = open_memstream(&o->head, &head_size);
    FILE *device = open_memstream(&o->device, &device_size);
    enum cb_status status = head && device
                                ? read_all(o, text ? text : "", beside, head, device, err)
                                : cb_no_memory(err);
    if (status == CB_OK && !o->version && !(o->version = strdup("")))
        status = cb_no_memory(err);
    const bool is_written = (!head || fclose(head) == 0) & (!device || fclose(device) == 0);
    if (!is_written && status == CB_OK)
        status = cb_no_memory(err);
    if (status != CB_OK)
        cb_source_options_free(o);
    return status;
}

void cb_source_options_free(struct cb_source_options *o)
{
    for (int i = 0; i < o->n_folders; i++)
        free(o->folders[i]);
    free(o->folders);
    free(o->head);
    free(o->version);
    free(o->device);
    *o = (struct cb_source_options){0};
}

enum cb_status cb_source_options_moved(const char *text, char **moved, struct cb_err *err)
{
    size_t size;
    *moved = NULL;
    FILE *out = open_memstream(moved, &size);
    if (!out)
        return cb_no_memory(err);
    for (char *word; (word = next_word(&text)); free(word)) {
        const struct kind *k = kind_of(word);
        char *value = k ? value_of(k, word, &text) : NULL, path[PATH_MAX];
        const bool is_path = k && value && (k->is == FOLDER || k->is == INCLUDES);
        put_word(out, is_path ? k->option : word);
        if (is_path)
            put_word(out, realpath(value, path) ? path : value);
        else if (value && word[strlen(k->option)] == '\0')
            put_word(out, value); /* the next word */
        free(value);
    }
    if (fclose(out) == 0)
        return CB_OK;
    free(*moved);
    *moved = NULL;
    return cb_no_memory(err);
}

/* ---- With a program's text ------------------------------------------------------------------- */

void cb_source_options_write(const struct cb_source_options *o, FILE *out)
{
    if (*o->device)
        fprintf(out, LINE "%s\n", o->device);
    if (*o->version)
        fprintf(out, VERSION_LINE "%s\n", o->version);
}

char *cb_source_version_of(const char *text)
{
    const char *line = strstr(text, VERSION_LINE);
    line = line ? line + strlen(VERSION_LINE) : " -cl-std=CL1.2\n";
    return strndup(line, strcspn(line, "\n"));
}

/* Whether a list of words has this one. */
static bool has_word(const char *list, const char *word)
{
    bool has = false;
    for (char *one; !has && (one = next_word(&list)); free(one))
        has = strcmp(one, word) == 0;
    return has;
}

char *cb_source_options_of(const char *text)
{
    char *all = NULL;
    size_t size;
    FILE *out = open_memstream(&all, &size);
    if (!out)
        return NULL;
    for (const char *at = text; (at = strstr(at, LINE)); at++) {
        if (at > text && at[-1] != '\n')
            continue;
        char *line = strndup(at + strlen(LINE), strcspn(at + strlen(LINE), "\n"));
        const char *next = line ? line : "";
        for (char *word; (word = next_word(&next)); free(word)) {
            fflush(out);
            if (!has_word(all, word))
                put_word(out, word);
        }
        free(line);
    }
    if (fclose(out) == 0)
        return all;
    free(all);
    return NULL;
}
