/* SPDX-License-Identifier: Apache-2.0
 *
 * A file of a run's samples (samples.csv, events.jsonl), line by line: of any file, little more
 * than a line is in memory, and a signal ends the reading.
 *
 *     for (status = cb_lines_open(&lines, path, err); status == CB_OK && cb_lines_next(&lines);)
 *         take(lines.text);
 *     status = cb_lines_close(&lines);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "runtime/host/error.h"

struct cb_lines {
    char *text;    /* the line, without its end; NUL bytes in it end the text before `length` */
    size_t length; /* bytes */
    int number;    /* from 1 */
    bool whole;    /* it has an end: the last one has none if the file was cut off */
    /* the rest is the reader's own */
    const char *path;
    struct cb_err *err;
    enum cb_status status;
    char *buffer;
    size_t room, at, end; /* room of the buffer; begin and end of what is not read yet */
    int file;
    bool ended;
};

/* CB_SKIPPED: there is no such file. CB_USAGE: it is no regular file, or too large. Close it
 * whatever comes out. */
enum cb_status cb_lines_open(struct cb_lines *lines, const char *path, struct cb_err *err);

/* false: the end, or a failure, which closing returns. */
bool cb_lines_next(struct cb_lines *lines);

/* CB_OK: all was read, or as much as the caller wanted. CB_INTERRUPTED: a signal arrived. */
enum cb_status cb_lines_close(struct cb_lines *lines);
