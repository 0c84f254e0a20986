/* SPDX-License-Identifier: Apache-2.0
 *
 * A piece of memory that the tasks' process shares with the app's, which is quicker than a pipe:
 * one process asks, the other answers.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/host/error.h"

/* Words with "atomic" in their comment are read and written as such, all else is written before
 * them. */
struct cb_board_words {
    /* Written by the tasks' process. */
    uint32_t window;       /* number of the window that is to begin, or has; atomic */
    uint32_t over;         /* the last window that is to end; atomic */
    uint32_t asked;        /* number of the last task that was asked for; atomic */
    uint32_t groups, size; /* groups and size of a task */
    double bound_ns;       /* how long a task that is asked for may be gathered */
    /* Written by the app's process. */
    uint32_t workers;
    uint32_t begun;    /* the last window whose kernel has been launched; atomic */
    uint32_t answered; /* number of the last task that was answered; atomic */
    uint32_t withdrawn;
    uint32_t points;  /* scheduling points, as last seen; atomic */
    double gather_ns; /* NaN: not known, there was nothing to gather, or it was withdrawn */
};

struct cb_board {
    struct cb_board_words *words; /* NULL: not open */
    int file;                     /* file of the process that made the board; else -1 */
};

/* Makes one. path: under which a child finds it. */
enum cb_status cb_board_make(struct cb_board *board, char path[64], struct cb_err *err);
enum cb_status cb_board_open(struct cb_board *board, const char *path, struct cb_err *err);
void cb_board_close(struct cb_board *board);

uint32_t cb_board_read(const uint32_t *word);
void cb_board_write(uint32_t *word, uint32_t value);
