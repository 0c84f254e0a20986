/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/text/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/host/files.h"
#include "runtime/host/signals.h"

#define FIRST_ROOM (1u << 16)
#define MOST_ROOM  (1u << 28) /* a line has all samples of a case */

static const struct cb_file_kind samples = {"a file of samples", 2000000000};

enum cb_status cb_lines_open(struct cb_lines *l, const char *path, struct cb_err *err)
{
    *l = (struct cb_lines){.path = path, .err = err, .file = -1};
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return CB_SKIPPED;
    l->status = cb_open_file(path, &samples, &l->file, err);
    return l->status;
}

/* Room for more after what is not read yet; false: failed. */
static bool make_room(struct cb_lines *l)
{
    if (l->at > 0)
        memmove(l->buffer, l->buffer + l->at, l->end - l->at);
    l->end -= l->at;
    l->at = 0;
    if (l->end + 1 < l->room)
        return true;
    size_t room = l->room ? 2 * l->room : FIRST_ROOM;
    char *grown = room <= MOST_ROOM ? realloc(l->buffer, room) : NULL;
    if (!grown)
        l->status = cb_fail(l->err, CB_USAGE, "%s:%d: the line is too long: more than %zu bytes",
                            l->path, l->number + 1, l->end);
    l->buffer = grown ? grown : l->buffer;
    l->room = grown ? room : l->room;
    return grown;
}

/* Reads on; false: failed. */
static bool read_more(struct cb_lines *l)
{
    if (cb_caught_signal()) {
        l->status = cb_fail(l->err, CB_INTERRUPTED, "interrupted");
        return false;
    }
    if (!make_room(l))
        return false;
    ssize_t got = read(l->file, l->buffer + l->end, l->room - l->end - 1);
    if (got < 0 && errno == EINTR)
        return true;
    if (got < 0)
        l->status = cb_fail(l->err, CB_USAGE, "cannot read %s: %s", l->path, strerror(errno));
    l->ended = got == 0;
    l->end += got > 0 ? (size_t)got : 0;
    return got >= 0;
}

bool cb_lines_next(struct cb_lines *l)
{
    char *newline = NULL;
    size_t seen = 0;
    while (l->status == CB_OK) {
        size_t left = l->end - l->at;
        if (left > seen)
            newline = memchr(l->buffer + l->at + seen, '\n', left - seen);
        if (newline || l->ended)
            break;
        seen = left;
        read_more(l);
    }
    if (l->status != CB_OK || (!newline && l->at == l->end))
        return false;
    l->text = l->buffer + l->at;
    l->whole = newline;
    l->length = l->whole ? (size_t)(newline - l->text) : l->end - l->at;
    l->text[l->length] = '\0'; /* there is always room for one more */
    l->at += l->length + l->whole;
    l->number++;
    return true;
}

enum cb_status cb_lines_close(struct cb_lines *l)
{
    if (l->file >= 0)
        close(l->file);
    free(l->buffer);
    enum cb_status status = l->status;
    *l = (struct cb_lines){.file = -1};
    return status;
}
