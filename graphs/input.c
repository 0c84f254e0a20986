/* SPDX-License-Identifier: Apache-2.0 */
#include "graphs/input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef COOPBENCH_ZLIB
#include <zlib.h>
#endif

#include "runtime/host/files.h"

#define WINDOW (1u << 18)

static enum cb_status cannot_read(struct cb_graph_input *input, const char *why)
{
    input->status = cb_fail(input->err, CB_USAGE, "cannot read %s: %s", input->path, why);
    return input->status;
}

/* --- gzip ------------------------------------------------------------------------------------- */

static bool is_gzip(int file)
{
    unsigned char magic[2];
    return pread(file, magic, 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
}

#ifdef COOPBENCH_ZLIB

/* From here on closing the stream closes the file. */
static enum cb_status open_gzip(struct cb_graph_input *input)
{
    gzFile gzip = gzdopen(input->file, "rb");
    if (!gzip)
        return input->status =
                   cb_fail(input->err, CB_ERROR, "%s: out of memory to unpack it", input->path);
    gzbuffer(gzip, WINDOW);
    input->gzip = gzip;
    return CB_OK;
}

static void close_gzip(struct cb_graph_input *input)
{
    gzclose(input->gzip);
}

/* zlib's messages begin with the name that it gave the file. */
static size_t damaged(struct cb_graph_input *input, const char *message)
{
    const char *colon = strstr(message, ": ");
    input->status =
        cb_fail(input->err, CB_USAGE, "%s: byte %lld: damaged gzip data: %s", input->path,
                (long long)gzoffset(input->gzip), colon ? colon + 2 : message);
    return 0;
}

static size_t read_gzip(struct cb_graph_input *input, char *to, size_t n)
{
    int error = Z_OK, got = gzread(input->gzip, to, (unsigned)n);
    const char *message = gzerror(input->gzip, &error);
    if (error == Z_ERRNO)
        cannot_read(input, strerror(errno));
    else if (error != Z_OK && error != Z_STREAM_END)
        return damaged(input, message);
    return got > 0 ? (size_t)got : 0;
}

#else

static enum cb_status open_gzip(struct cb_graph_input *input)
{
    return input->status = cb_fail(input->err, CB_USAGE,
                                   "%s is gzip-compressed, and this coopbench was built without "
                                   "zlib (Debian: zlib1g-dev): unpack it first",
                                   input->path);
}

static void close_gzip(struct cb_graph_input *input)
{
    (void)input;
}

static size_t read_gzip(struct cb_graph_input *input, char *to, size_t n)
{
    (void)input, (void)to, (void)n;
    return 0;
}

#endif

/* --- The window ------------------------------------------------------------------------------- */

static size_t read_plain(struct cb_graph_input *input, char *to, size_t n)
{
    ssize_t got = read(input->file, to, n);
    if (got < 0)
        cannot_read(input, strerror(errno));
    return got > 0 ? (size_t)got : 0;
}

ptrdiff_t cb_graph_input_more(struct cb_graph_input *input, const char *keep)
{
    size_t kept = (size_t)(input->end - keep), got = 1;
    ptrdiff_t moved = keep - input->buffer;
    memmove(input->buffer, keep, kept);
    while (kept < WINDOW && got > 0) {
        char *to = input->buffer + kept;
        got = input->gzip ? read_gzip(input, to, WINDOW - kept)
                          : read_plain(input, to, WINDOW - kept);
        kept += got;
        input->bytes += got;
    }
    input->ended = got == 0;
    input->buffer[kept] = '\n';
    input->at -= moved;
    input->end = input->buffer + kept;
    return moved;
}

bool cb_graph_input_take(struct cb_graph_input *input, void *to, size_t n)
{
    if ((size_t)(input->end - input->at) < n && !input->ended)
        cb_graph_input_more(input, input->at);
    if ((size_t)(input->end - input->at) < n)
        return false;
    memcpy(to, input->at, n);
    input->at += n;
    return true;
}

bool cb_graph_input_at_end(struct cb_graph_input *input)
{
    if (input->at == input->end && !input->ended)
        cb_graph_input_more(input, input->at);
    return input->at == input->end;
}

uint64_t cb_graph_input_offset(const struct cb_graph_input *input)
{
    return input->bytes - (uint64_t)(input->end - input->at);
}

/* --- Open and close --------------------------------------------------------------------------- */

static enum cb_status open_file(struct cb_graph_input *input)
{
    static const struct cb_file_kind graph = {"a graph", 0};
    input->status = cb_open_file(input->path, &graph, &input->file, input->err);
    return input->status == CB_OK && is_gzip(input->file) ? open_gzip(input) : input->status;
}

enum cb_status cb_graph_input_open(struct cb_graph_input *input, const char *path,
                                   struct cb_err *err)
{
    *input = (struct cb_graph_input){.path = path, .err = err, .file = -1};
    if (open_file(input) != CB_OK)
        return input->status;
    input->buffer = malloc(WINDOW + 1);
    if (!input->buffer)
        return input->status = cb_fail(err, CB_ERROR, "%s: out of memory to read it", path);
    input->at = input->end = input->buffer;
    cb_graph_input_more(input, input->end);
    return input->status;
}

void cb_graph_input_close(struct cb_graph_input *input)
{
    if (input->gzip)
        close_gzip(input);
    else if (input->file >= 0)
        close(input->file);
    free(input->buffer);
}
