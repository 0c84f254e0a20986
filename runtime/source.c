/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/source.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/source_expansion.h"
#include "runtime/source_tokens.h"

#define PATH_MAX_BYTES CB_SOURCE_PATH_BYTES
#define MAX_INCLUDES   CB_SOURCE_INCLUDES

bool cb_expansion_mark(struct cb_expansion *x, const char *path)
{
    for (int i = 0; i < x->n_seen; i++)
        if (strcmp(x->seen[i], path) == 0)
            return false;
    snprintf(x->seen[x->n_seen++], PATH_MAX_BYTES, "%s", path);
    return true;
}

/* The name in a line of the form `#include "name"`; false for any other line. */
static bool include_name(const char *line, const char *format, char name[PATH_MAX_BYTES])
{
    static const char word[] = "include";
    line += strspn(line, " \t"); /* a space in sscanf's format would skip empty lines, too */
    if (*line != '#')
        return false;
    const char *directive =
        line + 1 + strspn(line + 1, " \t"); /* sscanf() reads all that follows */
    return strncmp(directive, word, sizeof word - 1) == 0 && sscanf(line, format, name) == 1;
}

/* Reads a file of a folder, of which n letters count. */
static enum cb_status read_in(const char *folder, int n, const char *name,
                              char path[PATH_MAX_BYTES], char **text, struct cb_err *err)
{
    const char *between = n > 0 && folder[n - 1] != '/' ? "/" : "";
    n = snprintf(path, PATH_MAX_BYTES, "%.*s%s%s", n, folder, between, name);
    if (n < 0 || n >= PATH_MAX_BYTES)
        return cb_fail(err, CB_ERROR, "file name too long");
    return cb_source_read(path, text, err);
}

/* Looks into the folders of a user's options. */
static enum cb_status read_in_folders(const struct cb_expansion *x, const char *name,
                                      char path[PATH_MAX_BYTES], char **text)
{
    enum cb_status status = CB_ERROR;
    for (int i = 0; x->options && i < x->options->n_folders && status != CB_OK; i++)
        status = read_in(x->options->folders[i], (int)strlen(x->options->folders[i]), name, path,
                         text, NULL);
    return status;
}

/* Looks beside the including file, then in the folders of options, or in kernels/ and from the
 * project's root on; a name that begins with "/" is no other's. */
static enum cb_status read_include(const struct cb_expansion *x, const char *from, const char *name,
                                   char path[PATH_MAX_BYTES], char **text, struct cb_err *err)
{
    const char *slash = *name == '/' ? NULL : strrchr(from, '/');
    const int n = slash ? (int)(slash - from) + 1 : 0;
    if (x->users_only && *name != '/' && read_in(from, n, name, path, text, NULL) != CB_OK &&
        read_in_folders(x, name, path, text) == CB_OK)
        return CB_OK;
    if (x->users_only)
        return *text ? CB_OK : read_in(from, n, name, path, text, err);
    if (read_in(from, n, name, path, text, NULL) == CB_OK ||
        read_in("kernels/", 8, name, path, text, NULL) == CB_OK)
        return CB_OK;
    return read_in("", 0, name, path, text, err);
}

static enum cb_status expand(struct cb_expansion *x, const char *path, const char *text,
                             struct cb_err *err);

/* Includes what line `line_number` of a file names. */
static enum cb_status include(struct cb_expansion *x, const char *from, int line_number,
                              const char *name, struct cb_err *err)
{
    char path[PATH_MAX_BYTES], *text = NULL;
    if (read_include(x, from, name, path, &text, err) != CB_OK)
        return cb_context(err, "%s:%d: #include \"%s\"", from, line_number, name);
    const bool may_repeat = x->users_only && !strstr(text, "#pragma once");
    enum cb_status status = CB_OK;
    if (x->depth == MAX_INCLUDES)
        status = cb_fail(err, CB_ERROR,
                         "%s:%d: %s is included within %d others, as by a circle: let files begin "
                         "with #pragma once; #ifndef comes too late here",
                         from, line_number, name, MAX_INCLUDES);
    else if (x->n_seen >= MAX_INCLUDES)
        status = cb_fail(err, CB_ERROR, "%s:%d: more than %d files are included", from, line_number,
                         MAX_INCLUDES);
    else if (may_repeat && ++x->repeats > CB_SOURCE_REPEATS)
        status = cb_fail(err, CB_ERROR,
                         "%s:%d: more than %d includes of files without #pragma once; let these "
                         "begin with it",
                         from, line_number, CB_SOURCE_REPEATS);
    else if (may_repeat || cb_expansion_mark(x, path))
        status = expand(x, path, text, err);
    free(text);
    return status;
}

/* Whether a user's file includes one that is not beside it: of the kernel library, or none. The
 * compiler says so if that matters. */
static bool is_elsewhere(const struct cb_expansion *x, const char *from, const char *name)
{
    char path[PATH_MAX_BYTES], *text = NULL;
    bool is_there = !x->users_only || read_include(x, from, name, path, &text, NULL) == CB_OK;
    free(text);
    return !is_there;
}

/* All of kernels/<folder>/, of which the compiler uses one. */
static enum cb_status include_folder(struct cb_expansion *x, const char *from, int line_number,
                                     const char *folder, struct cb_err *err)
{
    char start[PATH_MAX_BYTES];
    size_t n = (size_t)snprintf(start, sizeof start, "kernels/%.64s/", folder);
    enum cb_status status = CB_OK;
    for (const struct cb_embedded *file = cb_embedded_files; file->path && status == CB_OK; file++)
        if (strncmp(file->path, start, n) == 0)
            status = include(x, from, line_number, file->path, err);
    return status;
}

/* Whether a line is an #include; if so, status says how that went. */
static bool expand_line(struct cb_expansion *x, const char *path, int line_number, const char *line,
                        enum cb_status *status, struct cb_err *err)
{
    char name[PATH_MAX_BYTES];
    if (include_name(line, "# include \"%511[^\"\n]\"", name) ||
        (x->users_only && include_name(line, "# include <%511[^>\n]>", name))) {
        if (is_elsewhere(x, path, name))
            return false;
        *status = include(x, path, line_number, name, err);
    } else if (include_name(line, "# include CB_FILE_OF(%511[^,\n],", name))
        *status = include_folder(x, path, line_number, name, err);
    else
        return false;
    return true;
}

/* Whether a line begins a token: it is not within a comment, or a line that goes on. */
static bool begins_token(struct cb_scanner *s, const char *line)
{
    while (s->at < line)
        cb_token_next(s);
    return s->at == line;
}

static enum cb_status expand(struct cb_expansion *x, const char *path, const char *text,
                             struct cb_err *err)
{
    static const char mark[] = "\xef\xbb\xbf"; /* which some editors put before a file in UTF-8 */
    fprintf(x->out, "#line 1 \"%s\"\n", path);
    int line_number = 1;
    x->depth++;
    const char *line = text + (strncmp(text, mark, 3) == 0 ? 3 : 0);
    struct cb_scanner tokens = {.at = line};
    for (; *line; line_number++) {
        const char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) + 1 : strlen(line);
        enum cb_status status = CB_OK;
        if (begins_token(&tokens, line) && expand_line(x, path, line_number, line, &status, err)) {
            if (status != CB_OK)
                return status;
            fprintf(x->out, "\n#line %d \"%s\"\n", line_number + 1, path);
        } else if (strncmp(line, "#pragma once", 12) == 0) {
            fputc('\n', x->out); /* done here, and compilers warn of it in a main file */
        } else {
            fwrite(line, 1, length, x->out);
        }
        line += length;
    }
    x->depth--;
    return CB_OK;
}

/* What a user's options put before the text. */
static enum cb_status expand_options(struct cb_expansion *x, struct cb_err *err)
{
    cb_source_options_write(x->options, x->out);
    return *x->options->head ? expand(x, "the build options", x->options->head, err) : CB_OK;
}

/* What a compiler's own header defines, as merge reads kernels: OpenCL C's macros for a kernel with
 * two hints, which a user's text may use. */
static void write_own_macros(struct cb_expansion *x, const char *source)
{
    if (x->users_only && strstr(source, "kernel_exec"))
        fputs("#undef kernel_exec\n#define kernel_exec(X, type) kernel\n"
              "#undef __kernel_exec\n#define __kernel_exec(X, type) kernel\n",
              x->out);
}

static enum cb_status expand_text(struct cb_expansion *x, const char *path, const char *source,
                                  char **text, struct cb_err *err)
{
    size_t size = 0;
    *text = NULL;
    x->out = open_memstream(text, &size);
    if (!x->out)
        return cb_no_memory(err);
    cb_expansion_mark(x, path);
    enum cb_status status = x->options ? expand_options(x, err) : CB_OK;
    write_own_macros(x, source);
    if (status == CB_OK)
        status = expand(x, path, source, err);
    if (fclose(x->out) != 0)
        status = cb_no_memory(err);
    x->out = NULL;
    if (status != CB_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

enum cb_status cb_expansion_file(struct cb_expansion *x, const char *path, char **text,
                                 struct cb_err *err)
{
    char *source = NULL;
    *text = NULL;
    if (cb_source_read(path, &source, err) != CB_OK)
        return err ? err->status : CB_ERROR;
    enum cb_status status = expand_text(x, path, source, text, err);
    free(source);
    return status;
}

enum cb_status cb_source_expand(const char *path, char **text, struct cb_err *err)
{
    struct cb_expansion x = {.users_only = false};
    return cb_expansion_file(&x, path, text, err);
}

enum cb_status cb_source_expand_text(const char *path, const char *source, char **text,
                                     struct cb_err *err)
{
    struct cb_expansion x = {.users_only = false};
    return expand_text(&x, path, source, text, err);
}

enum cb_status cb_source_expand_users(const char *path, const struct cb_source_options *options,
                                      char **text, struct cb_err *err)
{
    struct cb_expansion x = {.users_only = true, .options = options};
    return cb_expansion_file(&x, path, text, err);
}

enum cb_status cb_source_users_text(const char *path, const char *options, const char *beside,
                                    char **text, struct cb_err *err)
{
    struct cb_source_options given;
    if (cb_source_options_read(options, beside, &given, err) != CB_OK)
        return err->status;
    char *users = cb_source_users_path(path);
    enum cb_status status =
        users ? cb_source_expand_users(users, &given, text, err) : cb_no_memory(err);
    free(users);
    cb_source_options_free(&given);
    return status;
}
