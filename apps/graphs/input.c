/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/graphs/input.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/host/files.h"

#define WINDOW (1u << 18)

/* --- The window ------------------------------------------------------------------------------- */

ptrdiff_t cb_graph_input_more(struct cb_graph_input *input, const char *keep)
{
    size_t kept = (size_t)(input->end - keep), got = 1;
    ptrdiff_t moved = keep - input->buffer;
    memmove(input->buffer, keep, kept);
    while (kept < WINDOW && got > 0) {
        enum cb_status status =
            cb_unpack_read(&input->file, input->buffer + kept, WINDOW - kept, &got, input->err);
        input->status = status == CB_OK ? input->status : status;
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
    int file;
    input->status = cb_open_file(input->path, &graph, &file, input->err);
    if (input->status == CB_OK)
        input->status = cb_unpack_begin(&input->file, input->path, file, input->err);
    return input->status;
}

enum cb_status cb_graph_input_open(struct cb_graph_input *input, const char *path,
                                   struct cb_err *err)
{
    *input = (struct cb_graph_input){.path = path, .err = err, .file.file = -1};
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
    cb_unpack_end(&input->file);
    free(input->buffer);
}
