/* SPDX-License-Identifier: Apache-2.0
 *
 * What the example programs share: each takes a device and the folder of the kernels.
 */
#pragma once

#include <coopbench.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program, with the reason, if a call fails; 77 if the machine lacks something. */
static inline void check(enum coopbench_status status, const char *reason)
{
    if (status == COOPBENCH_OK)
        return;
    fprintf(stderr, "%s\n", reason);
    exit(status == COOPBENCH_UNSUPPORTED || status == COOPBENCH_NO_DEVICE ? 77 : 1);
}
#define CHECK(call) check((call), coopbench_message(c))

/* A device, with the program of a cooperative kernel and one task. */
static inline coopbench *open_program(int argc, char **argv, const char *kernel, const char *task)
{
    const struct coopbench_options options = {.device = argc > 1 ? argv[1] : NULL};
    char files[2][512], reason[4096];
    const char *paths[] = {files[0], files[1]};
    coopbench *c;
    snprintf(files[0], sizeof files[0], "%s/%s", argc > 2 ? argv[2] : ".", kernel);
    snprintf(files[1], sizeof files[1], "%s/%s", argc > 2 ? argv[2] : ".", task);
    check(coopbench_merge(paths, 2, "merged.cl", reason, sizeof reason), reason);
    CHECK(coopbench_open(&options, &c));
    CHECK(coopbench_load(c, "merged.cl"));
    return c;
}

/* Memory of the device that begins with a copy of this; NULL: with zeros. */
static inline coopbench_buffer buffer_of(coopbench *c, const void *from, size_t bytes)
{
    coopbench_buffer buffer;
    CHECK(coopbench_reserve(c, bytes, &buffer));
    if (from)
        CHECK(coopbench_write(c, buffer, from, bytes));
    return buffer;
}
