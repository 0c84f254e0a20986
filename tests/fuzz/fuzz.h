/* SPDX-License-Identifier: Apache-2.0
 *
 * For the targets of fuzzing: input as a text or a file, and a place for output that nobody reads.
 */
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/device.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char fuzz_folder[256]; /* of this process, in $TMPDIR */

static inline void fuzz_end(void)
{
    char path[512];
    DIR *folder = opendir(fuzz_folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        snprintf(path, sizeof path, "%s/%s", fuzz_folder, entry->d_name);
        unlink(path);
    }
    if (folder)
        closedir(folder);
    rmdir(fuzz_folder);
}

static inline void fuzz_need(bool ok, const char *what)
{
    if (ok)
        return;
    perror(what);
    abort();
}

/* The folder, empty but for what fuzz_file() writes. */
static inline const char *fuzz_place(void)
{
    const char *base = getenv("TMPDIR");
    if (fuzz_folder[0])
        return fuzz_folder;
    snprintf(fuzz_folder, sizeof fuzz_folder, "%s/coopbench-fuzz-XXXXXX",
             base && *base ? base : "/tmp");
    fuzz_need(mkdtemp(fuzz_folder), "TMPDIR");
    atexit(fuzz_end);
    return fuzz_folder;
}

/* Writes the input to a file of the folder; its path, until the next call. */
static inline const char *fuzz_file(const char *name, const uint8_t *data, size_t size)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", fuzz_place(), name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    fuzz_need(file >= 0 && write(file, data, size) == (ssize_t)size, path);
    close(file);
    return path;
}

/* The input as a text, the caller's to free. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    fuzz_need(text, "malloc");
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* The first line of the input, which is taken away from it: how to read the rest. */
static inline const char *fuzz_head(const uint8_t **data, size_t *size)
{
    static char head[32];
    const uint8_t *end = *size ? memchr(*data, '\n', *size) : NULL;
    size_t n = end ? (size_t)(end - *data) : *size;
    snprintf(head, sizeof head, "%.*s", n < sizeof head ? (int)n : 0, (const char *)*data);
    *data += end ? n + 1 : n;
    *size -= end ? n + 1 : n;
    return head;
}

/* Where output goes. */
static inline FILE *fuzz_sink(void)
{
    static FILE *sink;
    if (!sink)
        sink = fopen("/dev/null", "we");
    fuzz_need(sink, "/dev/null");
    return sink;
}

/* One that could be a GPU of these days; no driver is asked for it. */
static inline const struct cb_device *fuzz_device(void)
{
    static const struct cb_device device = {.id = "uuid:00000000-0000-0000-0000-0000000000f1",
                                            .index = "0:0",
                                            .name = "Example GPU",
                                            .vendor = "V",
                                            .type = "gpu",
                                            .platform = "P",
                                            .driver_version = "1.2.3",
                                            .compute_units = 132,
                                            .global_mem_bytes = 1u << 30,
                                            .local_mem_bytes = 49152,
                                            .max_wg_size = 1024,
                                            .atomic_order = "seq_cst",
                                            .atomic_scope = "device",
                                            .svm = "none",
                                            .atomics = "c11",
                                            .host_channel = "queue",
                                            .clock = "none",
                                            .relax = "none"};
    return &device;
}
