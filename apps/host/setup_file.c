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

#include "apps/host/setup_reader.h"
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

/* Reads its shape, "(2, 3)", and how many numbers or structures that are. */
static enum cb_status read_shape(const char *path, const char *header, struct cb_shape *shape,
                                 size_t *all, struct cb_err *err)
{
    const char *key = strstr(header, "'shape':"), *text = key ? strchr(key, '(') : NULL;
    *all = 1;
    *shape = (struct cb_shape){0};
    if (!text)
        return cb_fail(err, CB_USAGE, "%s: its header has no 'shape'", path);
    const char *at = text;
    for (char *end; *(at += strspn(at, "(, ")) != ')'; at = end) {
        const size_t n = strtoull(at, &end, 10);
        if (end == at)
            return cb_fail(err, CB_USAGE, "%s: its header has no 'shape'", path);
        if (shape->n == CB_SHAPE_MOST)
            return cb_fail(err, CB_USAGE,
                           "%s: its shape has more than %d dimensions: save it with fewer, as by "
                           ".reshape(-1)",
                           path, CB_SHAPE_MOST);
        if (n > 0 && *all > SIZE_MAX / 2 / n)
            return cb_fail(err, CB_USAGE, "%s: its shape is of more than memory can have: %.*s",
                           path, (int)(strcspn(text, ")") + 1), text);
        shape->of[shape->n++] = n;
        *all *= n;
    }
    return CB_OK;
}

void cb_setup_put_shape(const struct cb_shape *shape, char text[CB_SHAPE_TEXT])
{
    int n = snprintf(text, CB_SHAPE_TEXT, "(");
    for (unsigned i = 0; i < shape->n; i++)
        n += snprintf(text + n, CB_SHAPE_TEXT - (size_t)n, "%s%zu", i ? ", " : "", shape->of[i]);
    snprintf(text + n, CB_SHAPE_TEXT - (size_t)n, "%s) of %s", shape->n == 1 ? "," : "",
             *shape->type ? shape->type : "structures");
}

/* Whether its numbers are of the element's type, and whole vectors. */
static enum cb_status check_numbers(const char *path, const char *header,
                                    const struct cb_element *e, struct cb_shape *shape, size_t n,
                                    struct cb_err *err)
{
    char wanted[16], is[CB_SHAPE_TEXT];
    const char *at = strstr(header, "'descr':");
    if (!at || sscanf(at, "'descr': '%15[^']'", shape->type) != 1)
        return cb_fail(err, CB_USAGE, "%s: its header has no 'descr' of one type", path);
    cb_setup_put_shape(shape, is);
    snprintf(wanted, sizeof wanted, "%s%c%zu", e->size == 1 ? "|" : "<", e->kind, e->size);
    if (strcmp(shape->type, wanted) != 0)
        return cb_fail(err, CB_USAGE,
                       "%s: its numbers are %s, the kernel's %s (NumPy's names): save "
                       ".astype('%s') of it",
                       path, shape->type, wanted, wanted);
    const bool has_rows = e->width != 3 || shape->n < 2 || shape->of[shape->n - 1] == 3;
    if (n % e->width != 0 || !has_rows)
        return cb_fail(err, CB_USAGE,
                       "%s: its shape is %s, and the kernel's elements are vectors of %u: save it "
                       "in the shape (elements, %u)",
                       path, is, e->width, e->width);
    return CB_OK;
}

/* Whether it has elements like these, and all that it should have. */
static enum cb_status check_npy(const char *path, const char *header, const struct cb_layout *l,
                                struct cb_shape *shape, size_t size, struct cb_err *err)
{
    const struct cb_element *e = &l->members[0].element;
    const size_t each = l->is_record ? l->bytes : e->size;
    char is[CB_SHAPE_TEXT];
    size_t n;
    if (read_shape(path, header, shape, &n, err) != CB_OK)
        return err->status;
    if (!l->is_record && check_numbers(path, header, e, shape, n, err) != CB_OK)
        return err->status;
    if (shape->n > 1 && !strstr(header, "'fortran_order': False"))
        return cb_fail(err, CB_USAGE, "%s: it is in Fortran's order: save a copy in C's", path);
    if (n > 0 && l->is_record && size % n == 0 && size / n != each)
        return cb_fail(err, CB_USAGE, "%s: its structures have %zu bytes, the kernel's %zu", path,
                       size / n, each);
    cb_setup_put_shape(shape, is);
    if (n != size / each || size % each != 0)
        return cb_fail(err, CB_USAGE, "%s: it has %zu %s, and its shape says %zu: %s: save it anew",
                       path, size / each, l->is_record ? "structures" : "numbers", n, is);
    return l->is_record ? cb_setup_check_record(path, header, l, err) : CB_OK;
}

/* Three numbers, one after the other there, take the room of four in a buffer. */
static enum cb_status spread(const struct cb_layout *l, unsigned char **data, size_t *size,
                             struct cb_err *err)
{
    const struct cb_element *e = &l->members[0].element;
    const size_t packed = e->size * e->width;
    if (l->is_record || packed == l->bytes)
        return CB_OK;
    unsigned char *wide = calloc(*size / packed + 1, l->bytes);
    if (!wide)
        return cb_no_memory(err);
    for (size_t i = 0; i < *size / packed; i++)
        memcpy(wide + i * l->bytes, *data + i * packed, packed);
    free(*data);
    *data = wide;
    *size = *size / packed * l->bytes;
    return CB_OK;
}

static enum cb_status take_npy(const char *path, const struct cb_layout *l, struct cb_shape *shape,
                               unsigned char **of, size_t *size, struct cb_err *err)
{
    unsigned char *data = *of;
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
    if (check_npy(path, header, l, shape, *size, err) != CB_OK)
        return err->status;
    memmove(data, data + head + length, *size);
    return spread(l, of, size, err);
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

/* The numbers that a text has of an element: of a union, those of its first member. */
static size_t numbers_of(const struct cb_layout *l)
{
    size_t n = 0;
    for (int m = 0; m < l->n_members; m++)
        n += l->members[m].is_again ? 0 : cb_layout_numbers(&l->members[m]);
    return n;
}

static enum cb_status take_number(const char *path, const struct cb_element *e, const char **text,
                                  size_t *line, unsigned char *to, struct cb_err *err)
{
    char *end;
    for (; is_between(**text); ++*text)
        *line += **text == '\n';
    bool right = cb_element_parse(e, *text, &end, to);
    if (!right || (*end && !is_between(*end)))
        return cb_fail(err, CB_USAGE, "%s:%zu: \"%.*s\" is none of the type's numbers", path, *line,
                       (int)strcspn(*text, " \t\r\n,;") % 40, *text);
    *text = end;
    return CB_OK;
}

static enum cb_status take_text(const char *path, const struct cb_layout *l, const char *text,
                                unsigned char **data, size_t *size, struct cb_err *err)
{
    const size_t all = count_numbers(text), each = numbers_of(l), n = all / each;
    size_t line = 1;
    *data = calloc(n + 1, l->bytes);
    if (!*data)
        return cb_no_memory(err);
    *size = n * l->bytes;
    for (size_t i = 0; i < n; i++)
        for (int m = 0; m < l->n_members; m++)
            for (size_t k = 0; !l->members[m].is_again && k < cb_layout_numbers(&l->members[m]);
                 k++)
                if (take_number(path, &l->members[m].element, &text, &line,
                                *data + i * l->bytes + cb_layout_at(&l->members[m], k),
                                err) != CB_OK)
                    return err->status;
    return all % each == 0 ? CB_OK
                           : cb_fail(err, CB_USAGE, "%s: %zu numbers are no %s of %zu", path, all,
                                     l->is_record ? "structures" : "vectors", each);
}

enum cb_status cb_setup_load(const char *path, const struct cb_layout *l, unsigned char **data,
                             size_t *size, struct cb_err *err)
{
    struct cb_shape any;
    return cb_setup_load_shaped(path, l, &any, data, size, err);
}

enum cb_status cb_setup_load_shaped(const char *path, const struct cb_layout *l,
                                    struct cb_shape *shape, unsigned char **data, size_t *size,
                                    struct cb_err *err)
{
    char *text = NULL;
    enum cb_status status;
    *data = NULL;
    *shape = (struct cb_shape){0};
    if (ends_with(path, ".txt") || ends_with(path, ".csv")) {
        status = cb_read_file(path, &text_kind, &text, err);
        if (status == CB_OK)
            status = take_text(path, l, text, data, size, err);
        free(text);
    } else {
        status = read_bytes(path, data, size, err);
        if (status == CB_OK && ends_with(path, ".npy"))
            status = take_npy(path, l, shape, data, size, err);
    }
    if (status == CB_OK && *size == 0)
        status = cb_fail(err, CB_USAGE, "%s: nothing is in it", path);
    else if (status == CB_OK && *size % l->bytes != 0)
        status =
            cb_fail(err, CB_USAGE, "%s: %zu bytes are no elements of %zu", path, *size, l->bytes);
    if (status != CB_OK) {
        free(*data);
        *data = NULL;
    }
    return status;
}
