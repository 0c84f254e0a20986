/* SPDX-License-Identifier: Apache-2.0
 *
 * A folder for one test, removed after it with all that is in it. For one test program each
 * (everything is static).
 */
#pragma once

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/unit.h"

static char folder[64]; /* of the test that runs */

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info;
    (void)type;
    (void)place;
    return remove(path);
}

static void remove_tree(const char *path)
{
    assert_int_equal(nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static inline int make_folder(void **unused)
{
    (void)unused;
    strcpy(folder, "/tmp/coopbench-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **unused)
{
    (void)unused;
    remove_tree(folder);
    return 0;
}

/* The path of a name in the folder, until the next call. */
static inline const char *path_of(const char *name)
{
    static char path[256];
    assert_true(snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path);
    return path;
}

/* Writes a file into the folder; its path. */
static inline const char *write_bytes(const char *name, const char *bytes, size_t n)
{
    const char *path = path_of(name);
    remove(path); /* to cut a file that is there would write it to the disk */
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, n, out), n);
    assert_int_equal(fclose(out), 0);
    return path;
}

static inline const char *write_text(const char *name, const char *text)
{
    return write_bytes(name, text, strlen(text));
}
