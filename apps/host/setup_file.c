/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of a setup: what a buffer begins with, or what must be in it in the end.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/host/setup.h"
#include "runtime/host/files.h"

static const struct cb_file_kind data_kind = {"a file of data", (uint64_t)1 << 34};
static const struct cb_file_kind text_kind = {"a file of numbers", (uint64_t)1 << 30};

#define NPY_BEGIN   "\x93NUMPY"
#define NPY_HEAD    10 /* bytes before the header, of version 1; two more of later ones */
#define MOST_HEADER 4096

static bool ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static enum cb_status read_bytes(const char *path, unsigned char **data, size_t *size,
                                 struct cb_err *err)
{
    int file;
    struct stat status;
    if (cb_open_file(path, &data_kind, &file, err) != CB_OK)
        return err->status;
    size_t room = fstat(file, &status) == 0 ? (size_t)status.st_size : 0;
    *data = malloc(room + 1);
    *size = 0;
    ssize_t n = *data ? 1 : -1;
    while (n > 0 && *size < room) {
        n = read(file, *data + *size, room - *size);
        *size += n > 0 ? (size_t)n : 0;
    }
    int code = errno;
    close(file);
    if (n >= 0 && *size == room)
        return CB_OK;
    free(*data);
    *data = NULL;
    return cb_fail(err, CB_ERROR, "%s: %s", path, n < 0 ? strerror(code) : "it became shorter");
}

/* ---- NumPy's .npy ------------------------------------------------------------------------------
 * The header is the text of a Python dictionary: {'descr': '<f4', 'fortran_order': False, ...}. */

/* How many numbers its shape tells of: "(2, 3)"; SIZE_MAX: it has none. */
static size_t shape_of(const char *header, unsigned *dimensions)
{
    const char *at = strstr(header, "'shape':");
    size_t all = 1;
    *dimensions = 0;
    at = at ? strchr(at, '(') : NULL;
    if (!at)
        return SIZE_MAX;
    for (char *end; *(at += strspn(at, "(, ")) != ')'; at = end, ++*dimensions) {
        size_t n = strtoull(at, &end, 10);
        if (end == at || (n > 0 && all > SIZE_MAX / 2 / n))
            return SIZE_MAX;
        all *= n;
    }
    return all;
}

/* Whether it has elements like these, in the order of C, and all that it should have. */
static enum cb_status check_npy(const char *path, const char *header, const struct cb_element *e,
                                size_t size, struct cb_err *err)
{
    char descr[16] = "", wanted[16];
    unsigned dimensions;
    size_t numbers = shape_of(header, &dimensions);
    const char *at = strstr(header, "'descr':");
    if (!at || sscanf(at, "'descr': '%15[^']'", descr) != 1)
        return cb_fail(err, CB_USAGE, "%s: its header has no 'descr' of one type", path);
    snprintf(wanted, sizeof wanted, "%s%c%zu", e->size == 1 ? "|" : "<", e->kind, e->size);
    if (strcmp(descr, wanted) != 0)
        return cb_fail(err, CB_USAGE, "%s: its numbers are %s, the kernel's %s (NumPy's names)",
                       path, descr, wanted);
    if (dimensions > 1 && !strstr(header, "'fortran_order': False"))
        return cb_fail(err, CB_USAGE, "%s: it is in Fortran's order: save a copy in C's", path);
    return numbers == size / e->size && size % e->size == 0
               ? CB_OK
               : cb_fail(err, CB_USAGE, "%s: it has %zu numbers, which is not what its shape says",
                         path, size / e->size);
}

static enum cb_status take_npy(const char *path, const struct cb_element *e, unsigned char *data,
                               size_t *size, struct cb_err *err)
{
    bool is_late = *size > 6 && data[6] > 1;
    size_t head = NPY_HEAD + (is_late ? 2 : 0), length = 0;
    if (*size < head || memcmp(data, NPY_BEGIN, 6) != 0 || data[6] < 1 || data[6] > 3)
        return cb_fail(err, CB_USAGE, "%s: it is no .npy file of version 1 to 3", path);
    for (size_t i = head; i-- > 8;)
        length = length << 8 | data[i];
    if (length > MOST_HEADER || length > *size - head)
        return cb_fail(err, CB_USAGE, "%s: a header of %zu bytes in a file of %zu", path, length,
                       *size);
    char header[MOST_HEADER + 1];
    memcpy(header, data + head, length);
    header[length] = '\0';
    *size -= head + length;
    if (check_npy(path, header, e, *size, err) != CB_OK)
        return err->status;
    memmove(data, data + head + length, *size);
    return CB_OK;
}

/* ---- Text ------------------------------------------------------------------------------------ */

static bool is_between(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ';';
}

static size_t count_numbers(const char *text)
{
    size_t n = 0;
    for (const char *t = text; *t; t++)
        n += !is_between(*t) && (t == text || is_between(t[-1]));
    return n;
}

static enum cb_status take_text(const char *path, const struct cb_element *e, const char *text,
                                unsigned char **data, size_t *size, struct cb_err *err)
{
    size_t n = count_numbers(text), line = 1;
    *data = malloc(n * e->size + 1);
    if (!*data)
        return cb_no_memory(err);
    *size = n * e->size;
    for (size_t i = 0; i < n; i++) {
        char *end;
        for (; is_between(*text); text++)
            line += *text == '\n';
        errno = 0;
        bool right = cb_element_parse(e, text, &end, *data + i * e->size);
        if (!right || (*end && !is_between(*end)))
            return cb_fail(err, CB_USAGE, "%s:%zu: \"%.*s\" is none of the type's numbers", path,
                           line, (int)strcspn(text, " \t\r\n,;") % 40, text);
        text = end;
    }
    return CB_OK;
}

enum cb_status cb_setup_load(const char *path, const struct cb_element *e, unsigned char **data,
                             size_t *size, struct cb_err *err)
{
    char *text = NULL;
    enum cb_status status;
    *data = NULL;
    if (ends_with(path, ".txt") || ends_with(path, ".csv")) {
        status = cb_read_file(path, &text_kind, &text, err);
        if (status == CB_OK)
            status = take_text(path, e, text, data, size, err);
        free(text);
    } else {
        status = read_bytes(path, data, size, err);
        if (status == CB_OK && ends_with(path, ".npy"))
            status = take_npy(path, e, *data, size, err);
    }
    if (status == CB_OK && *size == 0)
        status = cb_fail(err, CB_USAGE, "%s: nothing is in it", path);
    else if (status == CB_OK && *size % e->size != 0)
        status =
            cb_fail(err, CB_USAGE, "%s: %zu bytes are no numbers of %zu", path, *size, e->size);
    else if (status == CB_OK && *size / e->size % e->width != 0)
        status = cb_fail(err, CB_USAGE, "%s: %zu numbers are no vectors of %u", path,
                         *size / e->size, e->width);
    if (status != CB_OK) {
        free(*data);
        *data = NULL;
    }
    return status;
}
