/* SPDX-License-Identifier: Apache-2.0
 *
 * A file of a graph as a stream of bytes, unpacked if it is gzip-compressed, of which a window is
 * in memory: no file needs more, whatever it claims or unpacks to.
 *
 * Errors: a file that cannot be read, or unpacked, any further ends there, and `status` and the
 * cb_err say why. A reader that meets an unexpected end looks there first.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/host/error.h"
#include "runtime/host/unpack.h"

struct cb_graph_input {
    const char *path;
    struct cb_err *err;
    enum cb_status status;
    const char *at;  /* the next byte */
    const char *end; /* end of the window; a '\n' stands here */
    bool ended;      /* nothing comes after the window */
    uint64_t bytes;  /* unpacked, before the end of the window */
    char *buffer;
    struct cb_unpack file;
};

/* Opens a regular file and reads the first window. Close it whatever comes out. */
enum cb_status cb_graph_input_open(struct cb_graph_input *input, const char *path,
                                   struct cb_err *err);
void cb_graph_input_close(struct cb_graph_input *input);

/* Reads on until the window is full or the file ends. The bytes from `keep` on, at most half a
 * window before the end, stay in memory, but move; returns by how much they moved down. */
ptrdiff_t cb_graph_input_more(struct cb_graph_input *input, const char *keep);

/* Copies the next n bytes; false if there are fewer. */
bool cb_graph_input_take(struct cb_graph_input *input, void *to, size_t n);

/* Whether there is no next byte. */
bool cb_graph_input_at_end(struct cb_graph_input *input);

/* The number of bytes before the next one, unpacked. */
uint64_t cb_graph_input_offset(const struct cb_graph_input *input);
