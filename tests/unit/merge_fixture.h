/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of the merge tool share.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/merge/merge.h"
#include "tests/unit/unit.h"

#define ROOM 20000

/* ALL_TESTS skips the tests of a build without libclang. */
static inline int skip_unless_built(void **unused)
{
    (void)unused;
    if (!cb_merge_is_built())
        exit(77);
    return 0;
}

/* Writes a text to a file, whose name path becomes. */
static inline void write_source(const char *text, char *path)
{
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
}

/* Merges a text; `out` is what is written, or why it is not. kernel: as cb_merge()'s. */
static inline enum cb_status merge_kernel(const char *text, const char *name, char *out,
                                          struct cb_merge_kernel *kernel)
{
    char path[] = "/tmp/coopbench-merge-XXXXXX";
    write_source(text, path);
    memset(out, 0, ROOM);
    FILE *stream = fmemopen(out, ROOM - 1, "w");
    struct cb_err err = {CB_OK, ""};
    enum cb_status status =
        cb_merge(&(struct cb_merge_source){.path = path, .name = name}, 1, stream, kernel, &err);
    fclose(stream);
    unlink(path);
    if (status != CB_OK) /* the path is another one each time */
        snprintf(out, ROOM, "%s",
                 strncmp(err.text, path, strlen(path)) == 0 ? err.text + strlen(path) : err.text);
    return status;
}

static inline enum cb_status merge(const char *text, const char *name, char *out)
{
    return merge_kernel(text, name, out, NULL);
}

#define KERNEL "kernel void k(global int *a, int n)\n{\n"
