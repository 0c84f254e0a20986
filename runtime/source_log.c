/* SPDX-License-Identifier: Apache-2.0
 *
 * A compiler's log as the user can read it: with the places and names that the text had before it
 * was made one with others.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/source.h"
#include "runtime/source_expansion.h"

#define PATH_MAX_BYTES CB_SOURCE_PATH_BYTES

/* ---- Places ---------------------------------------------------------------------------------- */

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

/* ---- Names ----------------------------------------------------------------------------------- */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

static bool has_line(const char *expanded, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool has_line(const char *expanded, const char *format, ...)
{
    char line[PATH_MAX_BYTES];
    va_list values;
    va_start(values, format);
    const int n = vsnprintf(line, sizeof line, format, values);
    va_end(values);
    for (const char *at = expanded; n < (int)sizeof line && (at = strstr(at, line)); at++)
        if (at == expanded || at[-1] == '\n')
            return true;
    return false;
}

/* Where the number at the end of a name begins. */
static int number_in(const char *name, int n)
{
    while (n > 0 && isdigit((unsigned char)name[n - 1]))
        n--;
    return n;
}

/* The part of a name that the user wrote; n: its length, which becomes the part's. */
static const char *users_part(const char *expanded, const char *name, int *n)
{
    const int own = (int)strlen(CB_SOURCE_OWN), suffix = number_in(name, *n) - 2;
    if (suffix > 0 && suffix + 2 < *n &&
        has_line(expanded, CB_SOURCE_COPY, *n - suffix, name + suffix))
        *n = suffix;
    for (int at = 1; at + own < *n; at++) {
        const int rest = at + own;
        if (strncmp(name + at, CB_SOURCE_OWN, (size_t)own) == 0 &&
            has_line(expanded, "#define %.*s %.*s\n", *n - rest, name + rest, *n, name)) {
            *n -= rest;
            return name + rest;
        }
    }
    const int number = number_in(name, *n) - 1;
    if (number > 0 && number + 1 < *n &&
        has_line(expanded, CB_SOURCE_RENAMED, *n, name, number, name))
        *n = number;
    return name;
}

/* ---- The log --------------------------------------------------------------------------------- */

char *cb_source_map_log(const char *expanded, const char *log)
{
    char *mapped = NULL, path[PATH_MAX_BYTES];
    size_t size = 0, length = 0;
    FILE *out = open_memstream(&mapped, &size);
    if (!out)
        return NULL;
    while (*log) {
        int line = 0, number = *log == '<' ? line_in_text(log, &length) : 0;
        int n = (int)strspn(log, LETTERS);
        if (number && written_at(expanded, number, path, &line)) {
            fprintf(out, "%s:%d", path, line);
            log += length;
        } else if (n > 0) {
            const char *name = log;
            log += n;
            name = users_part(expanded, name, &n);
            fprintf(out, "%.*s", n, name);
        } else {
            fputc(*log++, out);
        }
    }
    if (fclose(out) == 0)
        return mapped;
    free(mapped);
    return NULL;
}
