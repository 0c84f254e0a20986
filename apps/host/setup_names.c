/* SPDX-License-Identifier: Apache-2.0
 *
 * Which names are setups, and what they are called: FILE.json, or FILE.json#KERNEL.
 */
#include <stdio.h>
#include <string.h>

#include "apps/host/setup_reader.h"

const char *cb_setup_kernel(const char *path)
{
    const char *ending = strstr(path, CB_SETUP_ENDING CB_SETUP_BETWEEN);
    return ending ? ending + strlen(CB_SETUP_ENDING CB_SETUP_BETWEEN) : NULL;
}

enum cb_status cb_setup_path(const char *file, const char *kernel, char path[CB_SETUP_PATH],
                             struct cb_err *err)
{
    int n = snprintf(path, CB_SETUP_PATH, "%s" CB_SETUP_BETWEEN "%s", file, kernel);
    if (cb_setup_kernel(file) ||
        cb_setup_kernel(path) != path + strlen(file) + strlen(CB_SETUP_BETWEEN))
        return cb_fail(err, CB_USAGE, "setup: expected a file, as setup.json, got \"%.100s\"",
                       file);
    return n < CB_SETUP_PATH ? CB_OK : cb_fail(err, CB_USAGE, "setup: its path is too long");
}

bool cb_setup_is(const char *path)
{
    size_t n = strlen(path), ending = strlen(CB_SETUP_ENDING);
    return cb_setup_kernel(path) || (n > ending && strcmp(path + n - ending, CB_SETUP_ENDING) == 0);
}

enum cb_status cb_setup_name(const char *path, char id[CB_SETUP_ID], struct cb_err *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strlen(name) - (cb_setup_is(name) ? strlen(CB_SETUP_ENDING) : 0);
    if (strpbrk(path, "\n\r\""))
        return cb_fail(err, CB_USAGE, "the path of a setup has no quotes, and is one line");
    if (n == 0 || n >= CB_SETUP_ID ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") < n)
        return cb_fail(err, CB_USAGE,
                       "%s: the name of a setup's file or kernel, which rows are called by, has "
                       "letters, digits, - and _, at most %d",
                       path, CB_SETUP_ID - 1);
    snprintf(id, CB_SETUP_ID, "%.*s", (int)n, name);
    return CB_OK;
}
