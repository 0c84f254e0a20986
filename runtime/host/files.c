/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/host/files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/host/unpack.h"

/* ---- Reading --------------------------------------------------------------------------------- */

static enum cb_status cannot_read(const char *path, const char *why, struct cb_err *err)
{
    return cb_fail(err, CB_USAGE, "cannot read %s: %s", path, why);
}

/* "3.22 GB" */
static void print_size(char text[32], uint64_t bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    double size = (double)bytes;
    size_t unit = 0;
    for (; size >= 1000 && unit + 1 < CB_COUNTOF(units); unit++)
        size /= 1000;
    snprintf(text, 32, "%.4g %s", size, units[unit]);
}

static enum cb_status too_large(const char *path, const struct cb_file_kind *kind, uint64_t bytes,
                                struct cb_err *err)
{
    char has[32], most[32];
    print_size(has, bytes);
    print_size(most, kind->most);
    return cb_fail(err, CB_USAGE, "cannot read %s: it has %s, and %s has at most %s", path, has,
                   kind->name, most);
}

enum cb_status cb_open_file(const char *path, const struct cb_file_kind *kind, int *file,
                            struct cb_err *err)
{
    struct stat info;
    enum cb_status status = CB_OK;
    /* not blocking: a pipe would wait for its writer */
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (*file < 0 || fstat(*file, &info) != 0)
        status = cannot_read(path, strerror(errno), err);
    else if (!S_ISREG(info.st_mode))
        status = cannot_read(
            path, S_ISDIR(info.st_mode) ? strerror(EISDIR) : "it is not a regular file", err);
    else if (kind->most > 0 && (uint64_t)info.st_size > kind->most)
        status = too_large(path, kind, (uint64_t)info.st_size, err);
    if (status != CB_OK && *file >= 0) {
        close(*file);
        *file = -1;
    }
    return status;
}

FILE *cb_open_stream(const char *path, const struct cb_file_kind *kind, struct cb_err *err)
{
    int file;
    if (cb_open_file(path, kind, &file, err) != CB_OK)
        return NULL;
    FILE *in = fdopen(file, "r");
    if (!in) {
        close(file);
        cb_no_memory(err);
    }
    return in;
}

/* Whether a file that is unpacked is too much: nobody knows how much more is to come. */
static enum cb_status unpacks_to_too_much(const char *path, const struct cb_file_kind *kind,
                                          struct cb_err *err)
{
    char most[32];
    print_size(most, kind->most);
    return cb_fail(err, CB_USAGE, "cannot read %s: unpacked, it has more than the %s that %s has",
                   path, most, kind->name);
}

/* Makes room for more bytes after the first n of *text; false: out of memory. */
static bool grow(char **text, size_t n, size_t *size)
{
    char *grown = n + 1 < *size ? *text : realloc(*text, *size *= 2);
    if (grown)
        *text = grown;
    return grown != NULL;
}

/* Reads up to the end of the file, or until there is more than the file may have: it may have grown
 * since it was opened, or unpack to anything. Begins with the room for `guess` bytes, so that large
 * files are not moved. *text is the caller's to free in any case. */
static enum cb_status read_all(struct cb_unpack *in, uint64_t most, size_t guess, char **text,
                               size_t *n, struct cb_err *err)
{
    enum cb_status status = CB_OK;
    size_t size = guess + 2, got = 1;
    *text = malloc(size);
    for (*n = 0; status == CB_OK && got > 0 && (most == 0 || *n <= most); *n += got) {
        if (!*text || !grow(text, *n, &size)) {
            cb_no_memory(err);
            return cb_context(err, "cannot read %s", in->path);
        }
        size_t room = size - *n - 1;
        if (most > 0 && room > most + 1 - *n)
            room = most + 1 - *n;
        status = cb_unpack_read(in, *text + *n, room, &got, err);
    }
    if (status == CB_OK)
        (*text)[*n] = '\0';
    return status;
}

/* What comes after a NUL byte would be left out in silence. */
static enum cb_status check_text(const char *path, const char *text, size_t n, struct cb_err *err)
{
    size_t length = strlen(text);
    int line = 1;
    for (size_t i = 0; i < length; i++)
        line += text[i] == '\n';
    if (length == n)
        return CB_OK;
    return cb_fail(err, CB_USAGE, "%s:%d: a NUL byte, which no text has: the file is damaged", path,
                   line);
}

enum cb_status cb_read_file(const char *path, const struct cb_file_kind *kind, char **text,
                            struct cb_err *err)
{
    struct cb_unpack in;
    struct stat info;
    size_t n = 0;
    int file;
    char *all = NULL;
    *text = NULL;
    if (cb_open_file(path, kind, &file, err) != CB_OK)
        return CB_USAGE;
    size_t guess = fstat(file, &info) == 0 ? (size_t)info.st_size : 0;
    enum cb_status status = cb_unpack_begin(&in, path, file, err);
    if (status == CB_OK)
        status = read_all(&in, kind->most, guess, &all, &n, err);
    if (status == CB_OK && kind->most > 0 && n > kind->most)
        status = in.gzip ? unpacks_to_too_much(path, kind, err) : too_large(path, kind, n, err);
    cb_unpack_end(&in);
    if (status == CB_OK)
        status = check_text(path, all, n, err);
    if (status == CB_OK)
        *text = all;
    else
        free(all);
    return status;
}

/* ---- Writing --------------------------------------------------------------------------------- */

bool cb_close_safely(FILE *out)
{
    bool ok = fflush(out) == 0 && !ferror(out) && fsync(fileno(out)) == 0;
    return fclose(out) == 0 && ok;
}

bool cb_reader_is_gone(FILE *out)
{
    struct pollfd pipe = {.fd = fileno(out), .events = POLLOUT};
    return poll(&pipe, 1, 0) > 0 && (pipe.revents & (POLLERR | POLLHUP));
}

char *cb_path_beside(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    size_t n = slash && *name != '/' ? (size_t)(slash + 1 - file) : 0, size = n + strlen(name) + 3;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%.*s%s%s", (int)n, file, n == 0 && *name != '/' ? "./" : "", name);
    return path;
}

void cb_sync_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int file = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (file >= 0) {
        fsync(file);
        close(file);
    }
    free(folder);
}

static enum cb_status cannot_write(const char *path, struct cb_err *err)
{
    return cb_fail(err, CB_ERROR, "cannot write %s: %s", path, strerror(errno));
}

/* Opens a file beside the one at path, which it will replace; its name is the caller's to free. */
static FILE *open_beside(const char *path, char **temporary)
{
    if (asprintf(temporary, "%s.%d.tmp", path, (int)getpid()) < 0) {
        *temporary = NULL;
        return NULL;
    }
    return fopen(*temporary, "we");
}

/* Closes what open_beside() has opened, written by now, and puts it in the place of path. errno
 * says why it cannot. */
static bool take_place(FILE *out, const char *temporary, const char *path)
{
    if (out && cb_close_safely(out) && rename(temporary, path) == 0) {
        cb_sync_folder_of(path);
        return true;
    }
    const int number = errno;
    if (out)
        unlink(temporary);
    errno = number;
    return false;
}

enum cb_status cb_replace_file(const char *path, void (*write)(FILE *out, const cJSON *document),
                               const cJSON *document, struct cb_err *err)
{
    char *temporary = NULL;
    FILE *out = open_beside(path, &temporary);
    if (out)
        write(out, document);
    enum cb_status status = take_place(out, temporary, path) ? CB_OK : cannot_write(path, err);
    free(temporary);
    return status;
}

enum cb_status cb_replace_text(const char *path, const char *text, size_t size, struct cb_err *err)
{
    struct stat old;
    char *temporary = NULL, *real = realpath(path, NULL); /* where a link leads */
    if (real && access(real, W_OK) != 0) {
        free(real);
        return cannot_write(path, err);
    }
    FILE *out = open_beside(real ? real : path, &temporary);
    if (out)
        fwrite(text, 1, size, out);
    if (out && real && stat(real, &old) == 0)
        fchmod(fileno(out), old.st_mode & 07777);
    enum cb_status status =
        take_place(out, temporary, real ? real : path) ? CB_OK : cannot_write(path, err);
    free(temporary);
    free(real);
    return status;
}

enum cb_status cb_find_folder(const struct cb_folder_place *places, size_t n, char *path,
                              size_t size, struct cb_err *err)
{
    for (size_t i = 0; i < n; i++) {
        const char *value = getenv(places[i].variable);
        if (!value || !*value)
            continue;
        int length = snprintf(path, size, "%s%s", value, places[i].below);
        if (length < 0 || (size_t)length >= size)
            return cb_fail(err, CB_ERROR, "%s: the path is too long", places[i].variable);
        return CB_OK;
    }
    return cb_fail(err, CB_ERROR, "set %s", places[0].variable);
}

static enum cb_status make_folder(const char *path, struct cb_err *err)
{
    struct stat info;
    if (mkdir(path, 0777) == 0)
        return CB_OK;
    if (errno == EEXIST && stat(path, &info) == 0 && !S_ISDIR(info.st_mode))
        errno = ENOTDIR;
    if (errno == EEXIST)
        return CB_OK;
    return cb_fail(err, CB_ERROR, "cannot create the folder %s: %s", path, strerror(errno));
}

enum cb_status cb_make_folders(const char *path, struct cb_err *err)
{
    char *part = strdup(path);
    enum cb_status status = part ? CB_OK : cb_no_memory(err);
    for (char *slash = part; status == CB_OK && *slash && (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        status = make_folder(part, err);
        *slash = '/';
    }
    if (status == CB_OK)
        status = make_folder(path, err);
    free(part);
    return status;
}
