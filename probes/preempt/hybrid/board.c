/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/preempt/hybrid/board.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static enum cb_status map(struct cb_board *b, int file, struct cb_err *err)
{
    void *words = mmap(NULL, sizeof *b->words, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (words == MAP_FAILED)
        return cb_fail(err, CB_ERROR, "memory for two processes: %s", strerror(errno));
    b->words = words;
    return CB_OK;
}

enum cb_status cb_board_make(struct cb_board *b, char path[64], struct cb_err *err)
{
    *b = (struct cb_board){.file = memfd_create("coopbench-board", MFD_CLOEXEC)};
    if (b->file < 0 || ftruncate(b->file, sizeof *b->words) != 0)
        return cb_fail(err, CB_ERROR, "memory for two processes: %s", strerror(errno));
    snprintf(path, 64, "/proc/%ld/fd/%d", (long)getpid(), b->file);
    return map(b, b->file, err);
}

enum cb_status cb_board_open(struct cb_board *b, const char *path, struct cb_err *err)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    *b = (struct cb_board){.file = -1};
    if (file < 0)
        return cb_fail(err, CB_ERROR, "%s: %s", path, strerror(errno));
    enum cb_status status = map(b, file, err);
    close(file);
    return status;
}

void cb_board_close(struct cb_board *b)
{
    if (b->words)
        munmap(b->words, sizeof *b->words);
    if (b->words && b->file >= 0)
        close(b->file);
    *b = (struct cb_board){.file = -1};
}

uint32_t cb_board_read(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

void cb_board_write(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
