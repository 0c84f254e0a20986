/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/files.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum cb_status cb_read_file(const char *path, char **text, struct cb_err *err)
{
    *text = NULL;
    FILE *in = fopen(path, "rb");
    if (!in)
        return cb_fail(err, CB_ERROR, "cannot read %s: %s", path, strerror(errno));
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);
    if (out) {
        char chunk[65536];
        for (size_t n; (n = fread(chunk, 1, sizeof chunk, in)) > 0;)
            fwrite(chunk, 1, n, out);
    }
    bool failed = !out || ferror(in);
    int why = errno;
    fclose(in);
    if (!out || fclose(out) != 0 || failed) {
        free(buffer);
        return cb_fail(err, CB_ERROR, "cannot read %s: %s", path, strerror(why));
    }
    *text = buffer;
    return CB_OK;
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
