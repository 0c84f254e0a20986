/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/source.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/host/files.h"
#include "runtime/host/hash.h"
#include "runtime/source_expansion.h"

#define PATH_MAX_BYTES CB_SOURCE_PATH_BYTES
#define MAX_INCLUDES   CB_SOURCE_INCLUDES

static const struct cb_file_kind kernel = {"a kernel", 10000000};

static const char *embedded_text(const char *path)
{
    for (const struct cb_embedded *file = cb_embedded_files; file->path; file++)
        if (strcmp(file->path, path) == 0)
            return file->text;
    return NULL;
}

static bool is_users(const char *path)
{
    return *path == '/' || strncmp(path, "./", 2) == 0 || strncmp(path, "../", 3) == 0;
}

/* Texts that the program has made: a list that lasts as long as it does. */
struct kept {
    struct kept *next;
    char *path, *text;
};
static struct kept *kept_texts;

static struct kept *find_kept(const char *path)
{
    struct kept *k = kept_texts;
    while (k && strcmp(k->path, path) != 0)
        k = k->next;
    return k;
}

enum cb_status cb_source_keep(const char *path, const char *text, struct cb_err *err)
{
    struct kept *k = find_kept(path);
    if (k && strcmp(k->text, text) == 0)
        return CB_OK;
    k = malloc(sizeof *k);
    if (k)
        *k = (struct kept){kept_texts, strdup(path), strdup(text)};
    if (k && k->path && k->text) {
        kept_texts = k;
        return CB_OK;
    }
    if (k) {
        free(k->path);
        free(k->text);
    }
    free(k);
    return cb_no_memory(err);
}

enum cb_status cb_source_read(const char *path, char **text, struct cb_err *err)
{
    const struct kept *k = find_kept(path);
    if (k) {
        *text = strdup(k->text);
        return *text ? CB_OK : cb_no_memory(err);
    }
    if (is_users(path))
        return cb_read_file(path, &kernel, text, err);
    const char *root = getenv("COOPBENCH_KERNEL_DIR");
    if (root && *root) {
        char full[PATH_MAX_BYTES];
        if (snprintf(full, sizeof full, "%s/%s", root, path) >= (int)sizeof full)
            return cb_fail(err, CB_ERROR, "COOPBENCH_KERNEL_DIR: the path is too long");
        if (cb_read_file(full, &kernel, text, err) == CB_OK)
            return CB_OK;
        cb_context(err, "COOPBENCH_KERNEL_DIR");
        return err ? err->status = CB_ERROR : CB_ERROR; /* of a case, not of the command line */
    }
    const char *embedded = embedded_text(path);
    if (!embedded)
        return cb_fail(err, CB_ERROR, "no embedded file '%s'", path);
    *text = strdup(embedded);
    return *text ? CB_OK : cb_no_memory(err);
}

char *cb_source_users_path(const char *path)
{
    char *users = NULL;
    return asprintf(&users, "%s%s", is_users(path) ? "" : "./", path) < 0 ? NULL : users;
}

char *cb_source_split_name(char *path)
{
    char *colon = strrchr(path, ':');
    if (!colon || access(path, F_OK) == 0 || strchr(colon, '/'))
        return NULL;
    *colon = '\0';
    return colon + 1;
}

static bool is_for_devices(const char *path)
{
    static const char *const endings[] = {".cl", ".clh", ".h", ".vert", ".frag"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < CB_COUNTOF(endings); i++)
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

static uint64_t digest_text(uint64_t digest, const char *text)
{
    return cb_hash(digest, text, strlen(text) + 1);
}

uint64_t cb_source_digest(void)
{
    uint64_t digest = CB_HASH_START;
    for (const struct cb_embedded *file = cb_embedded_files; file->path; file++) {
        char *text = NULL;
        struct cb_err ignored;
        if (!is_for_devices(file->path) || cb_source_read(file->path, &text, &ignored) != CB_OK)
            continue;
        digest = digest_text(digest_text(digest, file->path), text);
        free(text);
    }
    for (const struct kept *k = kept_texts; k; k = k->next)
        digest ^= digest_text(digest_text(CB_HASH_START, k->path), k->text); /* in any order */
    return digest;
}

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

/* Looks beside the including file, then in kernels/, then from the project's root; a name that
 * begins with "/" is no other's. */
static enum cb_status read_include(const struct cb_expansion *x, const char *from, const char *name,
                                   char path[PATH_MAX_BYTES], char **text, struct cb_err *err)
{
    const size_t last = x->users_only ? 0 : 2;
    const char *slash = strrchr(from, '/');
    const struct {
        int n;
        const char *text;
    } folders[] = {
        {slash && *name != '/' ? (int)(slash - from) + 1 : 0, from}, {8, "kernels/"}, {0, ""}};
    enum cb_status status = CB_ERROR;
    for (size_t i = 0; i <= last && status != CB_OK; i++) {
        int n = snprintf(path, PATH_MAX_BYTES, "%.*s%s", folders[i].n, folders[i].text, name);
        if (n < 0 || n >= PATH_MAX_BYTES)
            return cb_fail(err, CB_ERROR, "file name too long");
        status = cb_source_read(path, text, i < last ? NULL : err);
    }
    return status;
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
    if (x->n_seen >= MAX_INCLUDES || x->depth == MAX_INCLUDES)
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
    if (include_name(line, "# include \"%511[^\"\n]\"", name)) {
        if (is_elsewhere(x, path, name))
            return false;
        *status = include(x, path, line_number, name, err);
    } else if (include_name(line, "# include CB_FILE_OF(%511[^,\n],", name))
        *status = include_folder(x, path, line_number, name, err);
    else
        return false;
    return true;
}

static enum cb_status expand(struct cb_expansion *x, const char *path, const char *text,
                             struct cb_err *err)
{
    static const char mark[] = "\xef\xbb\xbf"; /* which some editors put before a file in UTF-8 */
    fprintf(x->out, "#line 1 \"%s\"\n", path);
    int line_number = 1;
    x->depth++;
    for (const char *line = text + (strncmp(text, mark, 3) == 0 ? 3 : 0); *line; line_number++) {
        const char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) + 1 : strlen(line);
        enum cb_status status = CB_OK;
        if (expand_line(x, path, line_number, line, &status, err)) {
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

static enum cb_status expand_text(struct cb_expansion *x, const char *path, const char *source,
                                  char **text, struct cb_err *err)
{
    size_t size = 0;
    *text = NULL;
    x->out = open_memstream(text, &size);
    if (!x->out)
        return cb_no_memory(err);
    cb_expansion_mark(x, path);
    enum cb_status status = expand(x, path, source, err);
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

enum cb_status cb_source_expand_users(const char *path, char **text, struct cb_err *err)
{
    struct cb_expansion x = {.users_only = true};
    return cb_expansion_file(&x, path, text, err);
}

/* ---- Logs ------------------------------------------------------------------------------------ */

/* How compilers name a program that was given as text. */
static const char *const text_names[] = {"<kernel>:", "<program source>:"};

/* Where line `wanted` of the expanded text was written; false if no #line precedes it. */
static bool written_at(const char *expanded, int wanted, char path[PATH_MAX_BYTES], int *line)
{
    bool known = false;
    int number = 1, next = 0;
    for (const char *at = expanded; at && number < wanted; number++) {
        char name[PATH_MAX_BYTES];
        int given;
        next++;
        if (sscanf(at, "#line %d \"%511[^\"\n]\"", &given, name) == 2) {
            memcpy(path, name, PATH_MAX_BYTES);
            next = given;
            known = true;
        }
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    *line = next;
    return known;
}

/* The number after a compiler's name for the text at the start of `log`; 0: there is none. */
static int line_in_text(const char *log, size_t *length)
{
    for (size_t i = 0; i < CB_COUNTOF(text_names); i++) {
        size_t name = strlen(text_names[i]);
        int line = 0, digits = 0;
        if (strncmp(log, text_names[i], name) == 0 &&
            sscanf(log + name, "%9d%n", &line, &digits) == 1 && line > 0) {
            *length = name + (size_t)digits;
            return line;
        }
    }
    return 0;
}

char *cb_source_map_log(const char *expanded, const char *log)
{
    char *mapped = NULL, path[PATH_MAX_BYTES];
    size_t size = 0, length = 0;
    FILE *out = open_memstream(&mapped, &size);
    if (!out)
        return NULL;
    while (*log) {
        int line = 0, number = *log == '<' ? line_in_text(log, &length) : 0;
        if (number && written_at(expanded, number, path, &line)) {
            fprintf(out, "%s:%d", path, line);
            log += length;
        } else {
            fputc(*log++, out);
        }
    }
    if (fclose(out) == 0)
        return mapped;
    free(mapped);
    return NULL;
}
