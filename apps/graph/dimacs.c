/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/graph/parts.h"

#define P_FORM "p sp VERTICES ARCS"
#define A_FORM "a FROM TO WEIGHT"

#define MAX_VERTICES  (1ull << 31)
#define MIN_ARC_BYTES 8                 /* "a 1 2 3" and the end of the line */
#define MAX_SHOWN     60                /* characters of the file in a message */
#define TOO_LARGE     (UINT64_MAX / 16) /* a number that stays there has too many digits */

/* Vertices without arcs that a file may claim: 256 MiB of rows. */
#define SPARE_VERTICES (1ull << 26)

struct reader {
    const char *path;
    const char *at;   /* the next character to read */
    const char *line; /* the line it is in */
    const char *end;  /* of the file; a '\n' stands here, so that every line has its end */
    size_t bytes;
    uint64_t line_number;
    uint64_t p_line_number; /* 0: not seen yet */
    uint32_t vertices;
    uint64_t arcs; /* that the p line promises */
    uint64_t count;
    struct cb_edge *edges;
    struct cb_err *err;
};

struct field {
    const char *name;
    uint64_t min, max;
    const char *where; /* " in ...", why this is the maximum; or "" */
};

/* --- Characters ----------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_line_end(const char *c)
{
    return *c == '\n' || (*c == '\r' && c[1] == '\n');
}

static bool is_word_end(const char *c)
{
    return is_blank(*c) || is_line_end(c);
}

static void skip_blanks(struct reader *r)
{
    while (is_blank(*r->at))
        r->at++;
}

static const char *word_end(const char *c)
{
    while (!is_word_end(c))
        c++;
    return c;
}

static const char *line_end(const char *c)
{
    while (!is_line_end(c))
        c++;
    return c;
}

/* --- Errors --------------------------------------------------------------------------------- */

/* What the file says from `from` on, in quotes: a file may hold anything, a message only text. */
static const char *quote(const char *from, const char *to, char quoted[4 * MAX_SHOWN + 8])
{
    char *out = quoted;
    const char *stop = to - from > MAX_SHOWN ? from + MAX_SHOWN : to;
    *out++ = '"';
    for (; from < stop; from++)
        if (*from >= ' ' && *from <= '~')
            *out++ = *from;
        else
            out += sprintf(out, "\\x%02x", (unsigned)(unsigned char)*from);
    strcpy(out, stop < to ? "...\"" : "\"");
    return quoted;
}

/* "FILE:LINE: message". */
__attribute__((format(printf, 2, 3))) static enum cb_status wrong(const struct reader *r,
                                                                  const char *format, ...)
{
    char what[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return cb_fail(r->err, CB_USAGE, "%s:%" PRIu64 ": %s", r->path, r->line_number, what);
}

static enum cb_status wrong_line(const struct reader *r, const char *expected)
{
    char quoted[4 * MAX_SHOWN + 8];
    return wrong(r, "%s, got %s", expected, quote(r->line, line_end(r->line), quoted));
}

/* Of the word that the reader stands before. */
static enum cb_status wrong_number(const struct reader *r, const struct field *field)
{
    char quoted[4 * MAX_SHOWN + 8];
    if (is_line_end(r->at))
        return wrong(r, "%s missing: expected \"%s\", got %s", field->name,
                     *r->line == 'p' ? P_FORM : A_FORM, quote(r->line, line_end(r->line), quoted));
    return wrong(r, "%s: expected an integer from %" PRIu64 " to %" PRIu64 "%s, got %s",
                 field->name, field->min, field->max, field->where,
                 quote(r->at, word_end(r->at), quoted));
}

/* --- Lines ---------------------------------------------------------------------------------- */

static enum cb_status read_number(struct reader *r, const struct field *field, uint64_t *number)
{
    skip_blanks(r);
    uint64_t value = 0;
    const char *c = r->at;
    for (; *c >= '0' && *c <= '9'; c++)
        value = value < TOO_LARGE ? 10 * value + (uint64_t)(*c - '0') : TOO_LARGE;
    if (c == r->at || !is_word_end(c) || value < field->min || value > field->max)
        return wrong_number(r, field);
    r->at = c;
    *number = value;
    return CB_OK;
}

static enum cb_status read_end(struct reader *r, const char *form)
{
    char quoted[4 * MAX_SHOWN + 8];
    skip_blanks(r);
    if (is_line_end(r->at))
        return CB_OK;
    return wrong(r, "expected the end of the line after \"%s\", got %s", form,
                 quote(r->at, line_end(r->at), quoted));
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Takes memory only for what the file can really hold. */
static enum cb_status read_sizes(struct reader *r)
{
    char where[64];
    snprintf(where, sizeof where, " in a file of %zu bytes", r->bytes);
    const struct field vertices = {"vertices", 1, smaller(MAX_VERTICES, SPARE_VERTICES + r->bytes),
                                   where};
    const struct field arcs = {"arcs", 0,
                               smaller(CB_GRAPH_MAX_EDGES, (r->bytes + 1) / MIN_ARC_BYTES), where};
    uint64_t n;
    enum cb_status status = read_number(r, &vertices, &n);
    if (status == CB_OK)
        status = read_number(r, &arcs, &r->arcs);
    if (status == CB_OK)
        status = read_end(r, P_FORM);
    if (status != CB_OK)
        return status;
    r->vertices = (uint32_t)n;
    r->edges = calloc(r->arcs ? r->arcs : 1, sizeof *r->edges);
    if (!r->edges)
        return cb_fail(r->err, CB_ERROR, "%s: out of memory for %" PRIu64 " arcs", r->path,
                       r->arcs);
    return CB_OK;
}

static enum cb_status read_problem(struct reader *r)
{
    char expected[80];
    if (r->p_line_number) {
        snprintf(expected, sizeof expected, "second p line: expected only the one on line %" PRIu64,
                 r->p_line_number);
        return wrong_line(r, expected);
    }
    r->p_line_number = r->line_number;
    r->at++;
    skip_blanks(r);
    if (word_end(r->at) - r->at != 2 || memcmp(r->at, "sp", 2) != 0)
        return wrong_line(r, "not a shortest-path problem: expected \"" P_FORM "\"");
    r->at += 2;
    return read_sizes(r);
}

static enum cb_status read_arc(struct reader *r)
{
    char expected[80];
    if (!r->p_line_number)
        return wrong_line(r, "arc before the p line: expected \"" P_FORM "\" first");
    if (r->count == r->arcs) {
        snprintf(expected, sizeof expected,
                 "too many arcs: expected %" PRIu64 " as line %" PRIu64 " says", r->arcs,
                 r->p_line_number);
        return wrong_line(r, expected);
    }
    const struct field from = {"first vertex", 1, r->vertices, ""};
    const struct field to = {"second vertex", 1, r->vertices, ""};
    const struct field weight = {"weight", 1, UINT32_MAX, ""};
    uint64_t u, v, w;
    r->at++;
    enum cb_status status = read_number(r, &from, &u);
    if (status == CB_OK)
        status = read_number(r, &to, &v);
    if (status == CB_OK)
        status = read_number(r, &weight, &w);
    if (status == CB_OK)
        status = read_end(r, A_FORM);
    if (status == CB_OK)
        r->edges[r->count++] = (struct cb_edge){(uint32_t)u - 1, (uint32_t)v - 1, (uint32_t)w};
    return status;
}

static enum cb_status read_line(struct reader *r)
{
    if (*r->at == 'a' && is_word_end(r->at + 1))
        return read_arc(r);
    if (*r->at == 'c')
        return CB_OK;
    if (*r->at == 'p' && is_word_end(r->at + 1))
        return read_problem(r);
    skip_blanks(r);
    if (is_line_end(r->at))
        return CB_OK;
    return wrong_line(r, "unknown line: expected one that begins with c, p or a and a blank");
}

/* --- File ----------------------------------------------------------------------------------- */

static enum cb_status read_lines(struct reader *r)
{
    while (r->at < r->end) {
        r->line = r->at;
        r->line_number++;
        enum cb_status status = read_line(r);
        if (status != CB_OK)
            return status;
        const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at) + 1);
        r->at = newline + 1;
    }
    if (r->line_number == 0) {
        r->line_number = 1;
        return wrong(r, "empty file: expected \"" P_FORM "\", got \"\"");
    }
    if (!r->p_line_number)
        return wrong(r, "no p line: expected \"" P_FORM "\", got the end of the file");
    if (r->count < r->arcs)
        return wrong(r,
                     "too few arcs: expected %" PRIu64 " as line %" PRIu64 " says, got the end of "
                     "the file after %" PRIu64,
                     r->arcs, r->p_line_number, r->count);
    return CB_OK;
}

static enum cb_status cannot_read(const char *path, const char *why, struct cb_err *err)
{
    return cb_fail(err, CB_USAGE, "cannot read %s: %s", path, why);
}

/* The whole file and a '\n' after it; *text is the caller's to free. */
static enum cb_status read_text(int file, const char *path, char **text, size_t *bytes,
                                struct cb_err *err)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return cannot_read(path, strerror(errno), err);
    if (!S_ISREG(info.st_mode))
        return cannot_read(
            path, S_ISDIR(info.st_mode) ? strerror(EISDIR) : "it is not a regular file", err);
    size_t size = (size_t)info.st_size;
    *text = malloc(size + 1);
    if (!*text)
        return cb_fail(err, CB_ERROR, "%s: out of memory for %zu bytes", path, size);
    ssize_t n = 1;
    for (*bytes = 0; *bytes < size && n > 0; *bytes += (size_t)n) {
        n = read(file, *text + *bytes, size - *bytes); /* one call up to 2 GiB */
        if (n < 0)
            return cannot_read(path, strerror(errno), err);
    }
    (*text)[*bytes] = '\n';
    return CB_OK;
}

static enum cb_status open_and_read(const char *path, char **text, size_t *bytes,
                                    struct cb_err *err)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe would wait for its writer */
    if (file < 0)
        return cannot_read(path, strerror(errno), err);
    enum cb_status status = read_text(file, path, text, bytes, err);
    close(file);
    return status;
}

enum cb_status cb_graph_read_dimacs(const char *path, struct cb_graph *graph, struct cb_err *err)
{
    *graph = (struct cb_graph){0};
    char *text = NULL;
    struct reader r = {.path = path, .err = err};
    enum cb_status status = open_and_read(path, &text, &r.bytes, err);
    if (status == CB_OK) {
        r.at = text;
        r.end = text + r.bytes;
        status = read_lines(&r);
    }
    free(text); /* before the graph needs its memory */
    if (status == CB_OK) {
        const char *slash = strrchr(path, '/');
        status = cb_graph_build(slash ? slash + 1 : path, r.vertices, r.edges, r.count, true, graph,
                                err);
    }
    free(r.edges);
    return status;
}
