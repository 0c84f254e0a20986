/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines into a file of acceptances, of which others may write at the same time.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/history/accept.h"
#include "runtime/host/files.h"

#define TRIES 500 /* of 20 ms */

static const char head[] =
    "# Changes that are accepted (coopbench history --accept): CASE@RUN METRIC CHANGE why.\n"
    "# To take one back, delete its line.\n\n";

/* ---- One at a time --------------------------------------------------------------------------- */

/* Whether the file that is open is the one at the path, as it is not after somebody replaced it. */
static bool is_at(int file, const char *path)
{
    struct stat open, there;
    return fstat(file, &open) == 0 && stat(path, &there) == 0 && open.st_dev == there.st_dev &&
           open.st_ino == there.st_ino;
}

/* A file system that has no locks tells of nobody else. */
static enum cb_status lock(const char *path, int *file, struct cb_err *err)
{
    for (int i = 0; i < TRIES; i++) {
        *file = open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
        if (*file < 0)
            return cb_fail(err, CB_ERROR, "cannot write %s: %s", path, strerror(errno));
        const bool taken = flock(*file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (!taken && is_at(*file, path))
            return CB_OK;
        close(*file);
        if (taken)
            nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    return cb_fail(err, CB_ERROR, "%s is being written by others: try again", path);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* A line of an acceptance, not of a comment. */
static bool counts(const char *line)
{
    return line[0] != '#' && line[strspn(line, " \t\r")] != '\n' && *line;
}

/* The bytes of CASE@RUN METRIC. */
static size_t key_length(const char *line)
{
    size_t n = strcspn(line, " \t\r\n");
    n += strspn(line + n, " \t");
    return n + strcspn(line + n, " \t\r\n");
}

static bool has_key_of(const char *line, const char *other)
{
    const size_t n = key_length(line);
    return n == key_length(other) && strncmp(line, other, n) == 0;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

/* The line that has the same key; NULL: there is none. */
static const char *line_of_key(const char *text, const char *line)
{
    for (const char *at = text; *at; at = next_line(at))
        if (counts(at) && has_key_of(at, line))
            return at;
    return NULL;
}

/* Before the first line that comes after it in the alphabet, and the comments on top of that. */
static const char *place_for(const char *text, const char *line)
{
    const char *comments = NULL, *at = text;
    for (; *at; at = next_line(at)) {
        if (counts(at) && strncmp(at, line, strcspn(at, "\r\n")) > 0)
            return comments ? comments : at;
        comments = *at != '#' ? NULL : comments ? comments : at;
    }
    return at;
}

/* The text with this line in its place; the caller's to free. NULL: no memory. */
static char *with_line(const char *text, const char *line)
{
    const char *old = line_of_key(text, line), *place = old ? old : place_for(text, line);
    char *whole;
    return asprintf(&whole, "%.*s%s%s\n%s", (int)(place - text), text,
                    place > text && place[-1] != '\n' ? "\n" : "", line,
                    old ? next_line(old) : place) < 0
               ? NULL
               : whole;
}

static bool has_conflict(const char *text)
{
    for (; *text; text = next_line(text))
        if (strncmp(text, "<<<<<<< ", 8) == 0)
            return true;
    return false;
}

/* ---- The file -------------------------------------------------------------------------------- */

static void write_text(FILE *out, const cJSON *text)
{
    fputs(text->valuestring, out);
}

static enum cb_status write_file(const char *path, const char *text, struct cb_err *err)
{
    cJSON *item = cJSON_CreateString(text);
    const enum cb_status status =
        item ? cb_replace_file(path, write_text, item, err) : cb_no_memory(err);
    cJSON_Delete(item);
    return status;
}

/* The file is locked. */
static enum cb_status rewrite(const char *path, const cJSON *lines, struct cb_err *err)
{
    static const struct cb_file_kind kind = {"a list of accepted changes", 10000000};
    char *text = NULL;
    if (cb_read_file(path, &kind, &text, err) != CB_OK)
        return err->status;
    if (!*text) {
        free(text);
        text = strdup(head);
    }
    const bool conflict = text && has_conflict(text);
    const cJSON *line;
    cJSON_ArrayForEach (line, lines) {
        char *longer = text ? with_line(text, line->valuestring) : NULL;
        free(text);
        text = longer;
    }
    const enum cb_status status =
        conflict
            ? cb_fail(err, CB_USAGE, "%s has a conflict that git has left: resolve it first", path)
        : text ? write_file(path, text, err)
               : cb_no_memory(err);
    free(text);
    return status;
}

enum cb_status cb_accepted_write(const char *path, const cJSON *lines, struct cb_err *err)
{
    int file;
    char *real; /* a link to a file elsewhere stays one */
    if (lock(path, &file, err) != CB_OK)
        return err->status;
    real = realpath(path, NULL);
    const enum cb_status status = rewrite(real ? real : path, lines, err);
    free(real);
    close(file);
    return status;
}
