/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of a file, unpacked if it is gzip-compressed, which is told by what is in it, not by
 * its name. Members that follow each other are one file; as gzip(1) does, other bytes after the
 * last one are left out.
 */
#pragma once

#include <stddef.h>

#include "runtime/host/error.h"

struct cb_unpack {
    const char *path; /* for messages; the caller's */
    int file;
    void *gzip; /* NULL: not compressed */
};

/* Begins to read an open file, which closes with this. CB_USAGE: it is compressed, and there is no
 * zlib. */
enum cb_status cb_unpack_begin(struct cb_unpack *u, const char *path, int file, struct cb_err *err);

/* Reads up to n of the next bytes; *got is 0 at the end. CB_USAGE: it cannot be read, or is damaged
 * or cut off. */
enum cb_status cb_unpack_read(struct cb_unpack *u, char *to, size_t n, size_t *got,
                              struct cb_err *err);

/* Closes the file; may come after a cb_unpack_begin() that failed. */
void cb_unpack_end(struct cb_unpack *u);
