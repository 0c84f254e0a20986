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

enum cb_status cb_outputs_check(const cJSON *options, const char *const *names, size_t n,
                                struct cb_err *err)
{
    for (size_t i = 0; i < n; i++) {
        const char *path = cb_option_text_or(options, names[i], NULL);
        for (size_t k = 0; path && k < i; k++)
            if (strcmp(cb_option_text_or(options, names[k], ""), path) == 0)
                return cb_fail(err, CB_USAGE,
                               "--%s %s and --%s %s would mix: write one of them "
                               "to another file",
                               names[k], path, names[i], path);
        if (path && strcmp(path, "-") != 0 && !can_write(path))
            return cb_fail(err, CB_USAGE, "--%s: cannot write %s: %s", names[i], path,
                           strerror(errno));
    }
    return CB_OK;
}
