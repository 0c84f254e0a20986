/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads up to the end, growing from a first guess of the size, so that large files are not moved.
 */
static char *read_all(FILE *in, size_t guess)
{
    size_t size = guess + 1, n = 0;
    char *text = malloc(size);
    while (text) {
        n += fread(text + n, 1, size - n, in);
        if (n < size)
            break;
        size *= 2;
        char *grown = realloc(text, size);
        if (!grown)
            free(text);
        text = grown;
    }
    if (text)
        text[n] = '\0';
    return text;
}

enum cb_status cb_read_file(const char *path, char **text, struct cb_err *err)
{
    struct stat info;
    FILE *in = fopen(path, "rb");
    *text = NULL;
    if (!in)
        return cb_fail(err, CB_ERROR, "cannot read %s: %s", path, strerror(errno));
    bool sized = fstat(fileno(in), &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
    errno = 0;
    char *all = read_all(in, sized ? (size_t)info.st_size : 65536);
    bool failed = !all || ferror(in);
    int why = all ? errno : ENOMEM;
    fclose(in);
    if (failed) {
        free(all);
        return cb_fail(err, CB_ERROR, "cannot read %s: %s", path, strerror(why));
    }
    *text = all;
    return CB_OK;
}

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

enum cb_status cb_replace_file(const char *path, void (*write)(FILE *out, const cJSON *document),
                               const cJSON *document, struct cb_err *err)
{
    char *temporary = NULL;
    if (asprintf(&temporary, "%s.%d.tmp", path, (int)getpid()) < 0)
        return cb_fail(err, CB_ERROR, "out of memory");
    FILE *out = fopen(temporary, "w");
    enum cb_status status = CB_OK;
    if (out)
        write(out, document);
    if (!out || !cb_close_safely(out) || rename(temporary, path) != 0) {
        status = cannot_write(path, err);
        if (out)
            unlink(temporary);
    } else {
        cb_sync_folder_of(path);
    }
    free(temporary);
    return status;
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
    enum cb_status status = part ? CB_OK : cb_fail(err, CB_ERROR, "out of memory");
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
