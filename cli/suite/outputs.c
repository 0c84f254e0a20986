/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/outputs.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/host/files.h"

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

enum cb_status cb_output_open(const struct cb_output *o, FILE **out, struct cb_err *err)
{
    if (!o->path)
        return CB_OK;
    *out = strcmp(o->path, "-") == 0 ? stdout : fopen(o->path, "a");
    return *out ? CB_OK
                : cb_fail(err, CB_USAGE, "--%s: cannot write %s: %s", o->option, o->path,
                          strerror(errno));
}

enum cb_status cb_output_write(const struct cb_output *o, FILE *out,
                               void (*write)(FILE *out, const cJSON *document),
                               const cJSON *document, struct cb_err *err)
{
    if (!out)
        return CB_OK;
    if (out != stdout && ftruncate(fileno(out), 0) != 0 && errno != EINVAL)
        return cb_fail(err, CB_ERROR, "--%s: cannot write: %s", o->option, strerror(errno));
    write(out, document);
    if (out == stdout || (fflush(out) == 0 && !ferror(out)) || cb_reader_is_gone(out))
        return CB_OK; /* main() looks after standard output */
    return cb_fail(err, CB_ERROR, "--%s: cannot write: %s", o->option, strerror(errno));
}

void cb_output_close(FILE *out)
{
    if (out && out != stdout)
        fclose(out);
}
