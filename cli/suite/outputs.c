/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/outputs.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether the file can be written or made; errno says why not. */
static bool can_write(const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0) {
        errno = EISDIR;
        return !S_ISDIR(info.st_mode) && access(path, W_OK) == 0;
    }
    if (errno != ENOENT)
        return false;
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    bool writable = folder && access(folder, W_OK) == 0;
    free(folder);
    return writable;
}

enum cb_status cb_outputs_check(const struct cb_output *outputs, size_t n, struct cb_err *err)
{
    for (const struct cb_output *o = outputs; o < outputs + n; o++) {
        for (const struct cb_output *before = outputs; o->path && before < o; before++)
            if (before->path && strcmp(before->path, o->path) == 0)
                return cb_fail(err, CB_USAGE,
                               "--%s %s and --%s %s would mix: write one of them "
                               "to another file",
                               before->option, o->path, o->option, o->path);
        if (o->path && strcmp(o->path, "-") != 0 && !can_write(o->path))
            return cb_fail(err, CB_USAGE, "--%s: cannot write %s: %s", o->option, o->path,
                           strerror(errno));
    }
    return CB_OK;
}
