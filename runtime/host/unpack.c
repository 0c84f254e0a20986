/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/host/unpack.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#ifdef COOPBENCH_ZLIB
#include <zlib.h>
#endif

#define MOST_AT_ONCE ((size_t)1 << 30) /* gzread() counts in unsigned int */

static enum cb_status cannot_read(const struct cb_unpack *u, struct cb_err *err)
{
    return cb_fail(err, CB_USAGE, "cannot read %s: %s", u->path, strerror(errno));
}

/* --- gzip ------------------------------------------------------------------------------------- */

static bool is_gzip(int file)
{
    unsigned char magic[2];
    return pread(file, magic, 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
}

#ifdef COOPBENCH_ZLIB

/* From here on closing the stream closes the file. */
static enum cb_status open_gzip(struct cb_unpack *u, struct cb_err *err)
{
    gzFile gzip = gzdopen(u->file, "rb");
    if (!gzip) {
        cb_no_memory(err);
        return cb_context(err, "cannot unpack %s", u->path);
    }
    gzbuffer(gzip, 1u << 18);
    u->gzip = gzip;
    return CB_OK;
}

static void close_gzip(struct cb_unpack *u)
{
    gzclose(u->gzip);
}

/* zlib's messages begin with the name that it gave the file. */
static enum cb_status damaged(const struct cb_unpack *u, const char *message, struct cb_err *err)
{
    const char *colon = strstr(message, ": ");
    return cb_fail(err, CB_USAGE, "%s: byte %lld: damaged gzip data: %s", u->path,
                   (long long)gzoffset(u->gzip), colon ? colon + 2 : message);
}

static enum cb_status read_gzip(struct cb_unpack *u, char *to, size_t n, size_t *got,
                                struct cb_err *err)
{
    int error = Z_OK, bytes = gzread(u->gzip, to, (unsigned)n);
    const char *message = gzerror(u->gzip, &error);
    if (error == Z_ERRNO)
        return cannot_read(u, err);
    if (error != Z_OK && error != Z_STREAM_END)
        return damaged(u, message, err);
    *got = bytes > 0 ? (size_t)bytes : 0;
    return CB_OK;
}

#else

static enum cb_status open_gzip(struct cb_unpack *u, struct cb_err *err)
{
    return cb_fail(err, CB_USAGE,
                   "%s is gzip-compressed, and this coopbench was built without zlib (Debian: "
                   "zlib1g-dev): unpack it first",
                   u->path);
}

static void close_gzip(struct cb_unpack *u)
{
    (void)u;
}

static enum cb_status read_gzip(struct cb_unpack *u, char *to, size_t n, size_t *got,
                                struct cb_err *err)
{
    (void)u, (void)to, (void)n, (void)got, (void)err;
    return CB_OK;
}

#endif

/* --- Both ------------------------------------------------------------------------------------- */

static enum cb_status read_plain(struct cb_unpack *u, char *to, size_t n, size_t *got,
                                 struct cb_err *err)
{
    ssize_t bytes = read(u->file, to, n);
    if (bytes < 0)
        return cannot_read(u, err);
    *got = (size_t)bytes;
    return CB_OK;
}

enum cb_status cb_unpack_begin(struct cb_unpack *u, const char *path, int file, struct cb_err *err)
{
    *u = (struct cb_unpack){.path = path, .file = file};
    return is_gzip(file) ? open_gzip(u, err) : CB_OK;
}

enum cb_status cb_unpack_read(struct cb_unpack *u, char *to, size_t n, size_t *got,
                              struct cb_err *err)
{
    n = n < MOST_AT_ONCE ? n : MOST_AT_ONCE;
    *got = 0;
    return u->gzip ? read_gzip(u, to, n, got, err) : read_plain(u, to, n, got, err);
}

void cb_unpack_end(struct cb_unpack *u)
{
    if (u->gzip)
        close_gzip(u);
    else if (u->file >= 0)
        close(u->file);
    u->gzip = NULL;
    u->file = -1;
}
